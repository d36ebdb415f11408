package disk

import (
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

// At gives the real file system below the folder root. A name that would
// lead out of it is refused.
func At(root string) FS { return tree(root) }

type tree string

func (t tree) path(name string) (string, error) {
	local, err := filepath.Localize(name)
	if err != nil {
		return "", &fs.PathError{Op: "name", Path: name, Err: err}
	}
	return filepath.Join(string(t), local), nil
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
	f, err := os.OpenFile(path, flag, fileMode)
	if err != nil {
		return nil, err
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
	return made, os.MkdirAll(path, folderMode)
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
