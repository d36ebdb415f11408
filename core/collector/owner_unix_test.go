//go:build unix

package collector

import (
	"io/fs"
	"strconv"
	"syscall"
)

// ids gives the numbers of a file's user and group.
func ids(info fs.FileInfo) (user, group string) {
	stat := info.Sys().(*syscall.Stat_t)
	return strconv.FormatUint(uint64(stat.Uid), 10), strconv.FormatUint(uint64(stat.Gid), 10)
}
