package qmgr

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"github.com/mqhk/mqhk/core/sim/engine"
)

// Objects gives all objects in the order of their definition: of a suspended
// queue manager as they were, of an ended one none.
func (m *Manager) Objects() []engine.Object {
	if v := m.view(); v != nil {
		return v.Objects
	}
	return nil
}

// Object gives an object, a damaged one too; engine.ErrNoObject: there is none.
func (m *Manager) Object(ref engine.Ref) (engine.Object, error) {
	v := m.view()
	if v == nil {
		return engine.Object{}, fmt.Errorf("%s: %w", ref, ErrNotRunning)
	}
	for _, o := range v.Objects {
		if o.Ref == ref {
			return o, nil
		}
	}
	return engine.Object{}, fmt.Errorf("%s: %w", ref, engine.ErrNoObject)
}

// DefineObject makes an object with attributes, which are kept word for word.
func (m *Manager) DefineObject(ctx context.Context, ref engine.Ref, attributes map[string]string) error {
	need := attributesNeed(m.costs.Define, attributes) + m.tableNeeds(ref, attributes)
	return m.work(ctx, "defining "+ref.String(), need, func(e *engine.Engine) error {
		if err := e.Define(ctx, ref, attributes); err != nil {
			return err
		}
		return m.tabulated(ctx, e, ref)
	})
}

// DeleteObject deletes an object, a queue with messages only if it is to be
// purged (engine.ErrNotEmpty). One with uncommitted changes is engine.ErrInUse.
// A damaged object can be deleted.
func (m *Manager) DeleteObject(ctx context.Context, ref engine.Ref, purge bool) error {
	need := int64(m.costs.Delete) + m.tableNeeds(ref, nil)
	return m.work(ctx, "deleting "+ref.String(), need, func(e *engine.Engine) error {
		if err := e.Delete(ctx, ref, purge); err != nil {
			return err
		}
		m.mended(ref)
		return m.tabulated(ctx, e, ref)
	})
}

// ClearQueue removes every message from a local queue: CLEAR QLOCAL.
func (m *Manager) ClearQueue(ctx context.Context, name string) error {
	return m.work(ctx, "clearing queue "+name, int64(m.costs.Delete), func(e *engine.Engine) error {
		return e.Clear(ctx, name)
	})
}

// Attributes gives those of the queue manager object; nil: it has ended, or the
// object is damaged.
func (m *Manager) Attributes() map[string]string {
	o, err := m.Object(m.ownRef())
	if err != nil {
		return nil
	}
	return maps.Clone(o.Attributes)
}

// Define makes a local queue for a workload, which may be deep and hold long
// messages; it is no error
// when it is there already.
func (m *Manager) Define(ctx context.Context, queue string) error {
	err := m.DefineObject(ctx, engine.Ref{Kind: engine.Queue, Name: queue}, map[string]string{"MAXDEPTH": "999999999", "MAXMSGL": "104857600"})
	if errors.Is(err, engine.ErrExists) {
		return nil
	}
	return err
}

// Depth is the number of messages on a queue whose put is committed.
func (m *Manager) Depth(queue string) (int, error) {
	depth := 0
	err := m.use("asking for the depth of "+queue, func(e *engine.Engine) error {
		o, err := e.Object(engine.Ref{Kind: engine.Queue, Name: queue})
		if err == nil && o.Damaged {
			err = fmt.Errorf("%s: %w", o.Ref, engine.ErrDamaged)
		}
		depth = o.Depth
		return m.refused(e, err)
	})
	return depth, err
}

// Put puts a message on a queue, outside a unit of work, and gives its sequence
// there. A persistent one is durable when it returns. See [Reason] for errors.
func (m *Manager) Put(ctx context.Context, queue string, msg engine.Message) (uint64, error) {
	var sequence uint64
	err := m.work(ctx, "putting", m.putNeeds(msg), func(e *engine.Engine) (err error) {
		counts := e.Persists(queue, msg)
		sequence, err = e.Put(ctx, queue, msg)
		m.counted(err, counts)
		return err
	})
	return sequence, err
}

// Get takes the first message of a queue, outside a unit of work.
func (m *Manager) Get(ctx context.Context, queue string) (engine.Message, error) {
	var msg engine.Message
	err := m.work(ctx, "getting", int64(m.costs.Get), func(e *engine.Engine) (err error) {
		msg, err = e.Get(ctx, queue)
		m.counted(err, msg.Persistent)
		return err
	})
	return msg, err
}

// Browse goes through the messages of a queue that are available, until yield
// returns false. Yield must not call the queue manager.
func (m *Manager) Browse(queue string, yield func(engine.Message) bool) error {
	return m.use("browsing", func(e *engine.Engine) error { return m.refused(e, e.Browse(queue, yield)) })
}
