package wal

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// ErrOccupied says that a file is not the log's to write: it is neither prepared
// nor what a crash left of a preparation, nor a segment of this log.
var ErrOccupied = errors.New("the file is not one of this log")

// Vacant asserts that a file which is there may be made the segment of a layout
// in a log: it is prepared, or empty as far as a preparation came, or, where the
// layout allows reuse, a segment of that log. A segment without that is an error
// that wraps fs.ErrExist, anything that this log has not written [ErrOccupied]. For
// an owner whose folder is open to others: [Prepare] itself takes what it finds.
func Vacant(open Opener, l Layout, id ID) error {
	if err := vacant(open, l, id); err != nil {
		return fmt.Errorf("file %s: %w", l.Name, err)
	}
	return nil
}

func vacant(open Opener, l Layout, id ID) error {
	f, err := open(l.Name)
	if errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrOccupied, err)
	}
	defer f.Close()
	size, err := f.Size()
	if err != nil {
		return err
	}
	b := make([]byte, sector)
	if err := readPadded(f, b, 0); err != nil {
		return err
	}
	want := firstAt + l.Size
	h, err := decodeHeader(b)
	switch {
	case err == nil && h.ID != id:
		return fmt.Errorf("%w: it is a segment of log %s", ErrOccupied, h.ID)
	case err == nil && !l.Reuse:
		return fmt.Errorf("%w: it is a segment already: %w", ErrOccupied, fs.ErrExist)
	case err == nil, size == want && errors.Is(err, errBlank):
		return nil
	case size < want && errors.Is(err, errBlank):
		return blank(f, size)
	case size == want && (errors.Is(err, errTorn) || l.Reuse) && isOurs(b):
		return nil // half a header, or one that was damaged since
	}
	return fmt.Errorf("%w: it has %d bytes, a prepared one has %d and no header", ErrOccupied, size, want)
}

// isOurs tells whether a header begins as every one does, as far as it was
// written.
func isOurs(b []byte) bool {
	for i := range len(headerMagic) {
		if b[i] != 0 && b[i] != headerMagic[i] {
			return false
		}
	}
	return true
}

// blank asserts that a file has nothing but zeros: a crash came while it was
// filled.
func blank(f Source, size int64) error {
	piece := make([]byte, min(size, int64(len(zeros))))
	for at := int64(0); at < size; at += int64(len(piece)) {
		piece = piece[:min(int64(len(piece)), size-at)]
		if _, err := f.ReadAt(piece, at); err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		for _, c := range piece {
			if c != 0 {
				return fmt.Errorf("%w: it has %d bytes, and not only zeros", ErrOccupied, size)
			}
		}
	}
	return nil
}
