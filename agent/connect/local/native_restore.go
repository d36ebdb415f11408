package local

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/mqhk/mqhk/agent/connect"
)

// restore writes the copy beside its neighbours under a name that MQ does not
// take for an extent, and gives it its own name when it is whole and durable. A
// file that has that name stays.
func (h *held) restore(ctx context.Context, name, neighbour string, size int64, content io.Reader) error {
	beside, err := h.root.Lstat(neighbour)
	switch {
	case err != nil:
		return err
	case !beside.Mode().IsRegular() || beside.Size() != size:
		return fmt.Errorf("the copy has %d bytes and its neighbour %s %d: it is no extent of this log", size, neighbour, beside.Size())
	}
	if _, err := h.root.Lstat(name); err == nil {
		return fmt.Errorf("%s: %w", name, connect.ErrThere)
	}
	if err := h.discard(ctx, name); err != nil {
		return err
	}
	if err := h.fill(ctx, part(name), beside, content); err != nil {
		return errors.Join(err, h.discard(context.WithoutCancel(ctx), name))
	}
	// A rename would put it in the place of a file that came there meanwhile; a
	// link does not.
	err = h.root.Link(part(name), name)
	if errors.Is(err, fs.ErrExist) {
		err = fmt.Errorf("%s: %w", name, connect.ErrThere)
	}
	return errors.Join(err, h.discard(context.WithoutCancel(ctx), name), h.force(ctx))
}

// fill writes a new file whole, synced, with owner and mode of its neighbour.
func (h *held) fill(ctx context.Context, name string, beside fs.FileInfo, content io.Reader) (err error) {
	f, err := h.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := likeNeighbour(f, beside); err != nil {
		return err
	}
	written, err := io.Copy(f, whileLive{ctx, io.LimitReader(content, beside.Size()+1)})
	switch {
	case err != nil:
		return err
	case written != beside.Size():
		return fmt.Errorf("the content has not the %d bytes of its neighbours", beside.Size())
	}
	return f.Sync()
}

// discard takes the part of a restore away.
func (h *held) discard(_ context.Context, name string) error {
	info, err := h.root.Lstat(part(name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is no regular file, and nothing that mqhk left", part(name))
	}
	return h.root.Remove(part(name))
}
