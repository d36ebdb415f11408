package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
)

// External is a store of which the site takes care: it saves with BRMS, HSM or
// dsmc. It holds nothing itself, so that a segment waits until [Saved] proves
// that it was saved.
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

// SaveFacts is what the system itself says of a segment's save.
type SaveFacts struct {
	State  recovery.State // as core/observe reads the status
	Closed string         // detach time, as the system's clock showed it
	Saved  string         // save time, on the same clock
}

// ErrNotProved says that a segment can't be taken for saved.
var ErrNotProved = errors.New("not proved to be saved")

// Saved proves that the site saved a segment whole: the status is SAVED or
// FREED, and the save came after the detach. A save of an attached receiver is
// partial (reference IBM i, trap 16), and one in the second of the detach may
// have begun before it: times have no finer parts that can be compared (case
// 2). A nil error is the proof; any other wraps ErrNotProved and says what is
// missing.
func Saved(f SaveFacts) error {
	closed, errClosed := observe.ParseStamp(f.Closed)
	saved, errSaved := observe.ParseStamp(f.Saved)
	switch {
	case f.State != recovery.Saved && f.State != recovery.Freed:
		return fmt.Errorf("%w: its status is %s", ErrNotProved, f.State)
	case errClosed != nil || errSaved != nil:
		return fmt.Errorf("%w: %w", ErrNotProved, errors.Join(errClosed, errSaved))
	case saved.IsZero():
		return fmt.Errorf("%w: the status is %s, but there is no save time", ErrNotProved, f.State)
	case closed.IsZero():
		return fmt.Errorf("%w: it is not known when it was detached", ErrNotProved)
	case !saved.Second().After(closed.Second().Time):
		return fmt.Errorf("%w: saved at %s, not after it was detached at %s", ErrNotProved, saved, closed)
	}
	return nil
}
