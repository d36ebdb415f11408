package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/mqhk/mqhk/core/wal/disk"
)

// keptFiles keeps each content in a file beside its manifest.
type keptFiles struct {
	files    disk.FS
	compress bool
	refuse   func(Facts) error
}

func (k keptFiles) accept(facts Facts) error { return k.refuse(facts) }

// keep writes a part, syncs it, reads it back and compares it, renames it and
// syncs the folder.
func (k keptFiles) keep(ctx context.Context, m *Manifest, length int64, from io.Reader) error {
	if k.compress {
		m.Encoding = Zstd
	}
	part := folderOf(m.QueueManager) + "/" + m.identity().stem() + ".content" + partSuffix
	err := writeContent(k.files, part, m, from)
	if err == nil {
		err = m.checkLength(length)
	}
	if err == nil {
		if err = k.read(ctx, *m, part); err != nil {
			err = fmt.Errorf("reading it back: %w", err)
		}
	}
	if err != nil {
		return errors.Join(err, dropPart(k.files, part))
	}
	return settle(k.files, part, m.contentPath())
}

func (k keptFiles) compare(ctx context.Context, m Manifest) error {
	return k.read(ctx, m, m.contentPath())
}

// read reads a file that holds a content to its end.
func (k keptFiles) read(ctx context.Context, m Manifest, name string) error {
	content, err := openContent(k.files, name, m)
	if err != nil {
		return err
	}
	_, err = io.CopyBuffer(onlyWriter{io.Discard}, &paced{ctx: ctx, from: content}, make([]byte, min(blockSize, m.Bytes)))
	return errors.Join(err, content.Close())
}

func (k keptFiles) open(ctx context.Context, m Manifest) (io.ReadCloser, error) {
	content, err := openContent(k.files, m.contentPath(), m)
	if err != nil {
		return nil, err
	}
	return opened{&paced{ctx: ctx, from: content}, content}, nil
}

// opened is a content that ends with its context.
type opened struct {
	io.Reader
	io.Closer
}

// present looks for the file and its size.
func (k keptFiles) present(m Manifest) error {
	f, err := openSized(k.files, m.contentPath(), m)
	if err != nil {
		return err
	}
	return f.Close()
}

// settled removes contents of the segment that its manifest does not speak
// of: of a damaged copy that was replaced, or of one that a crash left without
// a manifest.
func (k keptFiles) settled(m Manifest) error {
	folder, stem := folderOf(m.QueueManager), m.identity().stem()
	names, err := k.files.List(folder)
	if err != nil {
		return err
	}
	removed := false
	for _, name := range names {
		path := folder + "/" + name
		if !strings.HasPrefix(name, stem+".") || path == m.contentPath() || path == m.identity().manifestPath() {
			continue
		}
		if err := dropPart(k.files, path); err != nil {
			return err
		}
		removed = true
	}
	if removed {
		return k.files.SyncDir(folder)
	}
	return nil
}
