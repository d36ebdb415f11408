package extents

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// partName is beside a log in another folder from before its first file until
// others have been told of it. It has the log's own ID: what lies there with it
// is of an attempt that was interrupted.
const partName = "migmqlog.part"

// Migrate writes the log of a queue manager that has ended anew in another
// folder, as one of another kind or management: the same records at the same
// positions. A linear log keeps what it has of them, a circular one what a
// restart needs: [ErrFull] says that this is more than it may have. The control
// file is written last, so that a log which is not whole can't be opened; then
// told tells others where it is. The old log stays as it is. A folder in which
// something lies that no attempt of this log has left is an error that wraps
// fs.ErrExist (reference, Multiplatforms 3.4 item 70).
func Migrate(d disk.FS, from, to string, now, then Settings, told func() error) error {
	part := path.Join(to, partName)
	l, err := migrate(d, from, to, now, then, func(l *Log) error {
		if err := l.unclaimed(); err != nil {
			return err
		}
		if err := d.MkdirAll(to); err != nil {
			return err
		}
		return disk.Replace(d, part, l.c.id[:])
	})
	if err == nil {
		err = told()
	}
	if err == nil {
		err = errors.Join(d.Remove(part), d.SyncDir(l.dir))
	}
	if err != nil {
		return fmt.Errorf("migrating the log in %s to %s: %w", from, to, err)
	}
	return nil
}

// unclaimed asserts that what lies in the folder of a new log is of an attempt
// before, or nothing.
func (l *Log) unclaimed() error {
	id, err := disk.ReadAll(l.disk, path.Join(l.dir, partName))
	switch {
	case err == nil && bytes.Equal(id, l.c.id[:]):
		return nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	for _, folder := range []string{l.dir, l.Folder()} {
		names, err := l.disk.List(folder)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if i := slices.IndexFunc(names, func(n string) bool { return n != ActiveName && n != partName+disk.NewSuffix }); i >= 0 {
			return fmt.Errorf("%w: %s", fs.ErrExist, path.Join(folder, names[i]))
		}
	}
	return nil
}

func migrate(d disk.FS, from, to string, now, then Settings, claim func(*Log) error) (*Log, error) {
	old, err := Open(d, from, now)
	if err != nil {
		return nil, err
	}
	l, list, err := old.migrated(to, then)
	if err != nil {
		return nil, err
	}
	if err := claim(l); err != nil {
		return nil, err
	}
	if err := l.vacate(); err != nil {
		return nil, err
	}
	for i, e := range list {
		if err := copyExtent(d, old.path(e.name()), l.path(l.c.list[i].name())); err != nil {
			return nil, err
		}
	}
	if l.set.Kind == Circular {
		if err := l.fillRing(); err != nil {
			return nil, err
		}
	}
	if err := d.SyncDir(l.Folder()); err != nil {
		return nil, err
	}
	return l, l.save()
}

// migrated gives the log that there is going to be, and which extents it is
// made of. One of the same kind keeps its numbers.
func (l *Log) migrated(to string, then Settings) (*Log, []entry, error) {
	list := l.c.list
	if n := len(list); n > 0 && list[n-1].start == 0 {
		list = list[:n-1] // it was never begun
	}
	then.FilePages, then.First, then.Began = l.c.pages, l.c.first, l.c.began
	set, err := then.normal()
	if err != nil {
		return nil, nil, err
	}
	if set.Kind == Circular && len(list) > 0 {
		list = list[min(l.holding(l.c.restart), len(list)-1):]
	}
	if set.Kind == Circular && len(list) > set.most() {
		return nil, nil, fmt.Errorf("%w: the restart needs %d extents, and %d primary and %d secondary ones are allowed", ErrFull, len(list), set.Primary, set.Secondary)
	}
	n := &Log{disk: l.disk, dir: to, set: set, c: l.c, file: &controlFile{disk: l.disk, name: path.Join(to, ControlName)}}
	n.c.kind, n.c.first, n.c.list, n.c.leaving = set.Kind, set.First, nil, nil
	for i, e := range list {
		if set.Kind != l.c.kind {
			e = entry{number: observe.ExtentNumber(set.First + i), start: e.start}
		}
		n.c.list = append(n.c.list, e)
	}
	if set.Kind != l.c.kind && len(list) > 0 {
		n.c.media = list[0].start // no image is older
	}
	return n, list, nil
}

// vacate makes the folder of a new log, without what an attempt before has left.
func (l *Log) vacate() error {
	switch err := l.disk.Remove(l.file.name); {
	case err == nil:
		if err := l.disk.SyncDir(l.dir); err != nil {
			return err
		}
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if err := l.disk.MkdirAll(l.Folder()); err != nil {
		return err
	}
	names, err := l.disk.List(l.Folder())
	for _, name := range names {
		if err == nil {
			err = l.remove(name)
		}
	}
	return err
}

// copyExtent copies a file, durably.
func copyExtent(d disk.FS, from, to string) error {
	source, err := d.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = source.Close() }() // it was only read
	size, err := source.Size()
	if err != nil {
		return err
	}
	target, err := d.Create(to)
	if err != nil {
		return err
	}
	piece := make([]byte, min(size, 1<<20))
	for at := int64(0); at < size && err == nil; at += int64(len(piece)) {
		piece = piece[:min(int64(len(piece)), size-at)]
		if _, err = source.ReadAt(piece, at); errors.Is(err, io.EOF) {
			err = nil
		}
		if err == nil {
			_, err = target.WriteAt(piece, at)
		}
	}
	if err == nil {
		err = target.Sync()
	}
	return errors.Join(err, target.Close())
}
