package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// removedSuffix is that of a manifest whose copy is being removed. It is none
// any more, and says that the content has to go.
const removedSuffix = ".removed"

func (i identity) removedPath() string {
	return folderOf(i.segment.QueueManager) + "/" + i.stem() + removedSuffix
}

// Remove removes a copy, durably. The store asks nothing: that no recovery
// needs it is for the caller to know ([Prunable]).
//
// The manifest goes first, so that what is left of a removal that was cut short
// counts as no copy; who writes in the folder next completes it. A copy that is
// there no more, or has another content, is ErrNotThere; a manifest that can't
// be read stays, with all that it may stand for.
func (c *catalogue) Remove(ctx context.Context, cp recovery.Copy) error {
	if err := c.remove(ctx, cp); err != nil {
		return fmt.Errorf("store %s: removing %s: %w", c.name, cp.Segment, err)
	}
	return nil
}

func (c *catalogue) remove(ctx context.Context, cp recovery.Copy) (err error) {
	i := identityOf(cp)
	if _, err := c.manifestOf(cp); err != nil { // before a folder is made
		return err
	}
	release, err := c.alone(ctx, i)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	if _, err := c.manifestOf(cp); err != nil { // another may have been put meanwhile
		return err
	}
	folder := folderOf(i.segment.QueueManager)
	if err := c.files.Rename(i.manifestPath(), i.removedPath()); err != nil {
		return err
	}
	if err := c.files.SyncDir(folder); err != nil {
		return err
	}
	return finishRemoval(c.files, folder, i.stem())
}

// Remove is ErrNotRemoved: what the site's archive keeps it removes itself.
func (c *Command) Remove(_ context.Context, cp recovery.Copy) error {
	return fmt.Errorf("store %s: removing %s: %w", c.name, cp.Segment, ErrNotRemoved)
}

// Remove is ErrHoldsNothing.
func (e External) Remove(_ context.Context, c recovery.Copy) error {
	return e.refuse("removing", c.Segment)
}

// finishRemoval removes what is left of a segment whose manifest was renamed
// away: its content, and then what says so.
func finishRemoval(files disk.FS, folder, stem string) error {
	removed := folder + "/" + stem + removedSuffix
	if err := clearAway(files, folder, stem, removed); err != nil {
		return err
	}
	if err := dropPart(files, removed); err != nil {
		return err
	}
	return files.SyncDir(folder)
}

// finishRemovals completes the removals that a crash cut short in a folder that
// nobody writes in. Where the segment was put again since, its new copy stays.
func finishRemovals(files disk.FS, folder string, names []string) error {
	for _, name := range names {
		stem, removed := strings.CutSuffix(name, removedSuffix)
		if !removed {
			continue
		}
		again, err := isThere(files, folder+"/"+stem+manifestSuffix)
		switch {
		case err != nil:
			return err
		case again:
			err = dropPart(files, folder+"/"+name)
		default:
			err = finishRemoval(files, folder, stem)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func isThere(files disk.FS, name string) (bool, error) {
	f, err := files.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, f.Close()
}
