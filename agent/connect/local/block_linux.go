package local

import (
	"cmp"

	"golang.org/x/sys/unix"
)

// blockSize gives what the blocks of a file system are counted in. It is not the
// best size of a read, which some file systems give as the other.
func blockSize(stat unix.Statfs_t) uint64 {
	return uint64(cmp.Or(stat.Frsize, stat.Bsize)) //nolint:gosec // no size is negative
}
