package host

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

const (
	// ownerName is the file in a socket directory that its host keeps locked
	// for as long as it lives: the system releases it however the host ends.
	ownerName = "owner"
	// sweepAfter is how old a directory has to be that is swept: one that was
	// just made may not have been locked yet.
	sweepAfter = time.Minute
)

// own marks a socket directory as that of a host that lives.
func own(dir string) (*flock.Flock, error) {
	lock := flock.New(filepath.Join(dir, ownerName), flock.SetPermissions(0o600))
	if _, err := lock.TryLock(); err != nil {
		return nil, fmt.Errorf("locking the socket directory %s: %w", dir, err)
	}
	return lock, nil
}

// sweep removes the socket directories beside the given one whose hosts were
// killed: with each of them one more would stay. What can't be removed is
// left: it does no harm but to be there.
func sweep(beside string, now time.Time) {
	others, _ := filepath.Glob(filepath.Join(filepath.Dir(beside), "mqhk-[0-9]*")) // the pattern is well formed
	for _, dir := range others {
		info, err := os.Lstat(dir)
		if err != nil || !info.IsDir() || dir == beside || now.Sub(info.ModTime()) < sweepAfter {
			continue
		}
		if _, err := os.Lstat(filepath.Join(dir, ownerName)); err != nil {
			continue // not one of a host, or another user's
		}
		lock := flock.New(filepath.Join(dir, ownerName), flock.SetFlag(os.O_RDWR))
		if free, err := lock.TryLock(); !free || err != nil {
			continue
		}
		_ = lock.Unlock() // where files that are open can't be removed
		_ = os.RemoveAll(dir)
	}
}
