package disk

import (
	"os"
	"syscall"
)

// syncData leaves out the file's times, which fsync would write too: in a
// file that was filled with zeros ahead that is a second place on the disk
// for every commit.
func syncData(f *os.File) error {
	conn, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	err = conn.Control(func(fd uintptr) {
		for failed = syscall.EINTR; failed == syscall.EINTR; {
			failed = syscall.Fdatasync(int(fd))
		}
	})
	if err != nil {
		failed = os.ErrClosed // nothing else keeps Control from its work
	}
	if failed != nil {
		return &os.PathError{Op: "fdatasync", Path: f.Name(), Err: failed}
	}
	return nil
}
