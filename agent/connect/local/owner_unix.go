//go:build unix

package local

import (
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"syscall"

	"golang.org/x/sys/unix"
)

// withoutWaiting keeps the opening of a pipe from waiting for its other end.
const withoutWaiting = syscall.O_NONBLOCK

// owners remembers the names of users and groups.
type owners map[[2]uint32]string

// of gives user:group of a file. A number without a name stays one; a name that
// would not stand in a line is left out by its number.
func (o owners) of(info fs.FileInfo) string {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	key := [2]uint32{stat.Uid, stat.Gid}
	if known, ok := o[key]; ok {
		return known
	}
	owner, group := number(stat.Uid), number(stat.Gid)
	if u, err := user.LookupId(owner); err == nil && plainName(u.Username) {
		owner = u.Username
	}
	if g, err := user.LookupGroupId(group); err == nil && plainName(g.Name) {
		group = g.Name
	}
	o[key] = owner + ":" + group
	return o[key]
}

// namesOf tells under how many names a file is known.
func namesOf(info fs.FileInfo) (uint64, error) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, errPlatform
	}
	return uint64(stat.Nlink), nil //nolint:unconvert // its type differs between systems
}

// likeNeighbour gives a file the owner and mode of another.
func likeNeighbour(f *os.File, neighbour fs.FileInfo) error {
	own, err := f.Stat()
	if err != nil {
		return err
	}
	want, ok := neighbour.Sys().(*syscall.Stat_t)
	have, also := own.Sys().(*syscall.Stat_t)
	if !ok || !also {
		return errPlatform
	}
	if want.Uid != have.Uid || want.Gid != have.Gid {
		if err := f.Chown(int(want.Uid), int(want.Gid)); err != nil {
			return fmt.Errorf("giving it to %s, who owns its neighbours: %w: the queue manager could not open it; run mqhk as that user", owners{}.of(neighbour), err)
		}
	}
	return f.Chmod(neighbour.Mode().Perm())
}

// roomIn gives size and free bytes of the file system of a path, as far as one
// who is not root may use it.
func roomIn(path string) (size, free uint64, err error) {
	var stat unix.Statfs_t
	if err := unix.Statfs(path, &stat); err != nil {
		return 0, 0, err
	}
	size, free = room(blockSize(stat), uint64(stat.Blocks), uint64(stat.Bfree), uint64(stat.Bavail)) //nolint:unconvert // their types differ between systems
	return size, free, nil
}
