package host

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

const (
	// ownerName is the file in a socket directory that its host keeps locked
	// for as long as it lives: the system releases it however the host ends.
	// It gets its name when it is locked.
	ownerName = "owner"
	newOwner  = "owner.new"
	// sweepAfter is how old a directory has to be that is swept where a file
	// that is open can't get a name: it may not have been locked yet.
	sweepAfter = time.Minute
)

// takesName tells whether the owner file gets its name when it is locked.
const takesName = runtime.GOOS != "windows"

// own marks a socket directory as that of a host that lives.
func own(dir string) (*flock.Flock, error) {
	first, then := filepath.Join(dir, newOwner), filepath.Join(dir, ownerName)
	if !takesName {
		first = then
	}
	lock := flock.New(first, flock.SetPermissions(0o600))
	_, err := lock.TryLock()
	if err == nil && takesName {
		err = os.Rename(first, then)
	}
	if err != nil {
		_ = lock.Unlock()
		return nil, fmt.Errorf("locking the socket directory %s: %w", dir, err)
	}
	return lock, nil
}

// sweep removes the socket directories beside the given one whose hosts were
// killed, and ends what bears their mark. What can't be removed is left: it
// does no harm but to be there.
func sweep(beside string, now time.Time) {
	others, _ := filepath.Glob(filepath.Join(filepath.Dir(beside), "mqhk-[0-9]*")) // the pattern is well formed
	for _, dir := range others {
		info, err := os.Lstat(dir)
		if err != nil || !info.IsDir() || dir == beside || !takesName && now.Sub(info.ModTime()) < sweepAfter {
			continue
		}
		if !abandoned(dir) {
			continue
		}
		endOrphans(func(m mark) bool { return m.dir == dir })
		_ = os.RemoveAll(dir)
	}
}

// abandoned tells whether a socket directory's host is gone: nobody holds the
// lock. A directory without an owner is not one of a host, or it is just being
// made; one that can't be opened is another user's.
func abandoned(dir string) bool {
	name := filepath.Join(dir, ownerName)
	if _, err := os.Lstat(name); err != nil {
		return false
	}
	lock := flock.New(name, flock.SetFlag(os.O_RDWR))
	free, err := lock.TryLock()
	if err != nil || !free {
		return false
	}
	_ = lock.Unlock() // where files that are open can't be removed
	return true
}

// firstSweep ends, once a process, what was left behind by hosts that used
// other directories, or whose directory somebody tidied away. It goes on
// beside the start and is waited for at the stop.
var firstSweep = sync.OnceValue(func() <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		endOrphans(func(m mark) bool {
			_, err := os.Lstat(m.dir)
			return errors.Is(err, fs.ErrNotExist) || abandoned(m.dir)
		})
	}()
	return done
})
