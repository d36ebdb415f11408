package mqsc

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

const (
	maxJoined     = 100 // lines that one wrapped value may take
	maxCandidates = 64  // places in a message's text where its attributes may begin
)

var (
	// 1 : DISPLAY QMGR, and the further lines of a command behind a colon.
	echo = regexp.MustCompile(`^\s*([0-9]+ : |\s+:( |$))`)

	// A message id, behind a time, a job or a reply number but not behind prose.
	headline = regexp.MustCompile(`^[^a-z()'"]{0,64}?\b(AMQ[0-9]{4}[A-Z]?|CSQ[A-Z0-9][0-9]{3}[A-Z])(?::|[ \t]|$)`)

	// What a console log puts in front of the further lines of a message.
	console = regexp.MustCompile(`^\s*(?:[A-Z]{1,2}\s+)?(?:[0-9][0-9:.]*\s+)+`)

	// END CFSTATUS DETAILS closes an object on z/OS.
	endDetails = regexp.MustCompile(`^[^a-z()'"]*\bEND [A-Z0-9 ]*DETAILS\s*$`)

	beginning = regexp.MustCompile(`(?:^|[ \t])[A-Z][A-Z0-9]+\(`)

	// Messages below which the queue manager repeats the command that it could
	// not read, or says how it should be: no attributes, though they look so.
	commandText = regexp.MustCompile(`^AMQ84(05|06|27)`)

	// Messages that show objects. On z/OS those are CSQM2nnI and CSQM4nnI;
	// others, CSQE241I for one, hold attributes in prose.
	showsObject = regexp.MustCompile(`^(AMQ[0-9]{4}I?|CSQM[24][0-9]{2}I)$`)
)

