package os400

import (
	"path"

	"github.com/mqhk/mqhk/core/wal/disk"
)

// aspDisk is the disk as programs see it: what does not fit in the ASP is an
// error that wraps syscall.ENOSPC, and nothing was written. The system's own
// files (state, message queues) come out of its reserve: a full ASP must not
// keep a person from being told, nor from making room.
type aspDisk struct {
	*asp
	reserve bool
}

func (d aspDisk) Create(name string) (disk.File, error) {
	d.know(path.Dir(name))
	return d.file(name, d.disk.Create)
}

func (d aspDisk) Open(name string) (disk.File, error) { return d.disk.Open(name) }

func (d aspDisk) OpenWrite(name string) (disk.File, error) { return d.file(name, d.disk.OpenWrite) }

func (d aspDisk) file(name string, open func(string) (disk.File, error)) (disk.File, error) {
	f, err := open(name)
	if err != nil {
		return nil, err
	}
	return &aspFile{File: f, disk: d, name: name}, nil
}

// Rename frees what the file took that had the name.
func (d aspDisk) Rename(from, to string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	before := d.used
	d.give(to)
	err := d.disk.Rename(from, to)
	if err != nil {
		d.used = before
	}
	return err
}

// Remove frees what the file took.
func (d aspDisk) Remove(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	before := d.used
	d.give(name)
	err := d.disk.Remove(name)
	if err != nil {
		d.used = before
	}
	return err
}

func (d aspDisk) List(dir string) ([]string, error) { return d.disk.List(dir) }

func (d aspDisk) MkdirAll(dir string) error {
	d.know(path.Clean(dir))
	return d.disk.MkdirAll(dir)
}

func (d aspDisk) SyncDir(dir string) error { return d.disk.SyncDir(dir) }

// aspFile is an open file whose growth is counted.
type aspFile struct {
	disk.File
	disk aspDisk
	name string
}

// WriteAt refuses what would need more than is free. Only one write at a time
// makes files longer; others don't wait.
func (f *aspFile) WriteAt(b []byte, off int64) (int, error) {
	if !f.disk.limited() {
		return f.File.WriteAt(b, off)
	}
	size, err := f.Size()
	if err != nil {
		return 0, err
	}
	if off+int64(len(b)) <= size {
		return f.File.WriteAt(b, off)
	}
	return f.extend(b, off)
}

func (f *aspFile) extend(b []byte, off int64) (int, error) {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	size, err := f.Size()
	if err != nil {
		return 0, err
	}
	more := off + int64(len(b)) - size
	if err := f.disk.take(f.name, more, f.disk.reserve); err != nil {
		return 0, err
	}
	n, err := f.File.WriteAt(b, off)
	if err != nil {
		f.disk.counted = false // how much of it is there is not known
	}
	return n, err
}

// Truncate counts what it adds or frees.
func (f *aspFile) Truncate(to int64) error {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	size, err := f.Size()
	if err != nil {
		return err
	}
	if err := f.disk.take(f.name, to-size, f.disk.reserve); err != nil {
		return err
	}
	if err := f.File.Truncate(to); err != nil || to > size {
		f.disk.counted = f.disk.counted && err == nil
		return err
	}
	f.disk.used -= size - to
	return nil
}

func (a *asp) limited() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.capacity != 0
}
