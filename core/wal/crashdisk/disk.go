package crashdisk

import (
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/mqhk/mqhk/core/wal/disk"
)

// ErrCrashed is what a file answers that was open when the process died.
var ErrCrashed = errors.New("the file was open when the process died")

// Disk is the disk. The zero value is not usable; see [New].
type Disk struct {
	mu    sync.Mutex
	names map[string]*node // as a program sees them
	safe  map[string]*node // as a crash leaves them
	ops   []nameOp         // what was done to names since, in order
	clock int              // numbers everything that is not durable, in order
	life  int              // files of an earlier life are dead
	limit int64
	fault func(Op) error
}

// nameOp gives a name to a node, and takes one away; either may be empty.
type nameOp struct {
	clock    int
	from, to string
	node     *node
}

func (op nameOp) in(dir string) bool {
	return op.from != "" && path.Dir(op.from) == dir || op.to != "" && path.Dir(op.to) == dir
}

func (op nameOp) apply(names map[string]*node) {
	if op.from != "" {
		delete(names, op.from)
	}
	if op.to != "" {
		names[op.to] = op.node
	}
}

// New gives an empty disk.
func New() *Disk {
	return &Disk{names: map[string]*node{}, safe: map[string]*node{}}
}

// Limit sets how many bytes all files together may have; zero: no limit. A
// write beyond it stops there with syscall.ENOSPC.
func (d *Disk) Limit(bytes int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.limit = bytes
}

// Create makes an empty file.
func (d *Disk) Create(name string) (disk.File, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.ask(Op{Kind: Create, Name: name}); err != nil {
		return nil, &fs.PathError{Op: "create", Path: name, Err: err}
	}
	if d.names[name] != nil {
		return nil, &fs.PathError{Op: "create", Path: name, Err: fs.ErrExist}
	}
	n := &node{}
	d.rename(nameOp{to: name, node: n})
	return &file{disk: d, life: d.life, name: name, node: n, write: true}, nil
}

// Open opens a file for reading.
func (d *Disk) Open(name string) (disk.File, error) { return d.open(name, false) }

// OpenWrite opens a file for reading and writing.
func (d *Disk) OpenWrite(name string) (disk.File, error) { return d.open(name, true) }

func (d *Disk) open(name string, write bool) (disk.File, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.ask(Op{Kind: Open, Name: name}); err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	n := d.names[name]
	if n == nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &file{disk: d, life: d.life, name: name, node: n, write: write}, nil
}

// Rename gives a file another name.
func (d *Disk) Rename(from, to string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.ask(Op{Kind: Rename, Name: from}); err != nil {
		return &fs.PathError{Op: "rename", Path: from, Err: err}
	}
	n := d.names[from]
	if n == nil {
		return &fs.PathError{Op: "rename", Path: from, Err: fs.ErrNotExist}
	}
	d.rename(nameOp{from: from, to: to, node: n})
	return nil
}

// Remove takes a name away.
func (d *Disk) Remove(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.ask(Op{Kind: Remove, Name: name}); err != nil {
		return &fs.PathError{Op: "remove", Path: name, Err: err}
	}
	if d.names[name] == nil {
		return &fs.PathError{Op: "remove", Path: name, Err: fs.ErrNotExist}
	}
	d.rename(nameOp{from: name})
	return nil
}

// List gives the names in a folder.
func (d *Disk) List(dir string) ([]string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	var names []string
	for name := range d.names {
		if path.Dir(name) == path.Clean(dir) {
			names = append(names, path.Base(name))
		}
	}
	slices.SortFunc(names, strings.Compare)
	return names, nil
}

// MkdirAll does nothing: every folder is there.
func (d *Disk) MkdirAll(string) error { return nil }

// SyncDir makes the names in a folder durable.
func (d *Disk) SyncDir(dir string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch err := d.ask(Op{Kind: SyncDir, Name: dir}); {
	case errors.Is(err, ErrNotDone):
		return nil
	case err != nil:
		return &fs.PathError{Op: "sync", Path: dir, Err: err}
	}
	d.ops = slices.DeleteFunc(d.ops, func(op nameOp) bool {
		if op.in(path.Clean(dir)) {
			op.apply(d.safe)
			return true
		}
		return false
	})
	return nil
}

// rename does a name operation and remembers it as not durable.
func (d *Disk) rename(op nameOp) {
	op.clock = d.tick()
	op.apply(d.names)
	d.ops = append(d.ops, op)
}

func (d *Disk) tick() int {
	d.clock++
	return d.clock
}

// used counts the bytes of all files.
func (d *Disk) used() int64 {
	var sum int64
	for n := range maps.Values(d.names) {
		sum += int64(len(n.now))
	}
	return sum
}

// ask lets the fault have its say.
func (d *Disk) ask(op Op) error {
	if d.fault == nil {
		return nil
	}
	return d.fault(op)
}
