package wal

import (
	"bytes"
	"fmt"
	"hash/crc32"

	"github.com/mqhk/mqhk/core/wal/disk"
)

// A note stands in a segment's second page while something is done to the
// file that a crash could leave half done.
type note struct {
	Kind  uint32
	Value uint64 // prepared: the file's length; torn: the LSN of the torn record
	End   uint64 // torn: the offset behind the last byte that is being erased
	Owner uint32 // torn: checksum of the segment's header
}

const (
	noteMagic = "mqhknote"

	// notePrepared: every byte from the first record on is zero.
	notePrepared = 1
	// noteTorn: whatever stands at and after the LSN was found torn and is
	// being erased.
	noteTorn = 2
)

func (n note) encode() []byte {
	b := make([]byte, sector)
	copy(b, noteMagic)
	little.PutUint32(b[8:], n.Kind)
	little.PutUint64(b[16:], n.Value)
	little.PutUint64(b[24:], n.End)
	little.PutUint32(b[32:], n.Owner)
	b[sector-1] = mark
	little.PutUint32(b[12:], crc32.Checksum(b, castagnoli))
	return b
}

// readNote reads a file's note. One that is not whole says nothing, and does
// not matter: a note is durable before anything relies on it.
func readNote(f Source) (note, error) {
	b := make([]byte, sector)
	if err := readPadded(f, b, noteAt); err != nil {
		return note{}, err
	}
	n := note{
		Kind: little.Uint32(b[8:]), Value: little.Uint64(b[16:]),
		End: little.Uint64(b[24:]), Owner: little.Uint32(b[32:]),
	}
	if !bytes.Equal(b, n.encode()) {
		return note{}, nil
	}
	return n, nil
}

// writeNote writes a note and makes it durable, with all that was written to
// the file before.
func writeNote(f disk.File, n note) error {
	if _, err := f.WriteAt(n.encode(), noteAt); err != nil {
		return fmt.Errorf("writing its note: %w", err)
	}
	if err := f.Sync(); err != nil {
		return fmt.Errorf("forcing its note to disk: %w", err)
	}
	return nil
}
