package errlog

import (
	"bytes"
	"strings"
)

// The text layout, one record:
//
//	12/29/2018 11:31:51 PM - Process(14223.1) User(mqm) Program(amqzmuc0)
//	                    Host(h) Installation(Installation1)
//	                    VRMF(9.1.0.0) QMgr(QM1)
//	                    Time(2018-12-29T23:31:51.943Z)
//	                    CommentInsert1(...)
//	                   (blank)
//	AMQ7467I: the message, in one line or several
//	                   (blank)
//	EXPLANATION and ACTION, in the language of the queue manager
//	----- amqxxxx.c : 439 ----------------------------------------
//
// In 7.0 the message follows the first line, up to 8.0 the last line is
// dashes alone, and Windows indents by 22. The date is in the writer's locale,
// nothing else of the frame is.

// How long the last line of a record is at least, and how long it always was:
// where it has no end of line, nothing less tells that it is whole.
const (
	shortestTrailer = 40
	trailerWidth    = 79
)

var processWord = []byte("- Process(")

// findHeader finds the first line of a record in a line: where its date
// begins, and the byte behind Process(...).
func findHeader(text []byte) (at, end int, found bool) {
	from := 0
	for {
		n := bytes.Index(text[from:], processWord)
		if n < 0 {
			return 0, 0, false
		}
		word := from + n
		from = word + len(processWord)
		i := from
		for i < len(text) && (digit(text[i]) || text[i] == '.') {
			i++
		}
		if i == from || i == len(text) || text[i] != ')' {
			continue
		}
		if at, found := dateBefore(text[:word]); found {
			return at, i + 1, true
		}
	}
}

// trailer tells whether a line is the last of a record.
func trailer(text []byte) bool {
	text = trimRight(text)
	return len(text) >= shortestTrailer && bytes.HasPrefix(text, []byte("-----")) && bytes.HasSuffix(text, []byte("---"))
}

// step says what a line does to an open record.
type step uint8

const (
	more  step = iota
	ended      // the message has
	whole
	broken
	overlong
)

// open is a text record that is being read.
type open struct {
	line    int
	offset  int64
	sure    bool   // the date is known not to run into what stands before it
	kept    []byte // the header, then the message
	date    int    // length of the date in kept
	message int    // where the message begins in kept; 0: it has not begun
	inBody  bool   // the message has ended
}

// begin opens a record whose date begins at a byte of a line.
func (s *scanner) begin(l line, at int) {
	_, end, _ := findHeader(l.text[at:])
	o := &s.spare
	*o = open{line: l.number, offset: l.offset + int64(at), kept: o.kept[:0]}
	o.sure = at == 0 || at > 1 && l.text[at-1] == ' ' && l.text[at-2] == ' '
	header := l.text[at : at+end]
	o.date = bytes.LastIndex(header, processWord)
	o.kept = append(o.kept, header...)
	s.open = o
}

// first takes the rest of the first line.
func (o *open) first(text []byte) { o.kept = append(o.kept, text...) }

// id gives the id of the message, empty when it has not begun.
func (o *open) id() string {
	var r Record
	if o.message > 0 {
		r.setID(string(o.kept[o.message:min(len(o.kept), o.message+16)]))
	}
	return r.ID
}

// feed takes the next line.
func (o *open) feed(l line) step {
	if len(o.kept)+len(l.text) > maxRecord {
		return overlong
	}
	switch {
	case len(l.text) > 0 && l.text[0] == '-' && trailer(l.text):
		switch {
		case !l.ended && len(l.text) < trailerWidth:
			return more
		case o.message == 0:
			return broken
		}
		return whole
	case o.inBody:
	case o.message > 0:
		if blank(l.text) {
			o.inBody = true
			return ended
		}
		o.kept = append(append(o.kept, ' '), trimRight(l.text)...)
	case idEnds(l.text):
		o.kept = append(o.kept, '\n')
		o.message = len(o.kept)
		o.kept = append(o.kept, trimRight(l.text)...)
	case !blank(l.text):
		o.kept = append(append(o.kept, '\n'), l.text...)
	}
	return more
}

// idEnds tells whether a line begins with a message id and a colon.
func idEnds(text []byte) bool {
	n := idLength(text)
	return n > 0 && n < len(text) && text[n] == ':'
}

// longestBody is how far a body is passed over at once.
const longestBody = 4 << 10

// passBody passes explanation and action at once where nothing in them may be
// the start of another record; most of a log is of such. Else they are read line
// by line.
func (s *scanner) passBody() {
	rest := s.buf[s.lo:min(s.hi, s.lo+longestBody)]
	n := bytes.Index(rest, []byte("\n-----"))
	if n < 0 || s.zeroed || rest[0] == '-' || rest[0] == '{' {
		return
	}
	body := rest[:n+1]
	for _, start := range [][]byte{processWord, []byte("\n{"), []byte("Z AMQ")} {
		if bytes.Contains(body, start) {
			return
		}
	}
	s.number += bytes.Count(body, []byte{'\n'})
	s.skip(len(body))
}

// record makes the record of what was kept.
func (o *open) record() Record {
	kept := string(o.kept)
	r := Record{Layout: Text, Line: o.line, Offset: o.offset, Text: kept[o.message:]}
	r.setID(r.Text)
	r.items(kept[o.date+len("- ") : o.message-1])
	if o.sure {
		r.Date = strings.TrimSpace(kept[:o.date])
	}
	if r.Clock != UTC {
		r.Time, r.Clock = readDate(r.Date).alone()
	}
	return r
}

// items reads NAME(value) NAME(value) of a header. A value may hold brackets,
// even one that nothing closes: then it ends with its line. What comes first
// counts, so that no insert can pass for more than it is.
func (r *Record) items(text string) {
	for row := range strings.SplitSeq(text, "\n") {
		for {
			start := strings.IndexByte(row, '(')
			if start < 0 {
				break
			}
			key := lastWord(row[:start])
			end := closing(row[start:])
			if end < 0 {
				end = strings.LastIndexByte(row[start:], ')')
			}
			if end < 0 {
				break
			}
			r.item(key, row[start+1:start+end])
			row = row[start+end+1:]
		}
	}
}

// lastWord gives the letters and digits that a text ends with.
func lastWord(text string) string {
	i := len(text)
	for i > 0 && (letter(text[i-1]) || digit(text[i-1])) {
		i--
	}
	return text[i:]
}

// item stores one value of a header.
func (r *Record) item(key, value string) {
	switch key {
	case "Process":
		value, _, _ = strings.Cut(value, ".")
		setOnce(&r.Process, value)
	case "Program":
		setOnce(&r.Program, value)
	case "Host":
		setOnce(&r.Host, value)
	case "VRMF":
		setOnce(&r.Version, value)
	case "QMgr":
		setOnce(&r.QueueManager, value)
	case "Time":
		if r.Clock == NoClock {
			r.setTime(value)
		}
	default:
		r.insert(key, value)
	}
}

func setOnce(field *string, value string) {
	if *field == "" {
		*field = value
	}
}

// closing gives the place of the bracket that closes the one a text begins
// with; -1 when none does.
func closing(text string) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}
