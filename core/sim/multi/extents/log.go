package extents

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"sync"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/wal"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// Log is the log of one queue manager. Its methods may be called from any
// number of goroutines.
type Log struct {
	disk disk.FS
	dir  string
	file *controlFile

	mu    sync.Mutex
	set   Settings
	c     control
	known bool // there was a checkpoint since Open: where the log stands is certain
	pass  Pass // since the last checkpoint
	begun int  // extents begun since the last checkpoint
	files files
	// demand is how many extents the restart needed before each of the last
	// checkpoints, newest first.
	demand []int
}

// Pass is what was done with files between two checkpoints (AMQ7490).
type Pass struct{ Created, Reused, Deleted int }

// Create makes the log of a new queue manager below a folder: the control file
// and all primary files. A log that is there already is an error that wraps
// fs.ErrExist.
func Create(d disk.FS, dir string, s Settings) (*Log, error) {
	set, err := s.normal()
	if err != nil {
		return nil, err
	}
	l := &Log{disk: d, dir: dir, set: set, file: &controlFile{disk: d, name: path.Join(dir, ControlName)}}
	l.c = control{kind: set.Kind, pages: set.FilePages, first: observe.ExtentNumber(set.First), began: set.Began}
	if _, err := rand.Read(l.c.id[:]); err != nil {
		return nil, fmt.Errorf("making a log in %s: %w", dir, err)
	}
	if _, _, err := openControl(d, dir); !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("making a log in %s: %w", dir, errors.Join(fs.ErrExist, err))
	}
	if err := d.MkdirAll(l.path("")); err != nil {
		return nil, fmt.Errorf("making a log in %s: %w", dir, err)
	}
	if err := l.allocate(); err != nil {
		return nil, fmt.Errorf("making a log in %s: %w", dir, err)
	}
	if err := l.save(); err != nil {
		return nil, fmt.Errorf("making a log in %s: %w", dir, err)
	}
	return l, nil
}

// allocate makes the primary files (chapter 7.1.1). What a failure leaves of
// them is taken away again.
func (l *Log) allocate() error {
	var made []string
	for i := range l.set.Primary {
		name := observe.ExtentName(l.c.first + i)
		if i > 0 && l.set.Kind == Linear && l.set.Management != Manual {
			name = reuseName(name)
		}
		err := l.vacant(name, false)
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			made = append(made, name)
			err = l.prepare(name, false)
		}
		if err != nil {
			for _, name := range made {
				if head, looked := l.head(name); looked == nil && head.Start == 0 {
					err = errors.Join(err, l.remove(name))
				}
			}
			return err
		}
	}
	l.pass.Created = len(made)
	return nil
}

// Open opens the log of a queue manager that was made before. It writes
// nothing. The error is a *[ControlError] where the control file can't be used.
func Open(d disk.FS, dir string, s Settings) (*Log, error) {
	file, c, err := openControl(d, dir)
	if err != nil {
		return nil, err
	}
	s.Kind, s.FilePages, s.First, s.Began = c.kind, c.pages, c.first, c.began
	set, err := s.normal()
	if err != nil {
		return nil, err
	}
	l := &Log{disk: d, dir: dir, file: file, set: set, c: *c}
	if err := l.identify(); err != nil {
		return nil, &ControlError{Name: file.name, Err: err}
	}
	// Without its folder it is the restart that misses an extent.
	if err := l.relist(); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return l, nil
}

// ID gives the log's own: it is drawn when the log is created.
func (l *Log) ID() wal.ID { return l.c.id }

// Settings gives what the log is: kind and size as it was created, counts and
// management as they are now.
func (l *Log) Settings() Settings { return l.set }

// Folder gives where on the disk the extents are: LOGPATH.
func (l *Log) Folder() string { return path.Join(l.dir, ActiveName) }

// path gives where on the disk an extent is.
func (l *Log) path(name string) string { return path.Join(l.dir, ActiveName, name) }

// save writes the control file.
func (l *Log) save() error { return l.file.write(l.c.encode()) }

// Segments lists the log, oldest first. The names are those on the disk.
func (l *Log) Segments() []wal.Segment {
	l.mu.Lock()
	defer l.mu.Unlock()
	list := make([]wal.Segment, 0, len(l.c.list))
	for _, e := range l.c.list {
		list = append(list, wal.Segment{Name: l.path(e.name()), Start: e.start})
	}
	return list
}

// Open opens an extent by its name on the disk.
func (l *Log) Open(name string) (wal.Source, error) { return l.disk.Open(name) }

