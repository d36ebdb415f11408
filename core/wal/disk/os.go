package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Files and folders hold message bodies: nobody else reads them.
const (
	fileMode   = 0o600
	folderMode = 0o700
)

// Modes are what new files and folders get, whatever the umask is.
type Modes struct{ File, Folder fs.FileMode }

// At gives the real file system below the folder root. A name that would
// lead out of it is refused. Nobody but this user may read what it makes.
func At(root string) FS { return tree{root: root} }

// AtWith is like [At], and what it makes below the folder gets these modes:
// the simulated files of a product that has its own.
func AtWith(root string, modes Modes) FS { return tree{root, modes} }

type tree struct {
	root  string
	modes Modes // zero: those of a file that is nobody else's
}

func (t tree) path(name string) (string, error) {
	local, err := filepath.Localize(name)
	if err != nil {
		return "", &fs.PathError{Op: "name", Path: name, Err: err}
	}
	return filepath.Join(t.root, local), nil
}

func (t tree) Create(name string) (File, error) {
	return t.open(name, os.O_RDWR|os.O_CREATE|os.O_EXCL)
}

func (t tree) Open(name string) (File, error) { return t.open(name, os.O_RDONLY) }

func (t tree) OpenWrite(name string) (File, error) { return t.open(name, os.O_RDWR) }

func (t tree) open(name string, flag int) (File, error) {
	path, err := t.path(name)
	if err != nil {
		return nil, err
	}
	f, err := openRegular(path, flag)
	if err != nil {
		return nil, err
	}
	if flag&os.O_CREATE != 0 && t.modes.File != 0 {
		if err := f.Chmod(t.modes.File); err != nil {
			return nil, errors.Join(err, f.Close(), os.Remove(path))
		}
	}
	return file{f}, nil
}

func (t tree) Rename(from, to string) error {
	old, err := t.path(from)
	if err != nil {
		return err
	}
	path, err := t.path(to)
	if err != nil {
		return err
	}
	return os.Rename(old, path)
}

func (t tree) Remove(name string) error {
	path, err := t.path(name)
	if err != nil {
		return err
	}
	return os.Remove(path)
}

func (t tree) List(dir string) ([]string, error) {
	path, err := t.path(dir)
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	names := make([]string, 0, len(entries))
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	slices.Sort(names)
	return names, nil
}

func (t tree) MkdirAll(dir string) error {
	missing, err := t.mkdirAll(dir)
	if err != nil {
		return err
	}
	for _, made := range missing {
		if err := syncFolder(filepath.Dir(made)); err != nil {
			return fmt.Errorf("making folder %s durable: %w", made, err)
		}
	}
	return nil
}

// mkdirAll makes folders, and gives those that were not there, innermost first.
func (t tree) mkdirAll(dir string) (made []string, err error) {
	path, err := t.path(dir)
	if err != nil {
		return nil, err
	}
	for at := path; ; at = filepath.Dir(at) {
		if _, err := os.Stat(at); err == nil || at == filepath.Dir(at) {
			break
		}
		made = append(made, at)
	}
	if err := os.MkdirAll(path, folderMode); err != nil {
		return made, err
	}
	if t.modes.Folder == 0 {
		return made, nil
	}
	for _, at := range made {
		if below, err := filepath.Rel(t.root, at); err == nil && filepath.IsLocal(below) && below != "." {
			if err := os.Chmod(at, t.modes.Folder); err != nil {
				return made, err
			}
		}
	}
	return made, nil
}

func (t tree) SyncDir(dir string) error {
	path, err := t.path(dir)
	if err != nil {
		return err
	}
	return syncFolder(path)
}

type file struct{ *os.File }

func (f file) Size() (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

func (f file) Sync() error { return syncData(f.File) }
