package sim

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// ErrLocked says that somebody else has the estate open.
var ErrLocked = errors.New("the estate is in use by another command")

// patience is how long an estate is waited for that is in use, and how often
// it is tried.
const (
	patience = 30 * time.Second
	retry    = 50 * time.Millisecond
)

// take locks an estate's folder, for one who changes it or for any number who
// look. The system releases it when the process ends, however it ends.
func take(ctx context.Context, dir string, look bool) (*flock.Flock, error) {
	lock := flock.New(filepath.Join(dir, lockFile))
	try := lock.TryLockContext
	if look {
		try = lock.TryRLockContext
	}
	waiting, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	_, err := try(waiting, retry)
	switch {
	case err == nil:
		return lock, nil
	case ctx.Err() != nil:
		return nil, fmt.Errorf("locking the estate in %s: %w", dir, ctx.Err())
	case waiting.Err() != nil:
		return nil, fmt.Errorf("locking the estate in %s: %w", dir, ErrLocked)
	default:
		return nil, fmt.Errorf("locking the estate in %s: %w", dir, err)
	}
}