// ParseAnswer reads an answer in any layout. Banners, echoed commands and
// trailers are passed over. A message that says that nothing was found gives
// no object, only its id. The error, an [*Error], says that a value is not
// closed: the answer is torn, and what was read before it is still given.
func ParseAnswer(body []byte) (Answer, error) {
	lines := strings.Split(strings.ToValidUTF8(string(body), "\uFFFD"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimSuffix(line, "\r")
	}
	return parseLines(lines)
}

// parseLines reads an answer's lines.
func parseLines(lines []string) (Answer, error) {
	r := answerReader{lines: lines}
	for ; r.i < len(r.lines); r.i++ {
		if err := r.line(r.lines[r.i]); err != nil {
			return r.answer, err
		}
	}
	return r.answer, nil
}

// answerReader goes through the lines of an answer.
type answerReader struct {
	lines  []string
	i      int
	answer Answer
	id     string // of the message above, empty when there is none
	open   bool   // the last object may get more attributes
	silent bool   // what is below the message is not of an object
}

func (r *answerReader) line(text string) error {
	switch {
	case strings.Trim(text, " \t") == "":
		return nil
	case isEcho(text):
		r.id, r.open, r.silent = "", false, false
		return nil
	}
	for text != "" {
		rest, err := r.part(text)
		if err != nil {
			return err
		}
		text = rest
	}
	return nil
}

// part reads one message or one run of attributes and gives what is behind it
// in the line.
func (r *answerReader) part(text string) (string, error) {
	if match := findHeadline(text); match != nil {
		return r.message(text[match[2]:match[3]], text[match[3]:])
	}
	if isEndDetails(text) {
		r.open = false
		return "", nil
	}
	found, err := r.attributes(text)
	if err != nil {
		return "", err
	}
	if r.silent || !r.take(found) {
		r.below(text)
		return "", nil
	}
	return found.rest, nil
}

// message begins a message. Attributes may stand behind its text, on the same
// line.
func (r *answerReader) message(id, text string) (string, error) {
	r.id, r.open = id, false
	r.silent = commandText.MatchString(id) || !showsObject.MatchString(id)
	r.answer.Messages = append(r.answer.Messages, Message{ID: id})
	message := &r.answer.Messages[len(r.answer.Messages)-1]
	text = strings.Trim(strings.TrimPrefix(text, ":"), " \t")
	if !r.silent {
		for _, place := range beginning.FindAllStringIndex(text, maxCandidates) {
			found, err := r.attributes(text[place[0]:])
			if err != nil {
				return "", err
			}
			if r.take(found) {
				message.Text = strings.TrimRight(text[:place[0]], " \t")
				return found.rest, nil
			}
		}
	}
	message.Text = text
	return "", nil
}

// attributes reads a run, with the lines into which it was wrapped.
func (r *answerReader) attributes(text string) (run, error) {
	found := scanRun(text)
	if found.ending == none {
		if prefix := console.FindString(text); prefix != "" {
			text = text[len(prefix):]
			found = scanRun(text)
		}
	}
	switch {
	case r.silent, found.ending == closed:
		return found, nil
	case found.ending == none:
		return r.columns(text, found), nil
	}
	first, joined := text, 0
	for found.ending == open {
		next := r.i + joined + 1
		if next == len(r.lines) || joined == maxJoined || breaks(r.lines[next]) {
			if whole := r.columns(first, run{}); whole.ending == closed {
				return whole, nil
			}
			return run{}, r.torn(first, found)
		}
		text += strings.TrimLeft(r.lines[next], " \t")
		joined++
		found = scanRun(text)
	}
	if found.ending == closed {
		r.i += joined
	}
	return found, nil
}

// columns reads a line by the columns of runmqsc, when its brackets don't
// balance and it is below the head of an object; else gives what was found
// otherwise.
func (r *answerReader) columns(text string, otherwise run) run {
	if r.id == "" || text != r.lines[r.i] {
		return otherwise
	}
	if found := scanColumns(text); found.ending == closed {
		return found
	}
	return otherwise
}

// breaks tells whether a line cannot be the rest of a wrapped value. One that
// is a row of attributes is none: a value's rest would hold one bracket more
// than it opens.
func breaks(line string) bool {
	if strings.Trim(line, " \t") == "" || isEcho(line) || findHeadline(line) != nil || isEndDetails(line) {
		return true
	}
	next := scanRun(line)
	return next.ending == closed && next.valued()
}

// The next three look at a line before an expression does: answers are long,
// and nearly all lines hold attributes.

func isEcho(line string) bool {
	bare := strings.TrimLeft(line, " \t\f\v\r")
	return bare != "" && (bare[0] == ':' || '0' <= bare[0] && bare[0] <= '9') && echo.MatchString(line)
}

func findHeadline(line string) []int {
	if !strings.Contains(line, "CSQ") && !strings.Contains(line, "AMQ") {
		return nil
	}
	return headline.FindStringSubmatchIndex(line)
}

func isEndDetails(line string) bool {
	return strings.HasSuffix(strings.TrimRight(line, " \t\f\v\r"), "DETAILS") && endDetails.MatchString(line)
}

func (r *answerReader) torn(text string, found run) error {
	line := r.lines[r.i]
	at := max(0, len(line)-len(text)) + min(found.at, len(text))
	column := utf8.RuneCountInString(line[:min(at, len(line))]) + 1
	return &Error{r.i + 1, column, "a value is not closed"}
}

// take adds a run to the open object or begins one, and tells whether it did.
// A second attribute of the name with which an object began begins the next.
// A line of bare names only is prose, unless it is one name within an object.
func (r *answerReader) take(found run) bool {
	if found.ending != closed || !found.valued() && (!r.open || len(found.attributes) != 1) {
		return false
	}
	for _, attribute := range found.attributes {
		if n := len(r.answer.Objects); !r.open || r.answer.Objects[n-1].Attributes[0].Name == attribute.Name {
			r.answer.Objects = append(r.answer.Objects, Object{Message: r.id})
			r.open = true
		}
		last := &r.answer.Objects[len(r.answer.Objects)-1]
		last.Attributes = append(last.Attributes, attribute)
	}
	return true
}

// below keeps a line that is no attribute with the message above it.
func (r *answerReader) below(text string) {
	if n := len(r.answer.Messages); r.id != "" {
		message := &r.answer.Messages[n-1]
		message.Lines = append(message.Lines, strings.TrimRight(text, " \t"))
	}
}
