//go:build unix

package roster

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// suffix ends the name of a file that can be run.
const suffix = ""

// executable tells whether this user may run a file.
func executable(path string) bool { return unix.Access(path, unix.X_OK) == nil }

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
