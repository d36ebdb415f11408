package sim

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// copyTree copies a folder with all that is in it to one that is not there yet,
// empty folders and permissions too: without them a backup of a queue manager is
// none (SEED 7.4.1). What is neither a file nor a folder is an error.
func copyTree(from, to string) error {
	if _, err := os.Lstat(to); !errors.Is(err, fs.ErrNotExist) {
		if err == nil {
			err = &fs.PathError{Op: "copy to", Path: to, Err: fs.ErrExist}
		}
		return err
	}
	var folders []func() error // that get their permissions once they are filled
	err := filepath.WalkDir(from, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		below, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		target := filepath.Join(to, below)
		switch {
		case info.IsDir():
			folders = append(folders, func() error { return os.Chmod(target, info.Mode().Perm()) })
			return os.MkdirAll(target, 0o700)
		case info.Mode().IsRegular():
			return copyFile(name, target, info.Mode().Perm())
		}
		return fmt.Errorf("%s is neither a file nor a folder", name)
	})
	for i := len(folders) - 1; i >= 0 && err == nil; i-- {
		err = folders[i]()
	}
	return err
}

func copyFile(from, to string, mode fs.FileMode) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if err == nil {
		err = out.Chmod(mode)
	}
	return errors.Join(err, out.Close())
}

// replaceTree puts a copy of a folder in the place of another, which is emptied
// first: what is there beside the copy would be of another time (SEED 7.4.2).
func replaceTree(from, to string) error {
	if info, err := os.Stat(from); err != nil {
		return err
	} else if !info.IsDir() {
		return fmt.Errorf("%s is no folder", from)
	}
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	return copyTree(from, to)
}
