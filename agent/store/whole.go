package store

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/mqhk/mqhk/core/wal/disk"
)

// writeWhole gives a small file its content: written under another name,
// synced, read back, renamed, the folder synced. disk.Replace does the same but
// for the reading back, without which a manifest could not be relied on.
func writeWhole(files disk.FS, name string, content []byte) error {
	part := name + partSuffix
	f, err := createPart(files, part)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(content, 0)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = sameContent(files, part, content)
	}
	if err != nil {
		return errors.Join(err, dropPart(files, part))
	}
	return settle(files, part, name)
}

func sameContent(files disk.FS, name string, want []byte) error {
	got, err := disk.ReadAll(files, name)
	if err == nil && !bytes.Equal(got, want) {
		err = fmt.Errorf("reading %s back: %w", name, ErrDamaged)
	}
	return err
}

// settle gives a part its name, durably.
func settle(files disk.FS, part, name string) error {
	if err := files.Rename(part, name); err != nil {
		return errors.Join(err, dropPart(files, part))
	}
	return files.SyncDir(path.Dir(name))
}

// createPart begins a part; what an earlier one left is gone.
func createPart(files disk.FS, part string) (disk.File, error) {
	if err := dropPart(files, part); err != nil {
		return nil, err
	}
	return files.Create(part)
}

func dropPart(files disk.FS, part string) error {
	if err := files.Remove(part); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// sweep removes the parts that a crash left in a folder that is locked: they
// hold message bodies, and nobody is writing them any more. Removals that it cut
// short are completed.
func sweep(files disk.FS, folder string) error {
	names, err := files.List(folder)
	if err != nil {
		return err
	}
	for _, name := range names {
		if strings.HasSuffix(name, partSuffix) {
			if err := dropPart(files, folder+"/"+name); err != nil {
				return err
			}
		}
	}
	return finishRemovals(files, folder, names)
}

// readText gives the content of a manifest's file.
func readText(files disk.FS, name string) ([]byte, error) {
	f, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	size, err := f.Size()
	if err == nil && size > longestManifest {
		err = fmt.Errorf("%w: it has %d bytes, more than %d", ErrManifest, size, longestManifest)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	content := make([]byte, size)
	n, err := f.ReadAt(content, 0)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return content[:n], errors.Join(err, f.Close())
}
