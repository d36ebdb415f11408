package errlog

import (
	"bytes"
	"encoding/json"
	"strings"
)

// The JSON layout: one object a line, and the file as a whole is no JSON. A
// torn object is followed by the next in the same line (case 27).

// maxRestarts is how many torn objects are looked behind in one line.
const maxRestarts = 64

// objectStarts are the ways in which records of MQ and of its container begin.
var objectStarts = [][]byte{[]byte(`{"ibm_`), []byte(`{"host"`), []byte(`{"loglevel"`), []byte(`{"message"`), []byte(`{"type"`)}

// nextObject finds where a record begins in a line; -1 when none does.
func nextObject(text []byte, from int) int {
	for i := from; i < len(text); i++ {
		n := bytes.Index(text[i:], objectStarts[0][:2])
		if n < 0 {
			return -1
		}
		i += n
		for _, start := range objectStarts {
			if bytes.HasPrefix(text[i:], start) {
				return i
			}
		}
	}
	return -1
}

func hasObject(text []byte) bool { return nextObject(text, 0) >= 0 }

// objects reads the objects of a line from a byte on.
func (s *scanner) objects(l line, at int) {
	text := string(l.text)
	s.stray = false
	for restarts := 0; !s.done; restarts++ {
		r := Record{Layout: JSON, Line: l.number, Offset: l.offset + int64(at)}
		end, state := r.object(text[at:])
		rest := at + max(end, 1)
		switch {
		case state == objectRecord:
			s.record(r)
		case state == objectContradicts:
			s.report(&Damage{Contradicts, r.ID, r.Line, r.Offset})
		case state == objectTorn && !l.ended && s.lo == s.hi && nextObject(l.text, rest) < 0:
			s.report(&Damage{Unfinished, r.ID, r.Line, r.Offset})
		case state == objectTorn:
			s.report(&Damage{Torn, r.ID, r.Line, r.Offset})
		}
		next := nextObject(l.text, rest)
		if next < 0 || restarts == maxRestarts {
			if state != objectTorn && !blank(l.text[rest:]) {
				s.strayed(l, rest)
			}
			return
		}
		if state != objectTorn && !blank(l.text[rest:next]) {
			s.strayed(l, rest)
			s.stray = false
		}
		at = next
	}
}

// objectState says what an object turned out to be.
type objectState uint8

const (
	objectRecord      objectState = iota
	objectOther                   // whole, but no message of a queue manager
	objectContradicts             // whole, but it says two things
	objectTorn
)

// object reads the object that a text begins with, and tells where it ends.
// Two values for one key, or a message that begins with another id, are a
// contradiction.
func (r *Record) object(text string) (end int, state objectState) {
	o := objectReader{text: text}
	if !o.is('{') {
		return 0, objectTorn
	}
	var fields objectFields
	for first := true; !o.is('}'); first = false {
		if !first && !o.is(',') {
			return 0, r.torn(&fields)
		}
		key, ok := o.quoted()
		if !ok || !o.is(':') {
			return 0, r.torn(&fields)
		}
		value, ok := o.value()
		if !ok || !fields.take(key, value) {
			return 0, r.torn(&fields)
		}
	}
	return o.i, r.take(&fields)
}

// objectFields are the values of an object that count.
type objectFields struct {
	values [fieldCount]string
	twice  bool
	r      Record // inserts alone
}

// The fields of an object.
const (
	fieldID = iota
	fieldTime
	fieldMessage
	fieldManager
	fieldHost
	fieldProcess
	fieldProgram
	fieldVersion
	fieldModule
	fieldCount
)

// fieldOf tells which field a key is. Documentation and records spell some
// keys differently: ibm_messageID, ibm_messageId.
func fieldOf(key string) int {
	switch key {
	case "ibm_messageId", "ibm_messageID":
		return fieldID
	case "ibm_datetime":
		return fieldTime
	case "message":
		return fieldMessage
	case "ibm_serverName":
		return fieldManager
	case "host":
		return fieldHost
	case "ibm_processId", "ibm_processID":
		return fieldProcess
	case "ibm_processName":
		return fieldProgram
	case "ibm_version":
		return fieldVersion
	case "module":
		return fieldModule
	}
	return -1
}

