package qmgr

import (
	"context"
	"errors"
	"fmt"

	"github.com/mqhk/mqhk/core/sim/engine"
)

// RecordImages records the media images of objects, as RCDMQMIMG does, and
// gives how many. Deep queues go into the journal message by message, over as
// many receivers as that takes. With all objects and DSPJRNDTA(*YES) it takes
// a checkpoint and publishes the recovery points; otherwise the media marks
// move without anybody seeing it yet. Damaged objects are left out and named
// in a *[DamagedError], when everything else is done.
func (m *Manager) RecordImages(ctx context.Context, s Selection) (int, error) {
	count := 0
	var damaged DamagedError
	err := m.work(ctx, "recording media images", func(e *engine.Engine) error {
		m.working.Lock()
		defer m.working.Unlock()
		objects, err := s.selected(e)
		if err != nil {
			return err
		}
		for _, o := range objects {
			err := e.Image(ctx, o.Ref)
			switch {
			case errors.Is(err, engine.ErrDamaged):
				damaged.Objects = append(damaged.Objects, o.Ref)
			case errors.Is(err, engine.ErrNoObject): // deleted meanwhile
			case err != nil:
				return err
			default:
				count++
			}
		}
		return m.afterImages(ctx, e, s)
	})
	if len(damaged.Objects) > 0 {
		err = errors.Join(err, &damaged)
	}
	return count, err
}

// afterImages does what the command does beside images.
func (m *Manager) afterImages(ctx context.Context, e *engine.Engine, s Selection) error {
	if !s.everything() || !s.Checkpoint {
		return m.on(ctx, onSomeImage, e)
	}
	// The checkpoint and publication for receivers that the images have filled
	// are these.
	changed := m.owner.changed.Swap(false)
	err := m.on(ctx, onImages, e)
	if err != nil && changed {
		m.owner.changed.Store(true)
	}
	return err
}

// Recreate makes damaged objects anew from their images, as RCRMQMOBJ does,
// and gives how many; what is not damaged stays as it is. AMQ7461 tells of
// each. Where the journal does not reach back to the image, it is an
// *os400.Error AMQ7432 that wraps the *engine.LogError, on QMQMMSG too; the
// objects before that one are done.
func (m *Manager) Recreate(ctx context.Context, s Selection) (int, error) {
	count := 0
	err := m.work(ctx, "re-creating objects", func(e *engine.Engine) error {
		objects, err := s.selected(e)
		if err != nil {
			return err
		}
		for _, o := range objects {
			done, err := e.Rebuild(ctx, o.Ref)
			if err != nil {
				return fmt.Errorf("re-creating %s: %w", o.Ref, err)
			}
			if !done {
				continue
			}
			count++
			if err := m.announce("AMQ7461", []engine.Ref{o.Ref}); err != nil {
				return err
			}
		}
		return nil
	})
	return count, err
}
