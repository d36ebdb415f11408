package quota

import (
	"errors"
	"io/fs"
	"path"
	"strings"
	"sync"
	"syscall"

	"github.com/mqhk/mqhk/core/wal/disk"
)

// Disk is a disk of which a folder, with all below, is a file system of limited
// size.
type Disk struct {
	disk   disk.FS
	folder string
	apart  func(name string) bool // files that take nothing; nil: all take what they are long

	mu      sync.Mutex
	size    int64 // 0: without a limit
	used    int64
	counted bool            // used is right, unless somebody has removed files behind its back
	folders map[string]bool // below folder, as far as they are known: not every disk lists folders
}

// New makes a folder of a disk a file system of a size in bytes; zero: without
// a limit. What is in it already counts.
func New(d disk.FS, folder string, size int64) *Disk {
	folder = path.Clean(folder)
	return &Disk{disk: d, folder: folder, size: size, folders: map[string]bool{folder: true}}
}

// Except says which files take nothing of the file system: those that are only
// there because the system is simulated. Call it before the disk is used.
func (d *Disk) Except(apart func(name string) bool) { d.apart = apart }

// Resize sets the size. One that is less than what is used lets nothing grow.
func (d *Disk) Resize(size int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.size = size
}

// Size gives how many bytes the file system has; zero: it has no limit.
func (d *Disk) Size() int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.size
}

// Used gives how many bytes its files take.
func (d *Disk) Used() int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.count()
	return d.used
}

// Free gives how many bytes are left; zero where there is no limit too.
func (d *Disk) Free() int64 { return max(0, d.Size()-d.Used()) }

// Space gives size and use of the file system that a name is on. Limited says
// whether that is one of limited size.
func (d *Disk) Space(name string) (size, used int64, limited bool) {
	if d.holds(name) {
		if !d.limited() {
			return 0, 0, false
		}
		return d.Size(), d.Used(), true
	}
	if below, ok := d.disk.(interface {
		Space(string) (int64, int64, bool)
	}); ok {
		return below.Space(name)
	}
	return 0, 0, false
}

// Left gives how many bytes are left on the file system that a name is on, as
// far as it has counted: what a person has removed since is not seen. It is for
// who asks often; [Disk.Space] counts anew.
func (d *Disk) Left(name string) (bytes int64, limited bool) {
	if d.holds(name) {
		if !d.limited() {
			return 0, false
		}
		d.mu.Lock()
		defer d.mu.Unlock()
		if !d.counted {
			d.count()
		}
		return max(0, d.size-d.used), true
	}
	if below, ok := d.disk.(interface {
		Left(string) (int64, bool)
	}); ok {
		return below.Left(name)
	}
	return 0, false
}

// limited tells whether there is a limit. Where there is none nobody counts.
func (d *Disk) limited() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.counted = d.counted && d.size != 0
	return d.size != 0
}

// holds tells whether a name is on the file system.
func (d *Disk) holds(name string) bool {
	name = path.Clean(name)
	inside := d.folder == "." || name == d.folder || strings.HasPrefix(name, d.folder+"/")
	return inside && (d.apart == nil || !d.apart(name))
}

// know adds a folder, and those above it, to those that are counted.
func (d *Disk) know(folder string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for folder = path.Clean(folder); d.holds(folder) && !d.folders[folder]; folder = path.Dir(folder) {
		d.folders[folder] = true
		d.counted = false
	}
}

// count adds up the sizes of all files anew.
func (d *Disk) count() {
	d.used, d.counted = 0, true
	seen := map[string]bool{}
	for folder := range d.folders {
		d.countFolder(folder, seen)
	}
}

func (d *Disk) countFolder(folder string, seen map[string]bool) {
	if seen[folder] {
		return
	}
	seen[folder] = true
	names, err := d.disk.List(folder)
	if err != nil {
		return // it is not there yet
	}
	for _, name := range names {
		if name = path.Join(folder, name); !d.holds(name) {
			continue
		}
		d.used += d.fileSize(name)
		d.countFolder(name, seen) // a file has nothing below it
	}
}

// fileSize gives the length of a file; of one that is not there, or is a
// folder, zero.
func (d *Disk) fileSize(name string) int64 {
	f, err := d.disk.Open(name)
	if err != nil {
		return 0
	}
	size, err := f.Size()
	if err == nil && size > 0 {
		_, err = f.ReadAt(make([]byte, 1), 0) // which a folder does not bear
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return 0
	}
	return size
}

// take reserves bytes, or says that there are not so many. Files may have been
// removed by hand: before it refuses, it counts anew.
func (d *Disk) take(name string, bytes int64) error {
	if d.size == 0 || bytes <= 0 {
		return nil
	}
	if !d.counted || d.used+bytes > d.size {
		d.count()
	}
	if d.used+bytes > d.size {
		return &fs.PathError{Op: "write", Path: name, Err: syscall.ENOSPC}
	}
	d.used += bytes
	return nil
}
