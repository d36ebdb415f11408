package wal

import (
	"errors"
	"io"

	"github.com/mqhk/mqhk/core/wal/disk"
)

// Source is a segment that is read: a file, or whatever brings back an
// archived one.
type Source interface {
	io.ReaderAt
	io.Closer
	// Size gives the length in bytes.
	Size() (int64, error)
}

// Opener opens a segment by its name. It is the log's owner who opens, so it
// is the owner who knows which segments a restart needed. A segment that is
// not there is an error that wraps fs.ErrNotExist.
type Opener func(name string) (Source, error)

// From opens segments as files of a disk.
func From(d disk.FS) Opener {
	return func(name string) (Source, error) { return d.Open(name) }
}

// zeros is what files are filled and compared with. Nobody writes to it.
var zeros = make([]byte, 1<<20)

// readPadded fills b from an offset; what lies beyond the end of the file is
// zero, which is what an unwritten part of a segment holds.
func readPadded(f io.ReaderAt, b []byte, off int64) error {
	n, err := f.ReadAt(b, off)
	clear(b[n:])
	if errors.Is(err, io.EOF) || n == len(b) {
		return nil
	}
	return err
}
