package crashdisk

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"syscall"
)

// node is what is in a file.
type node struct {
	now     []byte // as a program sees it
	safe    []byte // as a crash leaves it
	changes []change
}

// change is a write or, without data, a new length.
type change struct {
	clock int
	off   int64
	data  []byte
}

func (c change) apply(b []byte) []byte {
	if c.data == nil {
		return resize(b, c.off)
	}
	if end := c.off + int64(len(c.data)); end > int64(len(b)) {
		b = resize(b, end)
	}
	copy(b[c.off:], c.data)
	return b
}

func resize(b []byte, n int64) []byte {
	if n <= int64(cap(b)) {
		have := int64(len(b))
		b = b[:n]
		if n > have {
			clear(b[have:])
		}
		return b
	}
	larger := make([]byte, n, n+n/4)
	copy(larger, b)
	return larger
}

func (n *node) change(c change) {
	n.now = c.apply(n.now)
	n.changes = append(n.changes, c)
}

// settle makes everything durable.
func (n *node) settle() {
	for _, c := range n.changes {
		n.safe = c.apply(n.safe)
	}
	n.changes = nil
}

type file struct {
	disk   *Disk
	life   int
	name   string
	node   *node
	write  bool
	closed bool
}

// enter locks the disk and looks whether the file may be used.
func (f *file) enter(op Op) error {
	f.disk.mu.Lock()
	op.Name = f.name
	switch {
	case f.life != f.disk.life:
		return f.failed(op, ErrCrashed)
	case f.closed:
		return f.failed(op, fs.ErrClosed)
	case !f.write && (op.Kind == Write || op.Kind == Truncate):
		return f.failed(op, fs.ErrPermission)
	}
	if err := f.disk.ask(op); err != nil {
		return f.failed(op, err)
	}
	return nil
}

func (f *file) failed(op Op, err error) error {
	return &fs.PathError{Op: string(op.Kind), Path: f.name, Err: err}
}

func (f *file) ReadAt(b []byte, off int64) (int, error) {
	err := f.enter(Op{Kind: Read, Offset: off, Bytes: len(b)})
	defer f.disk.mu.Unlock()
	if err != nil {
		return 0, err
	}
	n := 0
	if off < int64(len(f.node.now)) {
		n = copy(b, f.node.now[off:])
	}
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

func (f *file) WriteAt(b []byte, off int64) (int, error) {
	op := Op{Kind: Write, Offset: off, Bytes: len(b)}
	err := f.enter(op)
	defer f.disk.mu.Unlock()
	n := len(b)
	var short *Short
	switch {
	case errors.As(err, &short):
		n = min(n, short.Bytes)
	case err != nil:
		return 0, err
	}
	if room := f.room(off); int64(n) > room {
		n = int(room)
		err = f.failed(op, syscall.ENOSPC)
	}
	if n > 0 {
		f.node.change(change{clock: f.disk.tick(), off: off, data: bytes.Clone(b[:n])})
	}
	return n, err
}

// room gives how many bytes can be written at an offset.
func (f *file) room(off int64) int64 {
	if f.disk.limit == 0 {
		return 1<<63 - 1
	}
	within := int64(len(f.node.now)) - off
	return max(0, within, within+f.disk.limit-f.disk.used())
}

func (f *file) Truncate(size int64) error {
	err := f.enter(Op{Kind: Truncate, Offset: size})
	defer f.disk.mu.Unlock()
	if err != nil {
		return err
	}
	f.node.change(change{clock: f.disk.tick(), off: size})
	return nil
}

func (f *file) Sync() error {
	err := f.enter(Op{Kind: Sync})
	defer f.disk.mu.Unlock()
	switch {
	case errors.Is(err, ErrNotDone):
		return nil
	case errors.Is(err, ErrCrashed), errors.Is(err, fs.ErrClosed), errors.Is(err, ErrPower):
		return err
	case err != nil:
		f.node.changes = nil
		return err
	}
	f.node.settle()
	return nil
}

func (f *file) Size() (int64, error) {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	if f.life != f.disk.life {
		return 0, f.failed(Op{Kind: "size"}, ErrCrashed)
	}
	return int64(len(f.node.now)), nil
}

func (f *file) Close() error {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	if f.closed {
		return f.failed(Op{Kind: "close"}, fs.ErrClosed)
	}
	f.closed = true
	return nil
}
