package host

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// fixed copies the file into one that has no name and that nobody can change:
// who may write the original could give it another content between the hash
// and the start. The copy is in memory and sealed; where the system does not
// let such be run (vm.memfd_noexec) it is a nameless file in base.
func fixed(file *os.File, base string) (*os.File, error) {
	// A copy may always be run. What counts is the original: its mode, and that
	// its file system is not mounted noexec.
	path := descriptorPath(int(file.Fd()))
	if err := unix.Faccessat(unix.AT_FDCWD, path, unix.X_OK, unix.AT_EACCESS); err != nil {
		return nil, fmt.Errorf("it may not be run: %w", err)
	}
	memory, err := newMemory()
	if err != nil {
		disk, diskErr := nameless(file, base)
		if diskErr != nil {
			return nil, errors.Join(fmt.Errorf("no copy in memory can be run: %w", err), diskErr)
		}
		return disk, nil
	}
	if err := readInto(memory, file); err != nil {
		_ = memory.Close()
		return nil, err
	}
	const seals = unix.F_SEAL_WRITE | unix.F_SEAL_GROW | unix.F_SEAL_SHRINK | unix.F_SEAL_SEAL
	if _, err := unix.FcntlInt(memory.Fd(), unix.F_ADD_SEALS, seals); err != nil {
		_ = memory.Close()
		return nil, fmt.Errorf("sealing the copy: %w", err)
	}
	return memory, nil
}

// newMemory makes a file in memory that can be sealed and run (memfd_create(2)).
// A test puts another in its place.
var newMemory = func() (*os.File, error) {
	const name, flags = "mqhk-plugin", unix.MFD_CLOEXEC | unix.MFD_ALLOW_SEALING
	fd, err := unix.MemfdCreate(name, flags|unix.MFD_EXEC)
	if errors.Is(err, unix.EINVAL) { // before Linux 6.3, where all can be run
		fd, err = unix.MemfdCreate(name, flags)
	}
	if err != nil {
		return nil, os.NewSyscallError("memfd_create", err)
	}
	return os.NewFile(uintptr(fd), name), nil
}

// nameless copies the file into one on disk that never has a name (O_TMPFILE
// in open(2)). A file that somebody has open to write can't be run, and a child
// that is just being started has all that is open: none is started meanwhile.
func nameless(file *os.File, base string) (*os.File, error) {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	fd, err := unix.Open(base, unix.O_TMPFILE|unix.O_EXCL|unix.O_RDWR|unix.O_CLOEXEC, 0o500)
	if err != nil {
		return nil, &os.PathError{Op: "making a nameless copy in", Path: base, Err: err}
	}
	writer := os.NewFile(uintptr(fd), "mqhk-plugin")
	defer writer.Close()
	if err := readInto(writer, file); err != nil {
		return nil, err
	}
	return os.Open(descriptorPath(fd))
}

func descriptorPath(fd int) string { return fmt.Sprintf("/proc/self/fd/%d", fd) }