// Next names the extent that follows, prepared and durably listed. An error
// that wraps [ErrFull] says that the restart needs all that there may be; one
// that wraps syscall.ENOSPC, that the file system has no room for another
// (AMQ6708). Neither has changed what the log holds.
func (l *Log) Next(ctx context.Context) (wal.Layout, error) {
	if err := ctx.Err(); err != nil {
		return wal.Layout{}, context.Cause(ctx)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if n := len(l.c.list); n > 0 && l.c.list[n-1].start == 0 {
		return l.layout(l.c.list[n-1].name(), false), nil
	}
	number, err := l.ready()
	if err != nil {
		return wal.Layout{}, fmt.Errorf("beginning the next log extent: %w", err)
	}
	l.c.list = append(l.c.list, entry{number: number})
	if err := l.save(); err != nil {
		l.c.list = l.c.list[:len(l.c.list)-1]
		return wal.Layout{}, fmt.Errorf("beginning the next log extent: %w", err)
	}
	return l.layout(observe.ExtentName(number), false), nil
}

// ready chooses the next extent and prepares its file.
func (l *Log) ready() (int, error) {
	l.files.counted = false
	if l.known && l.used(l.c.restart) >= l.set.most() {
		return 0, fmt.Errorf("%w: the restart needs %d extents, and %d primary and %d secondary ones are allowed",
			ErrFull, l.used(l.c.restart), l.set.Primary, l.set.Secondary)
	}
	if l.set.Kind == Circular {
		return l.readyInRing()
	}
	return l.readyInLine()
}

// Begun writes down where the last extent of the list begins.
func (l *Log) Begun(s wal.Segment) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := len(l.c.list)
	if n == 0 || l.path(l.c.list[n-1].name()) != s.Name {
		return fmt.Errorf("listing log extent %s as begun: it is not the last of the list", s.Name)
	}
	l.c.list[n-1].start = s.Start
	l.begun++
	l.files.counted = false
	return l.save()
}

// layout is an extent as a segment.
func (l *Log) layout(name string, reuse bool) wal.Layout {
	return wal.Layout{Name: l.path(name), Size: l.set.room(), Reuse: reuse}
}

// prepare makes a file ready to become an extent.
func (l *Log) prepare(name string, reuse bool) error {
	return wal.Prepare(l.disk, l.layout(name, reuse))
}

// vacant asserts that a file which is there may become an extent, or an extent
// again: active/ is a folder that others write in too. What is not the log's own
// is [ErrOccupied].
func (l *Log) vacant(name string, reuse bool) error {
	err := wal.Vacant(l.openOwn, l.layout(name, reuse), l.c.id)
	if errors.Is(err, ErrOccupied) {
		return &TakenError{Name: l.path(name), Err: err}
	}
	return err
}

// openOwn opens a file as it would be to be written, which no link is.
func (l *Log) openOwn(name string) (wal.Source, error) {
	f, err := l.disk.OpenWrite(name)
	if errors.Is(err, disk.ErrReadOnly) {
		return l.disk.Open(name)
	}
	return f, err
}

// head reads what a file in active/ says of itself.
func (l *Log) head(name string) (wal.Head, error) { return wal.ReadHead(l.Open, l.path(name)) }

// remove takes a file away; one that is gone already is.
func (l *Log) remove(name string) error {
	if err := l.disk.Remove(l.path(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// holding gives the place in the list of the extent that holds a position: the
// last one that begins at or before it, else the first.
func (l *Log) holding(at wal.LSN) int {
	i := len(l.c.list) - 1
	for i > 0 && (l.c.list[i].start == 0 || l.c.list[i].start > at) {
		i--
	}
	return max(0, i)
}

// used is how many extents hold what a restart from a position needs.
func (l *Log) used(restart wal.LSN) int { return len(l.c.list) - l.holding(restart) }

// numbers gives the extents in active/ by what their first letter says, in the
// order of their names.
func (l *Log) numbers(kind observe.ExtentKind) ([]int, error) {
	names, err := l.disk.List(l.Folder())
	if err != nil {
		return nil, fmt.Errorf("listing %s: %w", l.Folder(), err)
	}
	var found []int
	for _, name := range names {
		if letter, number, err := observe.ParseExtent(name); err == nil && letter == kind {
			found = append(found, number)
		}
	}
	slices.Sort(found)
	return found, nil
}

// waiting gives the numbers of the extents that wait to be used again. A log that
// somebody else looks after has none, whatever the names of files say.
func (l *Log) waiting() ([]int, error) {
	if l.set.Management == Manual || l.set.Kind == Circular {
		return nil, nil
	}
	there, err := l.numbers(observe.ReuseExtent)
	return slices.DeleteFunc(there, func(n int) bool {
		return l.vacant(reuseName(observe.ExtentName(n)), true) != nil
	}), err
}

// reuseName gives the name under which an extent waits to be used again.
func reuseName(name string) string { return string(observe.ReuseExtent) + name[1:] }
