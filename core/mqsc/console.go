package mqsc

import (
	"regexp"
	"strings"
)

// ConsoleLine is a line of a z/OS console or of its log, without what the
// console put in front of it.
type ConsoleLine struct {
	Line    int    // in the text, from 1
	Stamp   string // date and time as printed, "26148 02:00:01.10"; empty: none
	System  string // the z/OS image; empty: not printed
	Job     string // STC00123, for one; empty: not printed
	Text    string // without blanks at its end
	Further bool   // a further line of the message above
	Connect string // of a further line: the connect id, with which the first line ends
}

var (
	// hardcopy is the first line of a message in SYSLOG or OPERLOG: a record
	// type and a request type, routing codes, the system, date and time, the
	// job, flags (z/OS MVS Planning: Operations, "Format of the hardcopy log").
	hardcopy = regexp.MustCompile(`^[ ]?[NMWXO][A-Z]? +[0-9A-F]{7,8} +([A-Z0-9@#$]{1,8}) +([0-9]{5,7} [0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{2}) +(?:([A-Z0-9@#$]{1,8}) +)?[0-9A-F]{8} ?(.*)$`)

	// hardcopyMore is a further line: data or end line of a message of several
	// lines, with its connect id, or the rest of a line that was too long.
	hardcopyMore = regexp.MustCompile(`^[ ]?(?:[DELS][A-Z]? +([0-9]{3}) +(?:[0-9A-F]{8})? ?|S[A-Z]? {20,})(.*)$`)

	// terminal is a line as a console or an automation product shows it: a time,
	// perhaps with a date, and perhaps a job.
	terminal = regexp.MustCompile(`^[ ]*((?:[0-9]{4}-[0-9]{2}-[0-9]{2}[ T]|[0-9]{5,7} )?[0-9]{2}[.:][0-9]{2}[.:][0-9]{2}(?:\.[0-9]{1,6})?)(?: +((?:STC|JOB|TSU)[0-9]{5,7}))? +(\S.*)$`)

	// highlighted marks a message that waits for somebody: an asterisk, or the
	// number of a reply.
	highlighted = regexp.MustCompile(`^[ ]*(?:[*@][0-9]{0,4}[ ]*)(CSQ|IX[CL]|IE[CFE])`)

	// connectID ends the first line of a message of several lines.
	connectID = regexp.MustCompile(` +[0-9]{3}$`)

	zosMessage = regexp.MustCompile(`^[ ]*[*@]?[A-Z]{3,4}[A-Z0-9]{1,2}[0-9]{3,4}[A-Z]\b`)
)

// ConsoleLines takes a text apart as the lines of a console, of its log, or
// of a queue manager's own answer; blank lines are left out. A line in no form
// that is known is its own text.
func ConsoleLines(body []byte) []ConsoleLine {
	var lines []ConsoleLine
	within := false // below a message of the hardcopy log
	for i, text := range strings.Split(strings.ToValidUTF8(string(body), "\uFFFD"), "\n") {
		line := consoleLine(strings.TrimRight(text, " \t\r"), within)
		if line.Text == "" && line.Stamp == "" {
			continue
		}
		line.Line = i + 1
		within = within && line.Further || line.System != ""
		if strings.ContainsAny(line.Text, "*@") {
			line.Text = highlighted.ReplaceAllString(line.Text, "$1")
		}
		lines = append(lines, line)
	}
	return lines
}

// consoleLine reads one line. A further line of the hardcopy log counts as one
// only below a first line: a table has rows that begin likewise.
func consoleLine(text string, within bool) ConsoleLine {
	if !mayBeStamped(text) {
		return ConsoleLine{Text: text, Further: !mayBeMessage(text) || !zosMessage.MatchString(text)}
	}
	if parts := hardcopy.FindStringSubmatch(text); parts != nil {
		return ConsoleLine{System: parts[1], Stamp: parts[2], Job: parts[3], Text: strings.TrimLeft(parts[4], " ")}
	}
	if parts := hardcopyMore.FindStringSubmatch(text); parts != nil && within {
		return ConsoleLine{Text: strings.TrimRight(parts[2], " "), Further: true, Connect: parts[1]}
	}
	if parts := terminal.FindStringSubmatch(text); parts != nil {
		return ConsoleLine{Stamp: parts[1], Job: parts[2], Text: parts[3], Further: !zosMessage.MatchString(parts[3])}
	}
	return ConsoleLine{Text: text, Further: !zosMessage.MatchString(text)}
}

// mayBeStamped tells whether a line may have anything of a console in front: a
// time, or the letters of the log's record types with a blank behind them. Most
// lines don't, and answers are long.
func mayBeStamped(text string) bool {
	bare := strings.TrimLeft(text, " ")
	switch {
	case bare == "":
		return false
	case '0' <= bare[0] && bare[0] <= '9':
		return true
	default:
		return len(bare) > 2 && (bare[1] == ' ' || bare[2] == ' ')
	}
}

// mayBeMessage tells whether a line may begin with the identifier of a message,
// which has a digit among its first characters.
func mayBeMessage(text string) bool {
	const longest = 12 // an identifier with what may stand in front of it
	bare := strings.TrimLeft(text, " ")
	return strings.ContainsAny(bare[:min(longest, len(bare))], "0123456789")
}

// withoutConnectID cuts the connect id off the end of a message's first line;
// it is never a value (trap 31).
func withoutConnectID(text string) string { return connectID.ReplaceAllString(text, "") }
