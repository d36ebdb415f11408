package run

import (
	"context"
	"io"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

// The changes that a hook sees.
const (
	opens    = "open" // a writer is handed out
	removes  = "remove"
	marks    = "mark"
	saves    = "save"
	restores = "restore"
	forces   = "force"
)

// hook is a connection at which a test stands beside: it sees each change before
// it is made and after it, and lets happen what it wants meanwhile.
type hook struct {
	connect.Dialer
	before func(what string, id recovery.SegmentID)
	after  func(what string, id recovery.SegmentID, done bool)
	read   func(io.Reader) io.Reader // the content that a restore gets
}

func (h *hook) Writer(ctx context.Context) (connect.Writer, error) {
	h.begin(opens, recovery.SegmentID{})
	w, err := h.Dialer.Writer(ctx)
	return hookedWriter{w, h}, err
}

func (h *hook) begin(what string, id recovery.SegmentID) {
	if h.before != nil {
		h.before(what, id)
	}
}

func (h *hook) end(what string, id recovery.SegmentID, done bool) {
	if h.after != nil {
		h.after(what, id, done)
	}
}

type hookedWriter struct {
	connect.Writer
	hook *hook
}

func (w hookedWriter) Remove(ctx context.Context, r connect.Removal) (observe.Answer, plugins.State, error) {
	w.hook.begin(removes, r.Segment)
	answer, state, err := w.Writer.Remove(ctx, r)
	w.hook.end(removes, r.Segment, state == plugins.Done)
	return answer, state, err
}

func (w hookedWriter) MarkArchived(ctx context.Context, id recovery.SegmentID) (observe.Answer, plugins.State, error) {
	w.hook.begin(marks, id)
	answer, state, err := w.Writer.MarkArchived(ctx, id)
	w.hook.end(marks, id, state == plugins.Done)
	return answer, state, err
}

func (w hookedWriter) Save(ctx context.Context, id recovery.SegmentID, s connect.Store) (connect.Content, error) {
	w.hook.begin(saves, id)
	return w.Writer.Save(ctx, id, s)
}

func (w hookedWriter) Restore(ctx context.Context, c recovery.Copy, s connect.Store, content io.Reader) (observe.Answer, error) {
	w.hook.begin(restores, c.Segment)
	if w.hook.read != nil {
		content = w.hook.read(content)
	}
	answer, err := w.Writer.Restore(ctx, c, s, content)
	w.hook.end(restores, c.Segment, err == nil)
	return answer, err
}

func (w hookedWriter) Force(ctx context.Context) error {
	w.hook.begin(forces, recovery.SegmentID{})
	err := w.Writer.Force(ctx)
	w.hook.end(forces, recovery.SegmentID{}, err == nil)
	return err
}
