package run

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/mqhk/mqhk/core/wal/disk"
)

// ErrPlanExists says that a plan would be written over a file.
var ErrPlanExists = errors.New("a file of this name is there already")

// ReadKept reads a plan from its file. Errors are ErrNotAPlan, ErrPlanVersion,
// ErrPlanEdited, and those of the file system.
func ReadKept(path string) (Kept, error) {
	f, err := os.Open(path)
	if err != nil {
		return Kept{}, fmt.Errorf("reading the plan: %w", err)
	}
	text, err := io.ReadAll(io.LimitReader(f, maxKept+1))
	if err = cmp.Or(err, f.Close()); err != nil {
		return Kept{}, fmt.Errorf("reading the plan in %s: %w", path, err)
	}
	if len(text) > maxKept {
		return Kept{}, fmt.Errorf("reading the plan in %s: %w: it has more than %d bytes", path, ErrNotAPlan, maxKept)
	}
	k, err := parseKept(text)
	if err != nil {
		return Kept{}, fmt.Errorf("reading the plan in %s: %w", path, err)
	}
	return k, nil
}

// WriteKept writes a plan to a new file that its owner alone can read and
// write. It returns when the file is durable; after a crash it is whole or not
// there, beside it perhaps a file NAME.*.new that can be removed. What is there
// already is ErrPlanExists and stays as it is.
func WriteKept(path string, k Kept) error {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return fmt.Errorf("writing the plan to %s: %w", path, err)
	}
	folder := filepath.Dir(absolute)
	if err := writeKept(planFolder{disk.At(folder), folder}, filepath.Base(absolute), k); err != nil {
		return fmt.Errorf("writing the plan to %s: %w", path, err)
	}
	return nil
}

// linking is a tree of files in which one can be given a second name, unless
// another file has it (fs.ErrExist).
type linking interface {
	disk.FS
	Link(from, to string) error
}

type planFolder struct {
	disk.FS
	path string
}

// Link gives a file a second name. A rename would take the name from another
// file that was written at the same time.
func (f planFolder) Link(from, to string) error {
	return os.Link(filepath.Join(f.path, from), filepath.Join(f.path, to))
}

func writeKept(files linking, name string, k Kept) error {
	text, err := k.Text()
	if err != nil {
		return err
	}
	part := name + "." + rand.Text() + disk.NewSuffix
	f, err := files.Create(part)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(text, 0)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = files.Link(part, name)
	}
	if errors.Is(err, fs.ErrExist) {
		err = ErrPlanExists
	}
	if err := errors.Join(err, files.Remove(part)); err != nil {
		return err
	}
	return files.SyncDir(".")
}
