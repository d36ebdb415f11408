package os400

import (
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"
	"sync"
	"syscall"

	"github.com/mqhk/mqhk/core/wal/disk"
)

// asp is the system ASP: all files below the root, and how many bytes they may
// have together.
type asp struct {
	disk disk.FS

	mu       sync.Mutex
	capacity int64 // 0: without a limit
	used     int64
	counted  bool // used is right
	folders  map[string]bool
	exempt   int // how many do something that no limit may stop
}

func newASP(d disk.FS, capacity int64) *asp {
	return &asp{disk: d, capacity: capacity, folders: map[string]bool{".": true}}
}

// limit sets the capacity and counts anew at the next need.
func (a *asp) limit(bytes int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.capacity, a.counted = bytes, false
}

// Unlimited does something for which the ASP has no limit: what a simulator
// writes for its own sake. The limit itself stays, whatever becomes of the
// process meanwhile.
func (s *System) Unlimited(do func() error) error {
	s.asp.lift(1)
	defer s.asp.lift(-1)
	return do()
}

func (a *asp) lift(by int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.exempt += by
}

// storage counts what is used.
func (a *asp) storage() Storage {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.counted = false
	a.count()
	return Storage{Total: a.capacity, Used: a.used, Free: max(0, a.capacity-a.used)}
}

// know adds a folder to those that are counted: not every disk lists folders.
func (a *asp) know(folder string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for ; !a.folders[folder]; folder = path.Dir(folder) {
		a.folders[folder] = true
		a.counted = false
	}
}

// count adds up the sizes of all files, once.
func (a *asp) count() {
	if a.counted {
		return
	}
	a.used, a.counted = 0, true
	seen := map[string]bool{}
	for _, folder := range slices.Sorted(maps.Keys(a.folders)) {
		a.countFolder(folder, seen)
	}
}

func (a *asp) countFolder(folder string, seen map[string]bool) {
	if seen[folder] {
		return
	}
	seen[folder] = true
	names, err := a.disk.List(folder)
	if err != nil {
		return // it is not there yet
	}
	for _, name := range names {
		name = path.Join(folder, name)
		if below, err := a.disk.List(name); err == nil && len(below) > 0 {
			a.countFolder(name, seen)
			continue
		}
		a.used += a.size(name)
	}
}

// size gives the length of a file; of one that is not there zero.
func (a *asp) size(name string) int64 {
	f, err := a.disk.Open(name)
	if err != nil {
		return 0
	}
	size, err := f.Size()
	if err := errors.Join(err, f.Close()); err != nil {
		return 0
	}
	return size
}

// take reserves bytes, or says that there are not so many.
func (a *asp) take(name string, bytes int64, reserve bool) error {
	if a.capacity == 0 || bytes <= 0 {
		return nil
	}
	a.count()
	if !reserve && a.exempt == 0 && a.used+bytes > a.capacity {
		return &fs.PathError{Op: "write", Path: name, Err: syscall.ENOSPC}
	}
	a.used += bytes
	return nil
}

// room says whether so many bytes are free.
func (a *asp) room(name string, bytes int64) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.capacity == 0 || bytes <= 0 {
		return nil
	}
	if a.count(); a.exempt == 0 && a.used+bytes > a.capacity {
		return &fs.PathError{Op: "write", Path: name, Err: syscall.ENOSPC}
	}
	return nil
}

// give frees what a file takes, before it goes.
func (a *asp) give(name string) {
	if a.capacity != 0 && a.counted {
		a.used -= a.size(name)
	}
}
