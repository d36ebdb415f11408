package local

import (
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// withoutWaiting is nothing here.
const withoutWaiting = 0

// owners knows none: what a file's owner may do is in its access list, which
// mqhk does not read.
type owners struct{}

func (owners) of(fs.FileInfo) string { return "" }

// namesOf fails, and so no extent is deleted here.
func namesOf(fs.FileInfo) (uint64, error) { return 0, errPlatform }

// likeNeighbour fails, and so no extent is restored here.
func likeNeighbour(*os.File, fs.FileInfo) error { return errPlatform }

func roomIn(path string) (size, free uint64, err error) {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return 0, 0, err
	}
	err = windows.GetDiskFreeSpaceEx(name, &free, &size, nil) // of quota, as far as this user may use them
	return size, free, err
}
