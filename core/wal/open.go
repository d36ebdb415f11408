package wal

import (
	"errors"
	"fmt"
	"io"

	"github.com/mqhk/mqhk/core/wal/disk"
)

// Open reads a log to its end and goes on writing it. An owner who wants the
// records too, as a restart does, reads them with a [Reader] and calls
// [Resume].
func Open(d disk.FS, chain []Segment, how ReadOptions, opts Options) (*Writer, Tail, error) {
	r, err := NewReader(From(d), chain, how)
	if err != nil {
		return nil, Tail{}, err
	}
	for err == nil {
		_, err = r.Next()
	}
	if !errors.Is(err, io.EOF) {
		return nil, Tail{}, err
	}
	tail, ended := r.Tail()
	if !ended {
		return nil, Tail{}, fmt.Errorf("opening a log: reading was to stop at %s, so its end is not known", how.Until)
	}
	w, err := Resume(d, tail, opts)
	return w, tail, err
}

// Resume goes on writing a log whose end a [Reader] has found. A torn tail is
// erased first; every record that the reader gave is durable when Resume
// returns. A crash meanwhile leaves a log that ends at the same place.
func Resume(d disk.FS, t Tail, opts Options) (*Writer, error) {
	f, err := d.OpenWrite(t.Segment)
	if err != nil {
		return nil, fmt.Errorf("going on in log segment %s: %w", t.Segment, err)
	}
	size, err := mend(f, t)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("going on in log segment %s: %w", t.Segment, err), f.Close())
	}
	s := &segment{name: t.Segment, file: f, head: t.head, room: t.head.Size}
	if t.head.Grow > 0 {
		s.room = max(s.room, size-firstAt)
	}
	return newWriter(d, s, t.LSN, opts), nil
}

// mend makes the file durable up to the tail, and zero behind it. It gives the
// file's length.
//
// The torn record is noted before it is erased: half erased it would look like
// damage.
func mend(f disk.File, t Tail) (int64, error) {
	h, size, err := readHeader(f)
	if err == nil && h != t.head {
		err = errors.New("it is not the segment that was read")
	}
	if err != nil {
		return 0, err
	}
	if t.Torn {
		torn := note{Kind: noteTorn, Value: uint64(t.LSN), End: uint64(t.Offset + t.Dropped), Owner: h.Sum}
		if err := writeNote(f, torn); err != nil {
			return 0, err
		}
		if err := writeZeros(f, t.Offset, t.Offset+t.Dropped); err != nil {
			return 0, err
		}
	}
	if err := rewrite(f, 0, firstAt); err != nil {
		return 0, err
	}
	if err := rewrite(f, h.offset(max(t.durable, h.Start)), t.Offset); err != nil {
		return 0, err
	}
	if err := f.Sync(); err != nil {
		return 0, err
	}
	if t.Torn {
		err = erase(f, noteAt, sector)
	}
	return size, err
}

// rewrite writes a range as it is. It may never have reached the disk: after an
// fsync that failed Linux calls the pages clean, so one that succeeds proves
// nothing until they are written again.
func rewrite(f disk.File, from, to int64) error {
	b := make([]byte, min(window, to-from))
	for from < to {
		part := b[:min(int64(len(b)), to-from)]
		if _, err := f.ReadAt(part, from); err != nil {
			return fmt.Errorf("reading at byte %d: %w", from, err)
		}
		if _, err := f.WriteAt(part, from); err != nil {
			return fmt.Errorf("writing again at byte %d: %w", from, err)
		}
		from += int64(len(part))
	}
	return nil
}
