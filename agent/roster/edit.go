package roster

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/mqhk/mqhk/policies"
)

// How long the lock file is waited for that another process changes, and how
// often it is tried. A change takes no longer than writing a page.
const (
	patience = 10 * time.Second
	retry    = 20 * time.Millisecond
)

// ErrBusy says that another process changes the lock file.
var ErrBusy = errors.New("another process is changing the lock file")

// edit changes the lock file, one process at a time: it is read when no other
// can change it any more, and replaced as a whole or not at all.
func (r *Roster) edit(ctx context.Context, change func(policies.Lock) (p policies.LockedPlugin, changed bool, err error)) error {
	path, err := r.lockFile()
	if err != nil {
		return err
	}
	release, err := claim(ctx, path)
	if err != nil {
		return err
	}
	defer release()
	lock, err := r.lock()
	if err != nil {
		return err
	}
	p, changed, err := change(lock)
	if err != nil || !changed {
		return err
	}
	text, err := lock.With(p)
	if err != nil {
		return err
	}
	if err := replace(path, text); err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return nil
}

// lockFile gives the path of the lock file itself: where its name is a link,
// what that leads to is changed, and the link stays.
func (r *Roster) lockFile() (string, error) {
	path := filepath.Join(r.Config, policies.LockName)
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return path, nil
	}
	itself, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", fmt.Errorf("finding %s: %w", path, err)
	}
	return itself, nil
}

// claim waits until no other process changes the lock file. The claim is on a
// file beside it, since the lock file is replaced, and stays when it is
// released: to remove it would let two have it.
func claim(ctx context.Context, path string) (release func(), err error) {
	beside := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".busy")
	info, err := os.Lstat(beside)
	if err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", beside)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, patience, ErrBusy)
	defer cancel()
	lock := flock.New(beside, flock.SetPermissions(0o644))
	if _, err := lock.TryLockContext(ctx, retry); err != nil {
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return nil, fmt.Errorf("claiming %s: %w", path, err)
	}
	return func() { _ = lock.Unlock() }, nil // the system does it at the latest when the process ends
}

// replace puts a text in the place of a file, durably, or leaves it as it was.
func replace(path string, text []byte) error {
	part := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+"."+rand.Text())
	err := writePart(part, path, text)
	if err == nil {
		err = os.Rename(part, path)
	}
	if err != nil {
		if removed := os.Remove(part); !errors.Is(removed, fs.ErrNotExist) {
			err = errors.Join(err, removed)
		}
		return fmt.Errorf("%w; it is as it was", err)
	}
	return syncDir(filepath.Dir(path))
}

// writePart writes a new file, to be read by whom the old one could be.
func writePart(part, path string, text []byte) error {
	mode := fs.FileMode(0o644)
	old, err := os.Stat(path)
	if err == nil {
		mode = old.Mode().Perm()
	}
	file, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	if old != nil { // the mask of this process is not to take rights away
		err = errors.Join(file.Chmod(mode), own(file, old))
	}
	if err == nil {
		_, err = file.Write(text)
	}
	if err == nil {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}
