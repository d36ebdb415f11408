package wal

import (
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/mqhk/mqhk/core/wal/disk"
)

// Layout is a segment as its owner wants it.
type Layout struct {
	// Name of its file on the disk.
	Name string
	// Size is the number of bytes for records that are filled with zeros
	// ahead, a multiple of 512; two pages more are the file's length. Filling
	// ahead makes a commit one write in one place, since the file's length
	// and its place on the disk don't change any more.
	Size int64
	// Grow is the number of bytes, a multiple of 512 and at most [MaxGrow], by
	// which the file is extended and filled when they are used up. Zero: a
	// full segment is full, [ErrFull].
	Grow int64
	// Reuse allows to overwrite a segment that has the name already. Without
	// it that is an error that wraps fs.ErrExist.
	Reuse bool
}

// MaxGrow is the most by which a segment grows at once, in bytes. It bounds
// what a header that is not ours can have written with one append.
const MaxGrow = 1 << 30

func (l Layout) check() error {
	switch {
	case l.Name == "":
		return errors.New("a segment needs a name")
	case l.Size < 0 || l.Size%sector != 0 || l.Grow < 0 || l.Grow%sector != 0:
		return fmt.Errorf("segment %s: size %d and growth %d must be multiples of %d", l.Name, l.Size, l.Grow, sector)
	case l.Grow > MaxGrow:
		return fmt.Errorf("segment %s: a growth of %d bytes is more than %d", l.Name, l.Grow, MaxGrow)
	case l.Size == 0 && l.Grow == 0:
		return fmt.Errorf("segment %s has no room for records", l.Name)
	}
	return nil
}

// Prepare makes a file ready to become a segment: filled with zeros and
// durable, its name too. [Writer.Rotate] does it when it was not done ahead,
// but then commits wait for it. A file that is prepared already stays as it
// is, one that never became a segment is made anew. A disk without room is an
// error that wraps syscall.ENOSPC and has no other consequence.
func Prepare(d disk.FS, l Layout) error {
	f, err := prepare(d, l)
	if err != nil {
		return err
	}
	return f.Close()
}

// prepare gives the prepared file, open, its header blank. A file that it
// made itself and could not finish it takes away again: a full disk is full
// enough.
func prepare(d disk.FS, l Layout) (disk.File, error) {
	if err := l.check(); err != nil {
		return nil, err
	}
	f, err := d.Create(l.Name)
	made := err == nil
	if errors.Is(err, fs.ErrExist) {
		f, err = d.OpenWrite(l.Name)
	}
	if err != nil {
		return nil, fmt.Errorf("making segment %s: %w", l.Name, err)
	}
	if err := format(f, l); err != nil {
		err = errors.Join(fmt.Errorf("preparing segment %s: %w", l.Name, err), f.Close())
		if made {
			err = errors.Join(err, d.Remove(l.Name))
		}
		return nil, err
	}
	if err := d.SyncDir(path.Dir(l.Name)); err != nil {
		return nil, errors.Join(fmt.Errorf("making the name of segment %s durable: %w", l.Name, err), f.Close())
	}
	return f, nil
}

// format brings a file to the prepared state from whatever state it is in.
func format(f disk.File, l Layout) error {
	size, err := f.Size()
	if err != nil {
		return err
	}
	head := make([]byte, sector)
	if err := readPadded(f, head, 0); err != nil {
		return fmt.Errorf("reading its header: %w", err)
	}
	want := firstAt + l.Size
	_, err = decodeHeader(head)
	switch {
	case errors.Is(err, errBlank), errors.Is(err, errTorn):
	case !l.Reuse:
		return fmt.Errorf("it is a segment already: %w", fs.ErrExist)
	default:
		// There are records in it. The note goes before the header, since a
		// note under a header that was never written is believed; the header
		// goes before the records, so that no crash leaves one over zeros.
		if err := erase(f, noteAt, sector); err != nil {
			return err
		}
		if err := erase(f, sector-1, 1); err != nil { // a byte can't be torn
			return err
		}
	}
	n, err := readNote(f)
	if err == nil && n.Kind == notePrepared && size == want && n.Value == uint64(want) {
		return nil
	}
	return fill(f, size, want)
}

// erase makes bytes of the first pages zero, durably.
func erase(f disk.File, at int64, n int) error {
	if _, err := f.WriteAt(zeros[:n], at); err != nil {
		return fmt.Errorf("erasing what it was: %w", err)
	}
	if err := f.Sync(); err != nil {
		return fmt.Errorf("erasing what it was: %w", err)
	}
	return nil
}

// fill makes the whole file zeros of the wanted length.
func fill(f disk.File, size, want int64) error {
	if size > want {
		if err := f.Truncate(want); err != nil {
			return err
		}
	}
	if err := writeZeros(f, 0, want); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	return writeNote(f, note{Kind: notePrepared, Value: uint64(want)})
}

// writeZeros fills the half-open range of offsets.
func writeZeros(f disk.File, from, to int64) error {
	for from < to {
		n := min(to-from, int64(len(zeros)))
		if _, err := f.WriteAt(zeros[:n], from); err != nil {
			return fmt.Errorf("filling it with zeros from byte %d: %w", from, err)
		}
		from += n
	}
	return nil
}
