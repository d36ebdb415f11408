package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"strings"
	"time"

	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// catalogue keeps the manifests of a store, and with its keeper is one.
type catalogue struct {
	name  string        // of the store
	files disk.FS       // where the manifests are
	own   *folders      // who of all processes writes in a folder
	turns chan struct{} // contents that are kept at a time
	now   func() time.Time
	form  Form  // of what is put without one
	pace  *pace // of what is read of segments
	// logPace is that of a log on this machine; nil: the same.
	logPace *pace
	full    bool // nothing is done at low priority
	kept    keeper
}

// Entry is a copy with all that its manifest says.
type Entry struct {
	Manifest Manifest
	Copy     recovery.Copy
	// Problem says why the copy counts as none; nil: it is verified.
	Problem error
}

// Name gives the store's name.
func (c *catalogue) Name() string { return c.name }

// List gives the copies of one queue manager, or of all when none is named.
func (c *catalogue) List(ctx context.Context, queueManager string) iter.Seq2[recovery.Copy, error] {
	return func(yield func(recovery.Copy, error) bool) {
		for entry, err := range c.Entries(ctx, queueManager) {
			if !yield(entry.Copy, err) {
				return
			}
		}
	}
}

// Entries is List with what the manifests say beside. An error names the file
// and wraps ErrManifest where that is damaged; the sequence goes on after it.
func (c *catalogue) Entries(ctx context.Context, queueManager string) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		folders, err := c.folders(queueManager)
		if err != nil {
			yield(Entry{}, fmt.Errorf("store %s: listing: %w", c.name, err))
			return
		}
		for _, folder := range folders {
			if !c.entriesOf(ctx, folder, yield) {
				return
			}
		}
	}
}

// folders gives the folder of a queue manager, or all of them.
func (c *catalogue) folders(queueManager string) ([]string, error) {
	if queueManager != "" {
		return []string{folderOf(queueManager)}, nil
	}
	names, err := c.files.List(".")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var folders []string
	for _, name := range names {
		if strings.HasSuffix(name, folderSuffix) {
			folders = append(folders, name)
		}
	}
	return folders, nil
}

func (c *catalogue) entriesOf(ctx context.Context, folder string, yield func(Entry, error) bool) bool {
	names, err := c.files.List(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return true
	}
	if err != nil {
		return yield(Entry{}, fmt.Errorf("store %s: listing %s: %w", c.name, folder, err))
	}
	for _, name := range names {
		if !strings.HasSuffix(name, manifestSuffix) {
			continue
		}
		if err := ctx.Err(); err != nil {
			yield(Entry{}, fmt.Errorf("store %s: listing %s: %w", c.name, folder, err))
			return false
		}
		m, err := c.read(folder + "/" + name)
		if err != nil {
			err = fmt.Errorf("store %s: %w", c.name, err)
		}
		if !yield(c.entry(m, err)) {
			return false
		}
	}
	return true
}

func (c *catalogue) entry(m Manifest, err error) (Entry, error) {
	if err != nil {
		return Entry{}, err
	}
	problem := c.kept.present(m)
	if problem == nil && m.Damage != nil {
		problem = fmt.Errorf("%w: found %s: %s", ErrDamaged, m.Damage.Found.Format(time.RFC3339), m.Damage.Why)
	}
	return Entry{m, m.copyIn(c.name, problem == nil), problem}, nil
}

// read reads a manifest and makes sure that it belongs where it lies: one that
// was copied to another name would stand for another segment.
func (c *catalogue) read(name string) (Manifest, error) {
	text, err := readText(c.files, name)
	if err != nil {
		return Manifest{}, fmt.Errorf("reading %s: %w", name, err)
	}
	m, err := readManifest(text)
	if err != nil {
		return Manifest{}, fmt.Errorf("%s: %w", name, err)
	}
	if at := m.identity().manifestPath(); at != name {
		return Manifest{}, fmt.Errorf("%s: %w: it belongs to %s", name, ErrManifest, at)
	}
	return m, nil
}

// find gives the manifest of a segment, or ErrNotThere.
func (c *catalogue) find(i identity) (Manifest, error) {
	m, err := c.read(i.manifestPath())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Manifest{}, ErrNotThere
	case err == nil && m.identity() != i:
		return Manifest{}, fmt.Errorf("%s: %w: it is of another segment", i.manifestPath(), ErrManifest)
	}
	return m, err
}

// manifestOf gives the manifest that a copy was listed from.
func (c *catalogue) manifestOf(cp recovery.Copy) (Manifest, error) {
	m, err := c.find(identityOf(cp))
	if err == nil && m.SHA256 != cp.SHA256 {
		err = fmt.Errorf("with SHA-256 %s, but one with %s: %w", cp.SHA256, m.SHA256, ErrNotThere)
	}
	return m, err
}

// write makes a manifest durable. The folder is locked.
func (c *catalogue) write(m Manifest) error {
	text, err := m.encode()
	if err != nil {
		return err
	}
	if err := writeWhole(c.files, m.identity().manifestPath(), text); err != nil {
		return fmt.Errorf("writing the manifest: %w", err)
	}
	return nil
}

// alone makes the folder of a segment's queue manager, and keeps everybody
// else from the segment until it is released. When no other process and nobody
// of this one is in the folder, what a crash left there is cleared away.
func (c *catalogue) alone(ctx context.Context, i identity) (release func() error, err error) {
	folder := folderOf(i.segment.QueueManager)
	if err := c.files.MkdirAll(folder); err != nil {
		return nil, err
	}
	return c.own.enter(ctx, folder, i.stem(), func() error { return sweep(c.files, folder) })
}

// judge writes down what a whole reading found, when it is not what the
// manifest says already, and gives it back. Damage that can't be written down
// is damage no less.
func (c *catalogue) judge(ctx context.Context, m Manifest, found error) error {
	damaged := errors.Is(found, ErrDamaged)
	if !damaged && found != nil || damaged == (m.Damage != nil) {
		return found
	}
	release, err := c.alone(ctx, m.identity())
	if err != nil {
		return errors.Join(found, fmt.Errorf("writing down what was found: %w", err))
	}
	now, err := c.find(m.identity())
	if err == nil && now.SHA256 == m.SHA256 && now.Made.Equal(m.Made) { // else it was put again meanwhile
		now.Damage = nil
		if damaged {
			now.Damage = &Damage{c.now().UTC().Round(0), found.Error()}
		}
		err = c.write(now)
	}
	return errors.Join(found, err, release())
}
