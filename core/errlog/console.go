package errlog

import (
	"bytes"
	"strings"
)

// The console of a container, "basic":
//
//	2025-10-27 14:19:42.542 | 2025-10-27T19:19:42.003Z AMQ7229I: ... [ArithInsert1(4), CommentInsert1(QM1)]
//
// The first stamp is of whoever collected the console; the second is the
// message's (case 30). Either may stand alone. What the container itself and its
// web server print there is passed over.

const (
	stampForm   = "0000-00-00T00:00:00"
	stampLength = len(stampForm)
	fractionMax = len(".000000000")
)

// stamped tells whether a line begins with a time.
func stamped(text []byte) bool {
	if len(text) < stampLength {
		return false
	}
	for i, c := range []byte(stampForm) {
		switch {
		case c == '0' && !digit(text[i]), c != '0' && c != 'T' && text[i] != c, c == 'T' && text[i] != 'T' && text[i] != ' ':
			return false
		}
	}
	return true
}

// stampBefore finds where the time begins that ends a text, before its Z; -1
// when none does.
func stampBefore(text []byte) int {
	i := len(text)
	for i > 0 && digit(text[i-1]) {
		i--
	}
	at := len(text) - stampLength
	if n := len(text) - i; i > 0 && (text[i-1] == '.' || text[i-1] == ',') && n > 0 && n < fractionMax {
		at = i - 1 - stampLength
	}
	if at < 0 || !stamped(text[at:]) || text[at+len("0000-00-00")] != 'T' {
		return -1
	}
	return at
}

// console reads the message of a console line, if it has one. Several in one
// line are torn ones and a last that may be whole.
func (s *scanner) console(l line) bool {
	s.starts = messageStarts(s.starts[:0], l.text)
	starts := s.starts
	for i, start := range starts {
		r := Record{Layout: Console, Line: l.number, Offset: l.offset + int64(start.stamp)}
		if i == 0 {
			r.Offset = l.offset
		}
		text := string(l.text[start.stamp:])
		r.setTime(strings.Replace(text[:start.text-start.stamp-1], ",", ".", 1))
		r.Text = text[start.text-start.stamp:]
		r.setID(r.Text)
		atEnd := !l.ended && s.lo == s.hi
		switch {
		case i < len(starts)-1, !r.cutInserts(), !l.ended && !atEnd:
			s.report(&Damage{Torn, r.ID, r.Line, r.Offset})
		case atEnd && r.Arith == [2]string{} && r.Comment == [3]string{}:
			s.report(&Damage{Unfinished, r.ID, r.Line, r.Offset})
		default:
			s.record(r)
		}
	}
	return len(starts) > 0
}

// messageStart is where the stamp and the text of a message begin.
type messageStart struct{ stamp, text int }

// messageStarts adds the messages of a console line.
func messageStarts(found []messageStart, line []byte) []messageStart {
	for from := 0; ; {
		n := bytes.Index(line[from:], []byte("Z AMQ"))
		if n < 0 {
			return found
		}
		text := line[from+n+2:]
		if id := idLength(text); id > 0 && id < len(text) && text[id] == ':' {
			if at := stampBefore(line[from : from+n]); at >= 0 {
				found = append(found, messageStart{from + at, from + n + 2})
			}
		}
		from += n + 1
	}
}

// insertsStart finds where the inserts of a message begin; -1: it has none.
func insertsStart(text string) int {
	for at := 0; ; at++ {
		n := strings.Index(text[at:], " [")
		if n < 0 {
			return -1
		}
		at += n
		rest := text[at+len(" ["):]
		if strings.HasPrefix(rest, "ArithInsert") || strings.HasPrefix(rest, "CommentInsert") {
			return at
		}
	}
}

// cutInserts takes the inserts off the text. False says that they begin and
// don't end: the line is torn. An insert may hold commas and brackets, so its
// end is the bracket that closes it.
func (r *Record) cutInserts() bool {
	r.Text = strings.TrimRight(r.Text, " \t\r")
	at := insertsStart(r.Text)
	if at < 0 {
		return true
	}
	list := r.Text[at+len(" ["):]
	r.Text = r.Text[:at]
	for {
		start := strings.IndexByte(list, '(')
		if start < 0 {
			return false
		}
		end := closing(list[start:])
		if end < 0 || !r.insert(list[:start], list[start+1:start+end]) {
			return false
		}
		list = list[start+end+1:]
		if list == "]" {
			return true
		}
		rest, more := strings.CutPrefix(list, ", ")
		if !more {
			return false
		}
		list = rest
	}
}
