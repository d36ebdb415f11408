package quota

import (
	"path"

	"github.com/mqhk/mqhk/core/wal/disk"
)

var _ disk.FS = (*Disk)(nil)

// Create makes an empty file.
func (d *Disk) Create(name string) (disk.File, error) {
	d.know(path.Dir(name))
	return d.file(name, d.disk.Create)
}

// Open opens a file for reading.
func (d *Disk) Open(name string) (disk.File, error) { return d.disk.Open(name) }

// OpenWrite opens a file for reading and writing.
func (d *Disk) OpenWrite(name string) (disk.File, error) { return d.file(name, d.disk.OpenWrite) }

func (d *Disk) file(name string, open func(string) (disk.File, error)) (disk.File, error) {
	f, err := open(name)
	if err != nil || !d.holds(name) {
		return f, err
	}
	return &file{File: f, disk: d, name: name}, nil
}

// Rename gives a file another name. What the file took that had it is free.
func (d *Disk) Rename(from, to string) error {
	d.know(path.Dir(to))
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.holds(from) != d.holds(to) || d.counted && d.fileSize(to) > 0 {
		d.counted = false
	}
	return d.disk.Rename(from, to)
}

// Remove takes a name away, and what it took is free.
func (d *Disk) Remove(name string) error {
	if !d.holds(name) {
		return d.disk.Remove(name)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	freed := d.fileSize(name)
	if err := d.disk.Remove(name); err != nil {
		return err
	}
	d.used -= freed
	return nil
}

// List gives the names in a folder.
func (d *Disk) List(dir string) ([]string, error) { return d.disk.List(dir) }

// MkdirAll makes a folder.
func (d *Disk) MkdirAll(dir string) error {
	d.know(dir)
	return d.disk.MkdirAll(dir)
}

// SyncDir makes the names in a folder durable.
func (d *Disk) SyncDir(dir string) error { return d.disk.SyncDir(dir) }

// file is an open file whose growth is counted.
type file struct {
	disk.File
	disk *Disk
	name string
}

// WriteAt refuses what would need more than is free. Only one write at a time
// makes files longer; others don't wait.
func (f *file) WriteAt(b []byte, off int64) (int, error) {
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

func (f *file) extend(b []byte, off int64) (int, error) {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	size, err := f.Size()
	if err != nil {
		return 0, err
	}
	if err := f.disk.take(f.name, off+int64(len(b))-size); err != nil {
		return 0, err
	}
	n, err := f.File.WriteAt(b, off)
	if err != nil {
		f.disk.counted = false // how much of it is there is not known
	}
	return n, err
}

// Truncate counts what it adds or frees.
func (f *file) Truncate(to int64) error {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	size, err := f.Size()
	if err != nil {
		return err
	}
	if err := f.disk.take(f.name, to-size); err != nil {
		return err
	}
	err = f.File.Truncate(to)
	if err != nil || to < size {
		f.disk.counted = false
	}
	return err
}
