//go:build unix

package disk

import (
	"errors"
	"os"
	"runtime"
	"syscall"
)

func syncFolder(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	err = f.Sync()
	// Some systems refuse fsync on what is not open for writing, which a
	// folder never is; AIX documents EBADF for it. Nothing more can be done
	// there (PostgreSQL's fsync_fname comes to the same end). On Linux and
	// macOS it works, and an error is one.
	if runtime.GOOS == "aix" && (errors.Is(err, syscall.EBADF) || errors.Is(err, syscall.EINVAL)) {
		return nil
	}
	return err
}
