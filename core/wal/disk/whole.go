package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
)

// newSuffix is how a file is called until it is whole.
const newSuffix = ".new"

// Replace gives a file a new content, durably and as a whole: after a crash it
// has the old content or the new one. What an earlier crash left of a
// replacement is overwritten.
func Replace(d FS, name string, content []byte) error {
	if err := replace(d, name, content, true); err != nil {
		return fmt.Errorf("replacing %s: %w", name, err)
	}
	return nil
}

// ReplaceNoSync is Replace without the syncs, for rehearsals: whole if the
// process ends at any point, not if the system does.
func ReplaceNoSync(d FS, name string, content []byte) error {
	if err := replace(d, name, content, false); err != nil {
		return fmt.Errorf("replacing %s: %w", name, err)
	}
	return nil
}

func replace(d FS, name string, content []byte, sync bool) error {
	if err := d.Remove(name + newSuffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := d.Create(name + newSuffix)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(content, 0)
	if err == nil && sync {
		err = f.Sync()
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err := d.Rename(name+newSuffix, name); err != nil || !sync {
		return err
	}
	return d.SyncDir(path.Dir(name))
}

// ReadAll gives the content of a file.
func ReadAll(d FS, name string) ([]byte, error) {
	f, err := d.Open(name)
	if err != nil {
		return nil, err
	}
	size, err := f.Size()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	content := make([]byte, size)
	if _, err := f.ReadAt(content, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, errors.Join(err, f.Close())
	}
	return content, f.Close()
}
