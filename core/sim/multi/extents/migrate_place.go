package extents

import (
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// What a migration in place has beside the log: the new one until its files
// have moved, and in it the control file of the old one, once that has ended.
const (
	stagingName = "migmqlog"
	retiredName = "amqhlctl.old"
)

// MigrateInPlace does that where the log is: the new one is made beside the old,
// which is then retired, and its files move. Between these two, between may tell
// others of the new kind: from there on, until all is done, there is no log that
// can be opened, and the same call goes on.
func MigrateInPlace(d disk.FS, dir string, now, then Settings, between func() error) error {
	staging := path.Join(dir, stagingName)
	if err := d.Remove(path.Join(dir, partName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("migrating the log in %s: %w", dir, err)
	}
	_, _, err := openControl(d, dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = interrupted(d, dir, staging, then.Kind)
	case err == nil:
		err = retire(d, dir, staging, now, then)
	}
	if err == nil {
		err = between()
	}
	if err == nil {
		err = moveIn(d, staging, dir)
	}
	if err != nil {
		return fmt.Errorf("migrating the log in %s: %w", dir, err)
	}
	return nil
}

// interrupted asserts that the control file is missing since a migration to this
// kind was interrupted, and not for another reason.
func interrupted(d disk.FS, dir, staging string, kind Kind) error {
	_, retired, err := readControl(d, path.Join(staging, retiredName))
	if err != nil {
		return &ControlError{Name: path.Join(dir, ControlName), Err: fs.ErrNotExist}
	}
	_, c, err := openControl(d, staging)
	switch {
	case err != nil:
		return err
	case c.id != retired.id:
		return &ControlError{Name: path.Join(dir, ControlName), Err: fs.ErrNotExist}
	case c.kind != kind:
		return fmt.Errorf("%w: a migration to %s was interrupted, and goes on first", ErrSettings, c.kind)
	}
	return nil
}

// retire makes the new log beside the old one, and takes the old one's control
// file away from it.
func retire(d disk.FS, dir, staging string, now, then Settings) error {
	control, retired := path.Join(dir, ControlName), path.Join(staging, retiredName)
	// One that was left here would make a control file that somebody has lost
	// look like an interrupted migration.
	switch err := d.Remove(retired); {
	case err == nil:
		if err := d.SyncDir(staging); err != nil {
			return err
		}
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	mine := func(*Log) error { return nil } // the folder has a name of its own
	if _, err := migrate(d, dir, staging, now, then, mine); err != nil {
		return err
	}
	if err := d.Rename(control, retired); err != nil {
		return err
	}
	return errors.Join(d.SyncDir(staging), d.SyncDir(dir))
}

// moveIn moves a whole log into the place of one that is retired. It may be
// interrupted anywhere and begun again: the control file goes last.
func moveIn(d disk.FS, staging, dir string) error {
	_, c, err := openControl(d, staging)
	if err != nil {
		return err
	}
	keep := map[string]bool{}
	for _, e := range c.list {
		keep[e.name()] = true
	}
	l := Log{disk: d, dir: dir}
	there, err := d.List(l.Folder())
	if err != nil {
		return err
	}
	come, err := d.List(path.Join(staging, ActiveName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, name := range there {
		if _, _, err := observe.ParseExtent(name); err != nil || keep[name] {
			continue
		}
		if err := l.remove(name); err != nil {
			return err
		}
	}
	for _, name := range come {
		if err := d.Rename(path.Join(staging, ActiveName, name), l.path(name)); err != nil {
			return err
		}
	}
	if err := d.SyncDir(l.Folder()); err != nil {
		return err
	}
	if err := d.Rename(path.Join(staging, ControlName), path.Join(dir, ControlName)); err != nil {
		return err
	}
	if err := d.SyncDir(dir); err != nil {
		return err
	}
	// What is left is of no use to anyone, and does not hold up the log.
	for _, name := range []string{retiredName, ActiveName, ""} {
		_ = d.Remove(path.Join(staging, name))
	}
	return nil
}
