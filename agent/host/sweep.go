package host

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
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
	// sweepAfter is how old a directory has to be that is swept without an
	// owner, or where a file that is open can't get a name: it may just have been
	// made and not be locked yet.
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

// socketDirName is what the directories of hosts are called, by os.MkdirTemp.
var socketDirName = regexp.MustCompile(`^mqhk-[0-9]+$`)

// sweep removes the socket directories beside the given one whose hosts were
// killed, and ends what bears their mark. What can't be removed is left: it
// does no harm but to be there.
func sweep(beside string, now time.Time) {
	base, ours := filepath.Split(beside)
	root, err := os.OpenRoot(base)
	if err != nil {
		return
	}
	defer root.Close()
	others, _ := names(base) // without it nothing is swept
	for _, name := range others {
		dir := filepath.Join(base, name)
		if name == ours || !socketDirOfOurs(dir) {
			continue
		}
		info, err := root.Lstat(name)
		old := err == nil && now.Sub(info.ModTime()) >= sweepAfter
		switch {
		case abandoned(dir) && (takesName || old):
			endOrphans(func(m mark) bool { return m.dir == dir })
		case old && stillborn(dir):
		default:
			continue
		}
		_ = root.RemoveAll(name) // it follows no link
	}
}

// socketDirOfOurs tells whether a host of this user made a directory. The
// temporary directory is everybody's, and others name what is theirs as they
// like.
func socketDirOfOurs(dir string) bool {
	info, err := os.Lstat(dir)
	return err == nil && info.IsDir() && oursAlone(info, 0o700) && socketDirName.MatchString(filepath.Base(dir))
}

// abandoned tells whether a socket directory's host is gone: nobody holds the
// lock.
func abandoned(dir string) bool {
	return socketDirOfOurs(dir) && free(filepath.Join(dir, ownerName))
}

// stillborn tells whether a socket directory's host was killed before it was
// its owner. One that was just made looks the same.
func stillborn(dir string) bool {
	held, err := names(dir)
	if err != nil {
		return false
	}
	return len(held) == 0 || len(held) == 1 && held[0] == newOwner && free(filepath.Join(dir, newOwner))
}

// free tells whether a host's file is there and nobody holds its lock. What a
// host did not make so, such as a link or a pipe, is not opened.
func free(name string) bool {
	info, err := os.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || !oursAlone(info, 0o600) {
		return false
	}
	lock := flock.New(name, flock.SetFlag(os.O_RDWR|notAstray))
	ok, err := lock.TryLock()
	if err != nil || !ok {
		return false
	}
	_ = lock.Unlock() // where files that are open can't be removed
	return true
}

// names lists a folder.
func names(path string) ([]string, error) {
	folder, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	return folder.Readdirnames(-1)
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
