package wal

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"

	"github.com/mqhk/mqhk/core/wal/disk"
)

// A segment file begins with two pages: its header is in the first sector of
// the first, its note in the first sector of the second. Records follow. No
// write of a record touches a page that the log can't do without.
const (
	noteAt  = 4096
	firstAt = 8192 // the offset of the first record
)

const (
	headerMagic = "mqhk wal"
	version     = 1
)

// header is what a segment says of itself.
type header struct {
	ID       ID
	Start    LSN    // of its first record
	Size     int64  // bytes for records that were filled with zeros ahead
	Grow     int64  // bytes by which it grows when they are full; 0: it does not
	Sequence uint64 // 0 is the log's first segment
	Link     uint32 // checksum of the header before it
	Sum      uint32 // of this one
}

// The states of a header sector that holds no header.
var (
	errBlank = errors.New("the header was never written")
	errTorn  = errors.New("the header was never written whole")
)

// shortError: a file ends before the bytes that were filled with zeros ahead.
type shortError struct{ size, want int64 }

func (e *shortError) Error() string {
	return fmt.Sprintf("the file ends at byte %d of %d", e.size, e.want)
}

func (h *header) encode() []byte {
	b := make([]byte, sector)
	copy(b, headerMagic)
	little.PutUint32(b[8:], version)
	copy(b[16:], h.ID[:])
	little.PutUint64(b[32:], uint64(h.Start))
	little.PutUint64(b[40:], uint64(h.Size))
	little.PutUint64(b[48:], uint64(h.Grow))
	little.PutUint64(b[56:], h.Sequence)
	little.PutUint32(b[64:], h.Link)
	b[sector-1] = mark
	h.Sum = crc32.Checksum(b, castagnoli)
	little.PutUint32(b[12:], h.Sum)
	return b
}

// decodeHeader reads a header sector. Its last byte is never zero, so a sector
// that ends in zero was not written whole: errBlank or errTorn. Any other error
// is damage.
func decodeHeader(b []byte) (header, error) {
	switch {
	case bytes.Equal(b, zeros[:sector]):
		return header{}, errBlank
	case b[sector-1] == 0:
		return header{}, errTorn
	case string(b[:8]) != headerMagic:
		return header{}, errors.New("this is no segment of a log")
	}
	bare := bytes.Clone(b)
	clear(bare[12:16])
	sum := little.Uint32(b[12:])
	if crc32.Checksum(bare, castagnoli) != sum {
		return header{}, errors.New("the checksum of the header is wrong")
	}
	if v := little.Uint32(b[8:]); v != version {
		return header{}, fmt.Errorf("the segment has format %d; this program reads %d", v, version)
	}
	h := header{
		ID: ID(b[16:32]), Start: LSN(little.Uint64(b[32:])),
		Size: int64(little.Uint64(b[40:])), Grow: int64(little.Uint64(b[48:])),
		Sequence: little.Uint64(b[56:]), Link: little.Uint32(b[64:]), Sum: sum,
	}
	const most = 1 << 60 // no sum of positions and lengths overflows
	if h.Start == 0 || h.Start%Align != 0 || h.Start > most || uint64(h.Size) > most || uint64(h.Grow) > MaxGrow {
		return header{}, errors.New("the header makes no sense")
	}
	return h, nil
}

// readHeader reads the header of an open segment file, and its length. Bytes
// that the file does not have count as zeros.
func readHeader(f Source) (header, int64, error) {
	size, err := f.Size()
	if err != nil {
		return header{}, 0, fmt.Errorf("asking for its length: %w", err)
	}
	b := make([]byte, sector)
	if err := readPadded(f, b, 0); err != nil {
		return header{}, size, fmt.Errorf("reading its header: %w", err)
	}
	h, err := decodeHeader(b)
	if err == nil && size-firstAt < h.Size {
		err = &shortError{size, h.Size + firstAt}
	}
	return h, size, err
}

// offset gives where in the file a position lies.
func (h *header) offset(l LSN) int64 { return firstAt + int64(l-h.Start) }

// lsn gives the position of an offset of the file.
func (h *header) lsn(off int64) LSN { return h.Start + LSN(off-firstAt) }

// writeHeader makes a prepared file a segment of the log, durably.
func writeHeader(f disk.File, h *header) error {
	if _, err := f.WriteAt(h.encode(), 0); err != nil {
		return fmt.Errorf("writing its header: %w", err)
	}
	if err := f.Sync(); err != nil {
		return fmt.Errorf("forcing its header to disk: %w", err)
	}
	return nil
}
