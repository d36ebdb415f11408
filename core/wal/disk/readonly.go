package disk

import (
	"errors"
	"io/fs"
)

// ErrReadOnly is what a tree of [ReadOnly] says to everything that would
// change it.
var ErrReadOnly = errors.New("it is only looked at: nothing can be changed")

// ReadOnly gives a tree that can only be read.
func ReadOnly(d FS) FS { return readOnly{d} }

type readOnly struct{ FS }

func refuse(op, name string) error { return &fs.PathError{Op: op, Path: name, Err: ErrReadOnly} }

func (readOnly) Create(name string) (File, error)    { return nil, refuse("create", name) }
func (readOnly) OpenWrite(name string) (File, error) { return nil, refuse("open for writing", name) }
func (readOnly) Rename(from, _ string) error         { return refuse("rename", from) }
func (readOnly) Remove(name string) error            { return refuse("remove", name) }
func (readOnly) MkdirAll(dir string) error           { return refuse("make folder", dir) }
func (readOnly) SyncDir(dir string) error            { return refuse("sync folder", dir) }

// Open gives the file without the methods that write.
func (r readOnly) Open(name string) (File, error) {
	f, err := r.FS.Open(name)
	if err != nil {
		return nil, err
	}
	return readOnlyFile{f, name}, nil
}

type readOnlyFile struct {
	File
	name string
}

func (f readOnlyFile) WriteAt([]byte, int64) (int, error) { return 0, refuse("write", f.name) }
func (f readOnlyFile) Truncate(int64) error               { return refuse("truncate", f.name) }
func (f readOnlyFile) Sync() error                        { return refuse("sync", f.name) }
