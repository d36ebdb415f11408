package wal

import (
	"fmt"

	"github.com/mqhk/mqhk/core/wal/disk"
)

// segment is the one that a writer writes.
type segment struct {
	name string
	file disk.File
	head header
	room int64 // bytes for records that are filled with zeros
}

// begin makes a prepared file a segment. It follows the one with the header
// before; nil: it is the log's first.
func begin(f disk.File, l Layout, id ID, start LSN, before *header) (*segment, error) {
	s := &segment{name: l.Name, file: f, room: l.Size, head: header{ID: id, Start: start, Size: l.Size, Grow: l.Grow}}
	if before != nil {
		s.head.Sequence = before.Sequence + 1
		s.head.Link = before.Sum
	}
	if err := writeHeader(f, &s.head); err != nil {
		return nil, fmt.Errorf("beginning segment %s: %w", l.Name, err)
	}
	return s, nil
}

// place makes sure that a record with n bytes of payload fits at a position
// and gives its length. A segment that may grow does so here, before anything
// of the record is written: a full disk refuses the record and harms nothing.
func (s *segment) place(at LSN, n int) (int64, error) {
	if n > MaxPayload {
		return 0, fmt.Errorf("%w: %d bytes", ErrTooLong, n)
	}
	off := s.head.offset(at)
	size := recordBytes(off, n)
	missing := off - firstAt + size - s.room
	switch {
	case missing <= 0:
		return size, nil
	case s.head.Grow > 0:
		more := (missing + s.head.Grow - 1) / s.head.Grow * s.head.Grow
		if err := writeZeros(s.file, firstAt+s.room, firstAt+s.room+more); err != nil {
			return 0, fmt.Errorf("extending segment %s: %w", s.name, err)
		}
		s.room += more
		return size, nil
	case recordBytes(firstAt, n) > s.head.Size:
		return 0, fmt.Errorf("%w: %d bytes in a segment for %d", ErrTooLong, n, s.head.Size)
	default:
		return 0, fmt.Errorf("%w: %s has %d bytes left, the record needs %d", ErrFull, s.name, size-missing, size)
	}
}

// batch is a run of laid records that go to the disk together.
type batch struct {
	seg     *segment
	at      LSN
	records []byte
	durable LSN // what was durable when it was taken; 0: nothing is claimed
	force   bool
}

func (b *batch) end() LSN { return b.at + LSN(len(b.records)) }

// write seals the records, writes them with one call, and forces them to disk
// if that was asked for.
func (b *batch) write() error {
	base := b.seg.head.offset(b.at)
	seed := b.seg.head.ID.seeds()
	for done := 0; done < len(b.records); {
		rest := b.records[done:]
		at := b.at + LSN(done)
		size := int(recordBytes(base+int64(done), laidLength(rest)))
		seal(rest[:size], base+int64(done), backTo(at, b.durable), seed.at(at))
		done += size
	}
	if len(b.records) > 0 {
		if _, err := b.seg.file.WriteAt(b.records, base); err != nil {
			return fmt.Errorf("writing records to segment %s at byte %d: %w", b.seg.name, base, err)
		}
	}
	if b.force {
		if err := b.seg.file.Sync(); err != nil {
			return fmt.Errorf("forcing segment %s to disk: %w", b.seg.name, err)
		}
	}
	return nil
}
