package run

import (
	"context"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

// hands is a connection that is watched where it changes something.
type hands struct {
	connect.Dialer
	opened func()                                                         // before a writer is handed out
	remove func(ctx context.Context, id recovery.SegmentID, unsaved bool) // before a segment is let go
	force  func(next func() error) error

	sent  []string             // commands, in order
	saved []recovery.SegmentID // segments that were read
}

// watch has a station's writers watched.
func (s *station) watch() *hands {
	h := &hands{}
	before := s.wrap
	s.wrap = func(d connect.Dialer) connect.Dialer {
		if before != nil {
			d = before(d)
		}
		h.Dialer = d
		return h
	}
	return h
}

func (h *hands) Writer(ctx context.Context) (connect.Writer, error) {
	if h.opened != nil {
		h.opened()
	}
	writer, err := h.Dialer.Writer(ctx)
	if err != nil {
		return nil, err
	}
	return watchedWriter{writer, h}, nil
}

type watchedWriter struct {
	connect.Writer
	hands *hands
}

func (w watchedWriter) Do(ctx context.Context, c plugins.Command) (observe.Answer, plugins.State, error) {
	w.hands.sent = append(w.hands.sent, c.Text)
	return w.Writer.Do(ctx, c)
}

func (w watchedWriter) Remove(ctx context.Context, r connect.Removal) (observe.Answer, plugins.State, error) {
	if w.hands.remove != nil {
		w.hands.remove(ctx, r.Segment, r.Unsaved)
	}
	return w.Writer.Remove(ctx, r)
}

func (w watchedWriter) Force(ctx context.Context) error {
	next := func() error { return w.Writer.Force(ctx) }
	if w.hands.force == nil {
		return next()
	}
	return w.hands.force(next)
}

func (w watchedWriter) Save(ctx context.Context, id recovery.SegmentID, store connect.Store) (connect.Content, error) {
	w.hands.saved = append(w.hands.saved, id)
	return w.Writer.Save(ctx, id, store)
}
