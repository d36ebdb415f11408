//go:build unix

package multi

import (
	"io/fs"
	"os"
	"syscall"
)

// sameAccess gives a file the permissions of another, and its owner where that
// is allowed.
func sameAccess(name string, info fs.FileInfo) error {
	if of, ok := info.Sys().(*syscall.Stat_t); ok && os.Geteuid() == 0 {
		if err := os.Chown(name, int(of.Uid), int(of.Gid)); err != nil {
			return err
		}
	}
	return os.Chmod(name, info.Mode().Perm())
}
