//go:build unix && !linux

package local

import "golang.org/x/sys/unix"

// blockSize gives what the blocks of a file system are counted in.
func blockSize(stat unix.Statfs_t) uint64 {
	return uint64(stat.Bsize) //nolint:unconvert // its type differs between systems
}
