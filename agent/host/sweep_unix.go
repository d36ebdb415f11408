//go:build unix

package host

import (
	"io/fs"
	"os"
	"syscall"
)

// notAstray opens neither what a link leads to nor waits for the other end of
// a pipe.
const notAstray = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// oursAlone tells whether a file belongs to this user and has the mode that a
// host gives it.
func oursAlone(info fs.FileInfo, mode fs.FileMode) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid() && info.Mode().Perm() == mode
}