func (f *objectFields) take(key, value string) bool {
	field := fieldOf(key)
	if field >= 0 || strings.HasPrefix(key, "ibm_commentInsert") {
		var ok bool
		if value, ok = unescaped(value); !ok {
			return false
		}
	}
	if field < 0 {
		// An arithmetic insert that is not used is 0; in text it is left out.
		if insert, is := strings.CutPrefix(key, "ibm_"); is && (value != "0" || !strings.HasPrefix(insert, "arith")) {
			f.r.insert(insert, value)
		}
		return true
	}
	f.twice = f.twice || f.values[field] != "" && f.values[field] != value
	f.values[field] = value
	return true
}

// unescaped gives what a string stands for. Bytes that are no UTF-8 stay as
// they are where nothing is escaped.
func unescaped(text string) (string, bool) {
	if strings.IndexByte(text, '\\') < 0 {
		return text, true
	}
	var plain string
	err := json.Unmarshal([]byte(`"`+text+`"`), &plain)
	return plain, err == nil
}

// torn keeps the id of an object that is not whole.
func (r *Record) torn(f *objectFields) objectState {
	r.setID(f.values[fieldID])
	return objectTorn
}

// take makes the record of the fields of a whole object.
func (r *Record) take(f *objectFields) objectState {
	id := f.values[fieldID]
	if n := r.setID(id); n == 0 || n != len(id) {
		return objectOther
	}
	r.setTime(f.values[fieldTime])
	r.Text = f.values[fieldMessage]
	r.QueueManager, r.Host = f.values[fieldManager], f.values[fieldHost]
	r.Process, r.Program = f.values[fieldProcess], f.values[fieldProgram]
	r.Version, r.Module = f.values[fieldVersion], f.values[fieldModule]
	r.Arith, r.Comment = f.r.Arith, f.r.Comment
	var said Record
	if f.twice || said.setID(r.Text) > 0 && said.ID != r.ID {
		return objectContradicts
	}
	return objectRecord
}

// objectReader goes through one object.
type objectReader struct {
	text string
	i    int
}

// is passes blanks and the character c, when it is there.
func (o *objectReader) is(c byte) bool {
	for o.i < len(o.text) && (o.text[o.i] == ' ' || o.text[o.i] == '\t' || o.text[o.i] == '\r') {
		o.i++
	}
	if o.i < len(o.text) && o.text[o.i] == c {
		o.i++
		return true
	}
	return false
}

// quoted reads a string, as it is written between its quotes.
func (o *objectReader) quoted() (string, bool) {
	if !o.is('"') {
		return "", false
	}
	start := o.i
	for {
		n := strings.IndexByte(o.text[o.i:], '"')
		if n < 0 {
			return "", false
		}
		// The quote is part of the text behind an odd number of backslashes.
		slash := strings.IndexByte(o.text[o.i:o.i+n], '\\')
		if slash < 0 {
			o.i += n + 1
			return o.text[start : o.i-1], true
		}
		o.i += slash + 2
	}
}

// value reads a string or a number, and passes over what is neither: its text
// is given as it stands.
func (o *objectReader) value() (string, bool) {
	if o.is('"') {
		o.i--
		return o.quoted()
	}
	start := o.i
	if o.i < len(o.text) && (o.text[o.i] == '{' || o.text[o.i] == '[') {
		ok := o.nested()
		return o.text[start:o.i], ok
	}
	for o.i < len(o.text) && (letter(o.text[o.i]) || digit(o.text[o.i]) || strings.IndexByte("+-.", o.text[o.i]) >= 0) {
		o.i++
	}
	return o.text[start:o.i], o.i > start
}

// nested passes over an object or a list, as those hold that add to a log.
func (o *objectReader) nested() bool {
	for depth := 0; o.i < len(o.text); {
		switch o.text[o.i] {
		case '"':
			if _, ok := o.quoted(); !ok {
				return false
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				o.i++
				return true
			}
		}
		o.i++
	}
	return false
}
