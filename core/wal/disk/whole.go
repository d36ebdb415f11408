package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
)

// NewSuffix is what the name of a file ends with until it is whole. A crash may
// leave a file with such a name; who keeps a folder tidy removes it.
const NewSuffix = ".new"

// Replace gives a file a new content, durably and as a whole: after a crash it
// has the old content or the new one. What an earlier crash left of a
// replacement is overwritten.
func Replace(d FS, name string, content []byte) error {
	err := replace(d, name, content, true)
	if err == nil {
		err = d.SyncDir(path.Dir(name))
	}
	return replacing(name, err)
}

// ReplaceNoSyncDir is Replace without the sync of the folder, for who replaces
// several files and syncs the folder once behind them: the content is on the
// disk, but until a [FS.SyncDir] of the folder has returned nil a crash may
// bring the old file back, whatever it leaves of other names.
func ReplaceNoSyncDir(d FS, name string, content []byte) error {
	return replacing(name, replace(d, name, content, true))
}

// ReplaceNoSync is Replace without any sync, for rehearsals: whole if the
// process ends at any point, not if the system does.
func ReplaceNoSync(d FS, name string, content []byte) error {
	return replacing(name, replace(d, name, content, false))
}

func replacing(name string, err error) error {
	if err != nil {
		return fmt.Errorf("replacing %s: %w", name, err)
	}
	return nil
}

func replace(d FS, name string, content []byte, sync bool) error {
	if err := d.Remove(name + NewSuffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := d.Create(name + NewSuffix)
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
	return d.Rename(name+NewSuffix, name)
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
