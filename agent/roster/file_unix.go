//go:build unix

package roster

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"
)

// suffix ends the name of a file that can be run.
const suffix = ""

// executable tells whether this user may run a file.
func executable(path string) bool { return unix.Access(path, unix.X_OK) == nil }

const everybody fs.FileMode = 0o002

// exposed says who beside its owner and group could put something else in the
// place of a file that is there; empty: nobody. Its own directory may not be
// one like /tmp, in which everybody makes files; above that the sticky bit
// keeps what belongs to others.
func exposed(path string) string {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return err.Error()
	}
	real, err := filepath.EvalSymlinks(absolute)
	if err != nil {
		return err.Error()
	}
	for at := real; ; at = filepath.Dir(at) {
		info, err := os.Stat(at)
		if err != nil {
			return err.Error()
		}
		sticky := info.Mode()&fs.ModeSticky != 0 && at != real && at != filepath.Dir(real)
		if info.Mode().Perm()&everybody != 0 && !sticky {
			return fmt.Sprintf("every user may write %s: chmod o-w", at)
		}
		if at == filepath.Dir(at) {
			return ""
		}
	}
}

// own gives a file the owner and the group of the one that it replaces, where
// this user may: root may change a lock file that another user has to read.
func own(file *os.File, old fs.FileInfo) error {
	was, ok := old.Sys().(*syscall.Stat_t)
	if !ok || os.Geteuid() != 0 {
		return nil
	}
	return file.Chown(int(was.Uid), int(was.Gid))
}

// syncDir makes a rename in a directory durable.
func syncDir(dir string) error {
	open, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(open.Sync(), open.Close())
}
