package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/core/wal/disk"
)

// keptFiles keeps each content in a file beside its manifest.
type keptFiles struct {
	files  disk.FS
	frame  int64 // bytes of content in a frame of a compressed copy; 0: copies are as they are
	refuse func(Facts) error
}

func (k keptFiles) accept(facts Facts) error { return k.refuse(facts) }

// keep writes a part, syncs it, reads it back and compares it, renames it and
// syncs the folder.
func (k keptFiles) keep(ctx context.Context, m *Manifest, how manner, from io.Reader) error {
	if k.frame > 0 {
		m.Encoding, m.FrameBytes = Zstd, k.frame
	}
	part := folderOf(m.QueueManager) + "/" + m.identity().stem() + ".content" + partSuffix
	err := writeContent(ctx, k.files, part, m, how.gently, from)
	if err == nil {
		err = m.checkLength(how.length)
	}
	if err == nil {
		if err = k.read(ctx, *m, part, how.gently); err != nil {
			err = fmt.Errorf("reading it back: %w", err)
		}
	}
	if err != nil {
		return errors.Join(err, dropPart(k.files, part))
	}
	return settle(k.files, part, m.contentPath())
}

func (k keptFiles) compare(ctx context.Context, m Manifest, gently bool) error {
	return k.read(ctx, m, m.contentPath(), gently)
}

// read reads a file that holds a content to its end.
func (k keptFiles) read(ctx context.Context, m Manifest, name string, gently bool) error {
	if m.FrameBytes > 0 {
		return k.readFrames(ctx, m, name, gently)
	}
	content, err := openContent(k.files, name, m)
	if err != nil {
		return err
	}
	_, err = io.CopyBuffer(onlyWriter{io.Discard}, &paced{ctx: ctx, from: content}, make([]byte, min(blockSize, m.Bytes)))
	return errors.Join(err, content.Close())
}

func (k keptFiles) readFrames(ctx context.Context, m Manifest, name string, gently bool) error {
	f, err := openSized(k.files, name, m)
	if err != nil {
		return err
	}
	frames, err := openFrames(f, m)
	if err == nil {
		err = compareFrames(ctx, frames, gently)
	}
	return errors.Join(err, f.Close())
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
	i := m.identity()
	return clearAway(k.files, folderOf(m.QueueManager), i.stem(), m.contentPath(), i.manifestPath())
}

// clearAway removes all files of a segment but some, durably.
func clearAway(files disk.FS, folder, stem string, but ...string) error {
	names, err := files.List(folder)
	if err != nil {
		return err
	}
	removed := false
	for _, name := range names {
		path := folder + "/" + name
		if !strings.HasPrefix(name, stem+".") || slices.Contains(but, path) {
			continue
		}
		if err := dropPart(files, path); err != nil {
			return err
		}
		removed = true
	}
	if removed {
		return files.SyncDir(folder)
	}
	return nil
}
