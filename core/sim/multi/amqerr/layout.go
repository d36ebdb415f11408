package amqerr

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// width is where a line of an error log ends at the latest, and how long the
// line is that closes a record (reference, Multiplatforms 2.2 items 34 and 36).
const width = 79

// indent is how far the further lines of a header are indented; the line that
// closes the header is one blank shorter.
const indent = "                    "

// fillIn fills in what a message leaves out.
func (m *Message) fillIn() {
	if m.Process == 0 {
		m.Process = 2272
	}
	if m.from == (origin{}) {
		m.from = originOf(m.ID)
		m.Process += m.from.process
	}
	for _, c := range []*string{&m.C1, &m.C2, &m.C3} {
		*c = plain(*c)
	}
}

// plain makes a text one that stands in a line: what would end or break it
// becomes a blank, and bytes that are no UTF-8 a mark.
func plain(text string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsControl(c) || c == '\u2028' || c == '\u2029' {
			return ' '
		}
		return c
	}, strings.ToValidUTF8(text, "?"))
}

// text gives a record of the text log.
func (s Settings) text(m Message) []byte {
	t := Of(m.ID)
	lines := s.header(m)
	lines = append(lines, wrap(t.head(s.Release)+fill(t.Text, s.Release, m.Inserts))...)
	lines = append(lines, "", "EXPLANATION:")
	lines = append(lines, wrap(fill(orElse(t.Explanation, "The simulated queue manager wrote this message."), s.Release, m.Inserts))...)
	lines = append(lines, "ACTION:")
	lines = append(lines, wrap(fill(orElse(t.Action, "None."), s.Release, m.Inserts))...)
	closing := fmt.Sprintf("----- %s : %d ", m.from.module(), m.from.line)
	lines = append(lines, closing+strings.Repeat("-", max(3, width-len(closing))), "")
	return []byte(strings.Join(lines, "\n"))
}

func orElse(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// header gives the lines above the message, as the layout has them.
func (s Settings) header(m Message) []string {
	lines := []string{fmt.Sprintf("%s - Process(%d.%d) User(%s) Program(%s)", m.At.Format(dateForm), m.Process, thread, s.User, m.from.program)}
	form := layoutOf(s.Release)
	if form == layout70 {
		return lines
	}
	version := indent + "VRMF(" + s.Release.String() + ")"
	if s.QueueManager != "" {
		version += " QMgr(" + s.QueueManager + ")"
	}
	lines = append(lines, indent+"Host("+s.Host+") Installation("+s.Installation+")", version)
	if form >= layout91 {
		lines = append(lines, indent+"Time("+stamp(m)+")")
		lines = append(lines, inserts(m)...)
	}
	return append(lines, indent[1:])
}

func stamp(m Message) string { return m.At.UTC().Format("2006-01-02T15:04:05.000Z") }

// inserts gives the lines of the inserts that are used: both numbers in one
// line, each text in its own.
func inserts(m Message) []string {
	var lines, numbers []string
	for i, value := range m.arith() {
		if value != "" {
			numbers = append(numbers, fmt.Sprintf("ArithInsert%d(%s)", i+1, value))
		}
	}
	if numbers != nil {
		lines = append(lines, indent+strings.Join(numbers, " "))
	}
	for i, value := range m.comment() {
		if value != "" {
			lines = append(lines, fmt.Sprintf("%sCommentInsert%d(%s)", indent, i+1, value))
		}
	}
	return lines
}

// wrap breaks a text at blanks into lines that are as full as can be. A word
// that is longer than a line has one to itself.
func wrap(text string) []string {
	var lines []string
	row, length := "", 0
	for word := range strings.FieldsSeq(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case row == "":
			row, length = word, n
		case length+1+n <= width:
			row, length = row+" "+word, length+1+n
		default:
			lines = append(lines, row)
			row, length = word, n
		}
	}
	return append(lines, row)
}

// levels are the words of loglevel, by severity.
var levels = map[byte]string{'I': "INFO", 'W': "WARNING", 'E': "ERROR", 'S': "ERROR", 'T': "ERROR"}

// record is an object of the JSON log, in the order in which it is written
// (reference, Multiplatforms 2.3 item 42).
type record struct {
	ID               string      `json:"ibm_messageId"`
	Arith1           json.Number `json:"ibm_arithInsert1"`
	Arith2           json.Number `json:"ibm_arithInsert2"`
	Comment1         string      `json:"ibm_commentInsert1,omitempty"`
	Comment2         string      `json:"ibm_commentInsert2,omitempty"`
	Comment3         string      `json:"ibm_commentInsert3,omitempty"`
	DateTime         string      `json:"ibm_datetime"`
	ServerName       string      `json:"ibm_serverName,omitempty"`
	Type             string      `json:"type"`
	Host             string      `json:"host"`
	LogLevel         string      `json:"loglevel"`
	Module           string      `json:"module"`
	Sequence         string      `json:"ibm_sequence"`
	QMID             string      `json:"ibm_qmgrId,omitempty"`
	ProcessID        string      `json:"ibm_processId"`
	ThreadID         string      `json:"ibm_threadId"`
	Version          string      `json:"ibm_version"`
	ProcessName      string      `json:"ibm_processName"`
	UserName         string      `json:"ibm_userName"`
	InstallationName string      `json:"ibm_installationName"`
	InstallationDir  string      `json:"ibm_installationDir,omitempty"`
	Message          string      `json:"message"`
}
