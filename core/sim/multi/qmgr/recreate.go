package qmgr

import (
	"context"
	"errors"
	"fmt"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/objects"
)

// Recreate makes damaged objects anew from their images and the log that
// follows, as rcrmqobj does (SEED 7.2.2.4). It gives what became of each
// object. Where an extent is missing it is an [*Error] AMQ6767 that wraps the
// *engine.LogError, with the objects before that one done: with that extent and
// all later ones put back the same call works. On a circular log it is
// [ErrLogType], but for the files that are made of what the queue manager knows
// (reference, Multiplatforms 3.4 item 68).
func (m *Manager) Recreate(ctx context.Context, s Selection) ([]Recreation, error) {
	var all []Recreation
	err := m.work(ctx, "recreating objects", int64(m.costs.Define+m.costs.Delete), func(e *engine.Engine) error {
		found, err := s.selected(e)
		if errors.Is(err, ErrSelection) || err != nil && m.linear() {
			return err
		}
		if !m.linear() && (err != nil || !isDerived(found[0].Ref.Kind)) {
			return &Error{ID: "AMQ7044", Err: ErrLogType}
		}
		for _, o := range found {
			if s.generic() && !o.Damaged {
				continue // rcrmqobj of all objects is about the damaged ones
			}
			r := m.recreateOne(ctx, e, o)
			all = append(all, r)
			if r.Err != nil && r.Outcome == NoImage {
				return r.Err
			}
		}
		return nil
	})
	return all, err
}

// isDerived tells whether a file is made of what the queue manager knows, with
// no image.
func isDerived(kind engine.Kind) bool {
	return kind == objects.SyncFile || kind == objects.ClientChannelTable
}

func (m *Manager) recreateOne(ctx context.Context, e *engine.Engine, o engine.Object) Recreation {
	r := Recreation{Ref: o.Ref}
	done, err := m.rebuild(ctx, e, o.Ref)
	var lost *engine.LogError
	switch {
	case err == nil && done:
		m.mended(o.Ref)
		r.Outcome, r.Err = Recreated, m.tell("AMQ7081", objectInserts(o.Ref))
	case err == nil:
		r.Outcome = Sound
	case errors.Is(err, engine.ErrNotRecoverable):
		r.Outcome, r.Err = NotRecoverable, err
	case errors.As(err, &lost):
		refusal := m.unrebuildable(lost, fmt.Errorf("%w: %w", ErrNoImage, err))
		r.Outcome, r.Err = NoImage, errors.Join(refusal, m.tell(refusal.ID, refusal.Inserts))
	default:
		r.Outcome, r.Err = IsDamaged, err
	}
	return r
}

func (m *Manager) rebuild(ctx context.Context, e *engine.Engine, ref engine.Ref) (bool, error) {
	if !isDerived(ref.Kind) {
		return e.Rebuild(ctx, ref)
	}
	if err := e.Delete(ctx, ref, false); err != nil {
		return false, err
	}
	if ref == channelTable {
		return true, m.keepTable(ctx, e)
	}
	if err := e.Define(ctx, ref, nil); err != nil {
		return true, err
	}
	return true, e.Harden(ctx, ref)
}
