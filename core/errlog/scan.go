package errlog

import (
	"bytes"
	"fmt"
	"io"
	"iter"
)

// Scan gives the records of one log in the order in which they stand there,
// and the damage between them. An error that is a [*Damage] is of one place,
// and reading goes on behind it; any other is of the source and comes last. The
// log is read once, in bounded memory; an empty one has no records.
func Scan(log io.Reader) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		src, skipped := plain(log)
		s := &scanner{lines: newLines(src), yield: yield}
		s.offset = skipped
		s.run()
	}
}

// scanner goes through one log.
type scanner struct {
	*lines
	yield func(Record, error) bool
	done  bool // nobody wants more

	open   *open  // the text record that is being read; nil: none
	spare  open   // what open points to
	stray  bool   // what is being passed over was reported
	layout Layout // of the last record
	starts []messageStart
}

func (s *scanner) run() {
	for !s.done {
		next, err := s.next()
		if err != nil {
			s.finish(failed(err))
			return
		}
		s.line(next)
	}
}

// finish ends the log.
func (s *scanner) finish(err error) {
	if s.open != nil {
		s.drop(Unfinished)
	}
	if err != nil && !s.done {
		s.yield(Record{}, fmt.Errorf("reading an error log at byte %d: %w", s.offset, err))
	}
}

func (s *scanner) line(l line) {
	switch {
	case l.hole:
		s.hole(l)
		return
	case l.long:
		s.drop(Torn)
		s.damage(TooLong, l, 0)
		return
	}
	// A record may start in the middle of a line, behind a torn one (case 27),
	// and that one may be torn in the same line.
	from := 0
	for !s.done {
		at, end, found := findHeader(l.text[from:])
		if !found {
			break
		}
		s.before(l, from, from+at)
		s.begin(l, from+at)
		from += end
	}
	switch {
	case s.done:
	case from > 0:
		s.open.first(l.text[from:])
	case s.open != nil && !startsRecord(l.text):
		s.feed(l)
	default:
		s.drop(Torn)
		s.single(l)
	}
}

// before deals with what stands in front of a header in the same line: the
// rest of a torn record, or text of none.
func (s *scanner) before(l line, from, at int) {
	if s.open != nil {
		s.drop(Torn)
	} else if !blank(l.text[from:at]) && !trailer(l.text[from:at]) {
		s.strayed(l, from)
	}
	s.stray = false
}

// feed gives the open record its next line.
func (s *scanner) feed(l line) {
	switch s.open.feed(l) {
	case whole:
		s.record(s.open.record())
		s.open = nil
	case overlong:
		s.drop(TooLong)
		s.stray = true
	case broken:
		s.drop(Torn)
	case ended:
		s.passBody()
	case more:
	}
}

// single reads a line that belongs to no text record.
func (s *scanner) single(l line) {
	switch {
	case blank(l.text), trailer(l.text):
	case l.text[0] == '{':
		s.objects(l, 0)
	case stamped(l.text):
		if !s.console(l) && hasObject(l.text) {
			s.objects(l, nextObject(l.text, 0))
		}
	case hasObject(l.text):
		at := nextObject(l.text, 0)
		s.strayed(l, 0)
		s.objects(l, at)
	case len(messageStarts(nil, l.text)) > 0: // behind a line that is torn in its stamp
		s.strayed(l, 0)
		s.console(l)
	case s.layout != Console:
		s.strayed(l, 0)
	}
}

// startsRecord tells whether a line that stands within a text record is one of
// another layout all the same. Prose may quote such a record, so it has to be
// at the start.
func startsRecord(text []byte) bool {
	return len(text) > 2 && (text[0] == '{' && nextObject(text, 0) == 0 ||
		digit(text[0]) && stamped(text) && bytes.Contains(text, []byte("Z AMQ")))
}

// hole deals with a run of zeros.
func (s *scanner) hole(l line) {
	if s.open != nil {
		s.drop(Torn)
	}
	if !s.stray {
		s.damage(Hole, l, 0)
	}
	s.stray = true
}

// strayed reports text that belongs to no record, once for all its lines.
func (s *scanner) strayed(l line, at int) {
	if !s.stray {
		s.damage(Stray, l, at)
	}
	s.stray = true
}

// drop gives the open record up, if there is one.
func (s *scanner) drop(kind Kind) {
	if s.open == nil {
		return
	}
	s.report(&Damage{kind, s.open.id(), s.open.line, s.open.offset})
	s.open, s.stray = nil, false
}

func (s *scanner) damage(kind Kind, l line, at int) {
	s.report(&Damage{Kind: kind, Line: l.number, Offset: l.offset + int64(at)})
}

func (s *scanner) report(d *Damage) {
	s.done = s.done || !s.yield(Record{}, d)
}

func (s *scanner) record(r Record) {
	s.layout, s.stray = r.Layout, false
	s.done = s.done || !s.yield(r, nil)
}

func blank(text []byte) bool { return len(trimRight(text)) == 0 }

// trimRight cuts the blanks off that a text ends with.
func trimRight(text []byte) []byte {
	for n := len(text); n > 0; n-- {
		if c := text[n-1]; c != ' ' && (c < '\t' || c > '\r') {
			return text[:n]
		}
	}
	return nil
}
