package wal

import (
	"bytes"
	"fmt"
	"io"
)

// Tail is the end of a log as a [Reader] found it.
type Tail struct {
	Segment string // in which the log ends
	Offset  int64  // in the segment's file, in bytes: where the next record goes
	LSN     LSN    // of the next record
	// Torn: bytes follow that a crash left of records which nobody was told
	// are durable. Dropped is how many, up to the last that is not zero, or
	// that was not when an earlier [Resume] began to erase them.
	Torn    bool
	Dropped int64
	// Unbegun is the last segment of the list when a crash kept it from being
	// begun; it may be there as a file or not. It can be given to
	// [Writer.Rotate] again.
	Unbegun string

	head    header
	durable LSN // what is known to have been forced; at most LSN
}

// finish decides how the log ends: whole, torn, or in damage. The place is
// where the last segment has no valid record.
func (r *Reader) finish(here Damage) error {
	known := max(r.opts.Durable, r.opts.Until)
	switch {
	case here.LSN < known:
		here.Why = fmt.Sprintf("no valid record, and the log is known to have been durable up to %s", known)
		return &here
	case here.LSN == r.from && here.LSN != known:
		here.Why = "the record that was asked for is not there"
		return &here
	}
	rest, err := survey(r.scan, here.Offset)
	if err != nil {
		here.Why, here.Err = "it can't be read", err
		return &here
	}
	if rest.why != "" {
		here.Why = rest.why
		return &here
	}
	r.tail = Tail{
		Segment: here.Segment, Offset: here.Offset, LSN: here.LSN,
		Torn: rest.end > here.Offset, Dropped: max(0, rest.end-here.Offset), Unbegun: r.unbegun,
		head: r.scan.head, durable: min(r.durable, here.LSN),
	}
	return io.EOF
}

// remains is what stands in a segment from the first invalid record on.
type remains struct {
	end int64  // offset behind the last byte that is not zero
	why string // why it is damage; empty: it may be what a crash left
}

// survey looks at everything behind the last valid record. The rules and
// their order are those of the package comment, "Torn or damaged".
func survey(s *scanner, off int64) (remains, error) {
	var found remains
	at := s.head.lsn(off)
	b := s.pool.get()
	defer s.pool.put(b)
	for from := off; from < s.limit; from += window {
		chunk := b[:min(window, s.limit-from)]
		if err := readPadded(s.src, chunk, from); err != nil {
			return found, err
		}
		n := lastNonzero(chunk)
		if n == 0 {
			continue
		}
		found.end = from + int64(n)
		if later, durable := s.laterForce(chunk[:n], from, at); later != 0 {
			found.why = fmt.Sprintf("no valid record, but the record at %s was written after the log was durable up to %s", later, durable)
			return found, nil
		}
	}
	erasing, err := readNote(s.src)
	if err != nil {
		return found, err
	}
	if erasing.Kind == noteTorn && erasing.Value == uint64(at) && erasing.Owner == s.head.Sum {
		// What was seen to be erased need not be erased on the disk.
		found.end = max(found.end, min(int64(erasing.End), s.limit))
		return found, nil
	}
	if found.end == 0 {
		return found, nil
	}
	whole, err := s.whole(off)
	if whole {
		found.why = "the record was written whole and is not what was written"
	}
	return found, err
}

// lastNonzero gives how many bytes there are up to the last that is not zero.
func lastNonzero(b []byte) int {
	for len(b) > 0 && len(b) <= len(zeros) && !bytes.Equal(b, zeros[:len(b)]) {
		half := (len(b) + 1) / 2
		if len(b) == 1 {
			return 1
		}
		if n := lastNonzero(b[half:]); n > 0 {
			return half + n
		}
		b = b[:half]
	}
	return 0
}

// laterForce looks for the header of a record that was written when the log
// was durable beyond a position, and gives its own position. A header is
// enough: its checksum holds its place and its log.
func (s *scanner) laterForce(chunk []byte, from int64, at LSN) (later, durable LSN) {
	for i := 0; i+headBytes <= len(chunk); i += Align {
		head := chunk[i : i+headBytes]
		if head[atMark] != mark {
			continue
		}
		l := s.head.lsn(from + int64(i))
		if d := durableBefore(head, l); d > at && headValid(head, s.seeds.at(l)) {
			return l, d
		}
	}
	return 0, 0
}

// whole tells whether every sector of the record at an offset was written: if
// so no crash made it what it is. In each sector the record's last byte there,
// a mark, or one behind it is not zero. Of a record whose header is not valid
// the header alone is asked about.
func (s *scanner) whole(off int64) (bool, error) {
	head := make([]byte, headBytes)
	if err := readPadded(s.src, head, off); err != nil {
		return false, err
	}
	end := off + headBytes
	if headValid(head, s.seeds.at(s.head.lsn(off))) {
		end = off + recordBytes(off, int(little.Uint32(head[atLength:])))
	}
	b := make([]byte, sector)
	for from := off / sector * sector; from < end; from += sector {
		if err := readPadded(s.src, b, from); err != nil {
			return false, err
		}
		last := min(end-from, sector) - 1
		if bytes.Equal(b[last:], zeros[:sector-last]) {
			return false, nil
		}
	}
	return true, nil
}
