package disk

import (
	"errors"
	"io"
)

// ErrNotRegular is what opening answers for a folder, a pipe, a socket or a
// device, and opening to write for a link: nothing but a regular file holds what
// has to survive, and what a link leads to is somebody else's.
var ErrNotRegular = errors.New("it is not a regular file")

// FS is a tree of files. Names are slash-separated and relative to its root,
// such as "active/S0000000.LOG". Its methods may be called from several
// goroutines. Errors wrap fs.ErrNotExist, fs.ErrExist and syscall.ENOSPC
// where they apply.
type FS interface {
	// Create makes an empty file for reading and writing. A file that is
	// there already is an error.
	Create(name string) (File, error)
	// Open opens a file for reading alone. What is not one is an error that
	// wraps [ErrNotRegular], at once.
	Open(name string) (File, error)
	// OpenWrite opens a file that is there for reading and writing. It follows
	// no link.
	OpenWrite(name string) (File, error)
	// Rename gives a file another name; one that had that name is gone.
	Rename(from, to string) error
	// Remove takes a name away.
	Remove(name string) error
	// List gives the names in a folder, without the folder, sorted.
	List(dir string) ([]string, error)
	// MkdirAll makes a folder and those above it, durably: what is in it is
	// not lost for want of the folder.
	MkdirAll(dir string) error
	// SyncDir makes the names in a folder durable.
	SyncDir(dir string) error
}

// File is an open file. ReadAt, WriteAt and Sync may run at the same time.
// A ReadAt beyond the end gives io.EOF; a WriteAt beyond it fills the gap
// with zeros. A WriteAt that writes less than it was given says why.
type File interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	// Size gives the file's length in bytes.
	Size() (int64, error)
	// Truncate sets the length, adding zeros or dropping the rest.
	Truncate(size int64) error
	// Sync makes what was written durable, with as much about the file as is
	// needed to read it back.
	Sync() error
}
