package qmgr

import (
	"context"
	"errors"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
	"github.com/mqhk/mqhk/core/sim/multi/objects"
)

// Image records the media images of objects, as rcdmqimg does, takes a
// checkpoint and so tells which extents are needed now (reference,
// Multiplatforms 4.1 items 76 and 79). It gives what became of each object; one
// that fails does not keep the others from it. On a circular log it is
// [ErrLogType]; where nothing has the type and the name, engine.ErrNoObject.
func (m *Manager) Image(ctx context.Context, s Selection) ([]Imaged, error) {
	var all []Imaged
	err := m.use("recording media images", func(e *engine.Engine) error {
		if !m.linear() {
			return &Error{ID: "AMQ7044", Err: ErrLogType}
		}
		found, err := s.selected(e)
		if err != nil {
			return err
		}
		if all, err = m.imageEach(ctx, e, found); err != nil {
			return err
		}
		m.working.Lock()
		defer m.working.Unlock()
		if err := m.refused(e, m.checkpoint(ctx, e)); err != nil {
			return err
		}
		m.owner.unreported.Store(false)
		m.event(ctx, e)
		return nil
	})
	m.fall(ctx)
	return all, err
}

func (m *Manager) linear() bool { return m.conf().log.Kind == extents.Linear }

// imageEach records an image of each of some objects. An error is one that
// ends it all.
func (m *Manager) imageEach(ctx context.Context, e *engine.Engine, found []engine.Object) ([]Imaged, error) {
	var all []Imaged
	for _, o := range found {
		outcome, err := m.imageOne(ctx, e, o)
		if err != nil {
			return all, err
		}
		if outcome != "" {
			all = append(all, Imaged{Ref: o.Ref, Outcome: outcome})
		}
	}
	return all, nil
}

// imageOne records an image; no outcome: the object was deleted meanwhile.
func (m *Manager) imageOne(ctx context.Context, e *engine.Engine, o engine.Object) (Outcome, error) {
	if o.Damaged {
		return IsDamaged, nil
	}
	if isTemporary(o.Attributes) {
		return Temporary, nil
	}
	if !o.Recoverable {
		return NotRecoverable, nil
	}
	switch err := m.record(ctx, e, o, e.Image); {
	case err == nil:
		return Recorded, nil
	case errors.Is(err, engine.ErrDamaged):
		return IsDamaged, nil
	case errors.Is(err, engine.ErrNotRecoverable):
		return NotRecoverable, nil
	case errors.Is(err, engine.ErrNoObject):
		return "", nil
	default:
		return "", m.refused(e, err)
	}
}

// imageAtEnd records what every clean end does: processes, queues that are not
// local, empty local queues (SEED 7.2.2.3).
func (m *Manager) imageAtEnd(ctx context.Context, e *engine.Engine) error {
	if !m.linear() {
		return nil
	}
	var cheap []engine.Object
	for _, o := range e.Objects() {
		if !o.Damaged && imagedAtEnd(o) {
			cheap = append(cheap, o)
		}
	}
	_, err := m.imageEach(ctx, e, cheap)
	return err
}

func imagedAtEnd(o engine.Object) bool {
	switch o.Ref.Kind {
	case objects.Process, objects.RemoteQueue, objects.AliasQueue, objects.ModelQueue:
		return true
	case engine.Queue:
		return o.Depth == 0 && o.Uncommitted == 0
	}
	return false
}
