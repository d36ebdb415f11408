package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// How long a folder is waited for that another process has, where the context
// sets no time, and how often it is tried. Who has it is alive and saving: the
// system releases the lock of a process that ends.
const (
	patience = 10 * time.Minute
	retry    = 50 * time.Millisecond
)

// locker gives the folder of a queue manager to one writer at a time, over all
// processes. Readers need no lock: what they see is whole at any moment.
type locker func(ctx context.Context, folder string) (release func() error, err error)

// lockIn locks by a file in the folder, which is there.
func lockIn(root string) locker {
	return func(ctx context.Context, folder string) (func() error, error) {
		path := filepath.Join(root, folder, lockName)
		info, err := os.Lstat(path)
		if err == nil && !info.Mode().IsRegular() {
			return nil, fmt.Errorf("%s: %w", path, ErrLink)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("locking %s: %w", path, err)
		}
		waiting, cancel := ctx, context.CancelFunc(func() {})
		if _, bounded := ctx.Deadline(); !bounded {
			waiting, cancel = context.WithTimeout(ctx, patience)
		}
		defer cancel()
		lock := flock.New(path, flock.SetPermissions(0o600))
		_, err = lock.TryLockContext(waiting, retry)
		switch {
		case err == nil:
			return lock.Unlock, nil
		case errors.Is(waiting.Err(), context.DeadlineExceeded):
			return nil, fmt.Errorf("locking %s: %w: %w", path, ErrBusy, err)
		default:
			return nil, fmt.Errorf("locking %s: %w", path, err)
		}
	}
}
