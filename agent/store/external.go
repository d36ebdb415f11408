package store

import (
	"context"
	"fmt"
	"io"
	"iter"

	"github.com/mqhk/mqhk/core/recovery"
)

// External is a store of which the site takes care: it saves with BRMS, HSM or
// dsmc. It holds nothing itself, so that a segment waits until the system itself
// shows that it was saved whole (observe.Receiver).
type External struct{ name string }

var _ Store = External{}

// NewExternal gives such a store.
func NewExternal(name string) External { return External{name} }

// Name gives the store's name.
func (e External) Name() string { return e.name }

// Put is ErrHoldsNothing.
func (e External) Put(_ context.Context, segment recovery.Segment, _ Facts, _ io.Reader) (recovery.Copy, error) {
	return recovery.Copy{}, e.refuse("saving", segment.ID)
}

// Verify is ErrHoldsNothing.
func (e External) Verify(_ context.Context, c recovery.Copy) error {
	return e.refuse("verifying", c.Segment)
}

// Open is ErrHoldsNothing.
func (e External) Open(_ context.Context, c recovery.Copy) (io.ReadCloser, error) {
	return nil, e.refuse("opening", c.Segment)
}

// List gives none.
func (e External) List(context.Context, string) iter.Seq2[recovery.Copy, error] {
	return func(func(recovery.Copy, error) bool) {}
}

func (e External) refuse(what string, id recovery.SegmentID) error {
	return fmt.Errorf("store %s: %s %s: %w", e.name, what, id, ErrHoldsNothing)
}
