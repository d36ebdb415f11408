package errlog

import (
	"strings"
	"time"
)

// Layout is how a record was written.
type Layout uint8

// The layouts.
const (
	Text    Layout = iota + 1 // AMQERR01.LOG
	JSON                      // AMQERR01.json, or a container's console in JSON
	Console                   // a container's console, "basic"
)

// String names the layout.
func (l Layout) String() string {
	switch l {
	case Text:
		return "text"
	case JSON:
		return "JSON"
	case Console:
		return "console"
	}
	return "unknown"
}

// Severity is the letter behind a message id: I, W, E, S or T. Zero: not said,
// as up to 8.0 and wherever AMQ_DIAGNOSTIC_MSG_SEVERITY is 0.
type Severity byte

// String gives the letter, or nothing.
func (s Severity) String() string {
	if s == 0 {
		return ""
	}
	return string(rune(s))
}

// Clock says what the time of a record is worth.
type Clock uint8

// The clocks.
const (
	NoClock   Clock = iota // no time that can be read
	Ambiguous              // a local date whose day and month, or noon and midnight, can't be told apart
	Local                  // the wall clock of the writer; its zone is not known
	UTC
)

// Record is one message of an error log, whole as it was written.
type Record struct {
	ID       string // AMQ7467: without the severity letter
	Severity Severity

	// Time is zero unless the clock is UTC or Local. A local time stands in
	// time.UTC, and is no moment: it can be compared with other local ones alone.
	Time  time.Time
	Clock Clock
	Date  string // the first line's date as it was written; text only, and only where it is whole

	QueueManager string // QMgr(...), ibm_serverName; empty: not said
	Host         string
	Process      string // the process id
	Program      string
	Version      string // 9.1.0.0
	Module       string // the source that wrote it

	Arith   [2]string // ArithInsert1 and 2: digits, 14.49 in AMQ5782
	Comment [3]string // CommentInsert1 to 3

	// Text is the message from its id on, its lines joined by blanks, without
	// explanation and action. Bytes are as they were, of whatever encoding.
	Text string

	Line   int   // of the first line, from 1
	Offset int64 // of the first byte
	Layout Layout
}

// Is tells whether the record is the message with an id, whatever severity
// letter stands behind it.
func (r Record) Is(id string) bool { return r.ID == id }

// setID reads AMQ7467I at the start of a text and tells how long it is; 0 when
// none stands there. Message ids have four digits, five in some components.
func (r *Record) setID(text string) int {
	n := idLength(text)
	if n == 0 {
		return 0
	}
	r.ID = text[:n]
	if c := text[n-1]; c >= 'A' && c <= 'Z' {
		r.ID, r.Severity = text[:n-1], Severity(c)
	}
	return n
}

// idLength gives the length of the message id that a text begins with, with
// its severity letter; 0 when it begins with none.
func idLength[T string | []byte](text T) int {
	if len(text) < 7 || string(text[:3]) != "AMQ" {
		return 0
	}
	n := 3
	for n < len(text) && n < 9 && digit(text[n]) {
		n++
	}
	if n != 7 && n != 8 {
		return 0
	}
	if n < len(text) && strings.IndexByte("IWEST", text[n]) >= 0 {
		n++
	}
	return n
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// insert stores the value of ArithInsert1(...) or CommentInsert1(...).
func (r *Record) insert(key, value string) bool {
	n := len(key) - 1
	if n < 0 {
		return false
	}
	i := int(key[n]) - '1'
	switch key[:n] {
	case "ArithInsert", "arithInsert":
		if i >= 0 && i < len(r.Arith) {
			setOnce(&r.Arith[i], value)
			return true
		}
	case "CommentInsert", "commentInsert":
		if i >= 0 && i < len(r.Comment) {
			setOnce(&r.Comment[i], value)
			return true
		}
	}
	return false
}

// setTime reads a UTC stamp.
func (r *Record) setTime(stamp string) {
	at, ok := thousandths(stamp)
	if !ok {
		var err error
		if at, err = time.Parse(time.RFC3339Nano, stamp); err != nil {
			return
		}
	}
	r.Time, r.Clock = at.UTC(), UTC
}

// thousandths reads a stamp as MQ writes it, 2026-05-01T12:34:56.789Z. Every
// record has one, and time.Parse, which reads any other, takes four times as
// long.
func thousandths(stamp string) (time.Time, bool) {
	const form = "0000-00-00T00:00:00.000Z"
	if len(stamp) != len(form) {
		return time.Time{}, false
	}
	for i := range len(form) {
		if form[i] == '0' && !digit(stamp[i]) || form[i] != '0' && stamp[i] != form[i] {
			return time.Time{}, false
		}
	}
	number := func(from, to int) (n int) {
		for _, c := range []byte(stamp[from:to]) {
			n = n*10 + int(c-'0')
		}
		return n
	}
	day, hour, minute, second := number(8, 10), number(11, 13), number(14, 16), number(17, 19)
	at := time.Date(number(0, 4), time.Month(number(5, 7)), day, hour, minute, second, number(20, 23)*int(time.Millisecond), time.UTC)
	// time.Date takes the 30th of February for a day in March.
	return at, at.Day() == day && at.Hour() == hour && at.Minute() == minute && at.Second() == second && int(at.Month()) == number(5, 7)
}
