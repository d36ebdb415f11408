package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/mqhk/mqhk/core/wal/disk"
)

// folder is the tree of files below a store's folder. It takes plain files and
// plain folders only: through a symbolic link a copy would lie where nobody
// chose, and a restore would read what nobody saved. The store's folder itself
// may be reached through a link.
type folder struct {
	files disk.FS
	root  string
}

func newFolder(root string) disk.FS { return folder{disk.At(root), root} }

// enter refuses a store that others can enter. One that is not there yet is
// made by MkdirAll, for the owner alone.
func (f folder) enter() error {
	info, err := os.Stat(f.root)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s: %w", f.root, ErrLink)
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		return fmt.Errorf("%s has mode %04o, make it 0700: %w", f.root, info.Mode().Perm(), ErrOpenToOthers)
	}
	return nil
}

// plain looks at every step of a name. What is not there yet is no mistake.
func (f folder) plain(name string) error {
	if err := f.enter(); err != nil {
		return err
	}
	local, err := filepath.Localize(name)
	if err != nil {
		return &fs.PathError{Op: "name", Path: name, Err: err}
	}
	at := f.root
	for step := range strings.SplitSeq(local, string(filepath.Separator)) {
		at = filepath.Join(at, step)
		info, err := os.Lstat(at)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		if !info.IsDir() && !info.Mode().IsRegular() {
			return fmt.Errorf("%s: %w", at, ErrLink)
		}
	}
	return nil
}

func (f folder) Create(name string) (disk.File, error) {
	if err := f.plain(name); err != nil {
		return nil, err
	}
	return f.files.Create(name)
}

func (f folder) Open(name string) (disk.File, error) {
	if err := f.plain(name); err != nil {
		return nil, err
	}
	return f.files.Open(name)
}

func (f folder) OpenWrite(name string) (disk.File, error) {
	if err := f.plain(name); err != nil {
		return nil, err
	}
	return f.files.OpenWrite(name)
}

func (f folder) Rename(from, to string) error {
	if err := errors.Join(f.plain(from), f.plain(to)); err != nil {
		return err
	}
	return f.files.Rename(from, to)
}

func (f folder) Remove(name string) error {
	if err := f.plain(name); err != nil {
		return err
	}
	return f.files.Remove(name)
}

func (f folder) List(dir string) ([]string, error) {
	if err := f.plain(dir); err != nil {
		return nil, err
	}
	return f.files.List(dir)
}

func (f folder) MkdirAll(dir string) error {
	if err := f.plain(dir); err != nil {
		return err
	}
	return f.files.MkdirAll(dir)
}

func (f folder) SyncDir(dir string) error {
	if err := f.plain(dir); err != nil {
		return err
	}
	return f.files.SyncDir(dir)
}
