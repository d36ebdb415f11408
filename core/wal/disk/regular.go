package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// openRegular opens a file, and nothing that is none.
func openRegular(path string, flag int) (*os.File, error) {
	if flag != os.O_RDONLY {
		flag |= noFollow
	}
	// Opening a pipe would wait for who is at its other end.
	f, err := os.OpenFile(path, flag|noWait, fileMode)
	if err != nil {
		return nil, refusedAs(path, err)
	}
	info, err := f.Stat()
	switch {
	case err != nil:
	case info.IsDir(): // reading it would say this
		err = notRegular(path, syscall.EISDIR)
	case !info.Mode().IsRegular():
		err = notRegular(path, nil)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// refusedAs says of a file that the system did not open whether it is a regular
// one: of a link, a socket or a folder each system says something else.
func refusedAs(path string, err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrExist) {
		return err
	}
	if info, looked := os.Lstat(path); looked == nil && !info.Mode().IsRegular() {
		return notRegular(path, err)
	}
	return err
}

func notRegular(path string, cause error) error {
	err := ErrNotRegular
	if cause != nil {
		err = fmt.Errorf("%w: %w", ErrNotRegular, cause)
	}
	return &fs.PathError{Op: "open", Path: path, Err: err}
}
