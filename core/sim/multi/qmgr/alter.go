package qmgr

import (
	"context"
	"errors"

	"github.com/mqhk/mqhk/core/sim/engine"
)

// AlterManager replaces the attributes of the queue manager object: ALTER QMGR.
func (m *Manager) AlterManager(ctx context.Context, attributes map[string]string) error {
	return m.AlterObject(ctx, m.ownRef(), attributes)
}

// AlterObject replaces the attributes of an object. Whatever becomes recoverable
// by them - a queue by its IMGRCOVQ, many objects by those of the queue manager -
// has its image first, durably: extents of before may be gone, and MEDIALOG does
// not go back to them. Without room for that nothing is altered.
func (m *Manager) AlterObject(ctx context.Context, ref engine.Ref, attributes map[string]string) error {
	m.altering.Lock()
	defer m.altering.Unlock()
	err := m.use("altering "+ref.String(), func(e *engine.Engine) error {
		err := m.imageAhead(ctx, e, ref, attributes)
		if err != nil {
			e.Forgo()
		}
		return err
	})
	if err != nil {
		m.fall(ctx)
		return err
	}
	need := attributesNeed(m.costs.Alter, attributes) + m.tableNeeds(ref, attributes)
	return m.work(ctx, "altering "+ref.String(), need, func(e *engine.Engine) error {
		if err := e.Alter(ctx, ref, attributes); err != nil {
			e.Forgo()
			return err
		}
		were := m.eventsOn()
		if m.learn(e); !were {
			m.owner.unreported.Store(true)
		}
		return m.tabulated(ctx, e, ref)
	})
}

// imageAhead records the images, each as there is room for it. What was damaged
// or deleted meanwhile has none.
func (m *Manager) imageAhead(ctx context.Context, e *engine.Engine, ref engine.Ref, attributes map[string]string) error {
	for _, o := range e.Becoming(ref, attributes) {
		err := m.record(ctx, e, o, e.ImageAhead)
		if err != nil && !errors.Is(err, engine.ErrDamaged) && !errors.Is(err, engine.ErrNoObject) {
			return m.refused(e, err)
		}
	}
	return nil
}

// record records an image once there is room for it.
func (m *Manager) record(ctx context.Context, e *engine.Engine, o engine.Object, image func(context.Context, ...engine.Ref) error) error {
	need, err := m.imageNeeds(e, o)
	if err != nil {
		return err
	}
	if err := m.admit(ctx, e, need); err != nil {
		return err
	}
	defer m.release(need)
	return image(ctx, o.Ref)
}
