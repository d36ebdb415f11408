package qmgr

import (
	"context"
	"errors"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/objects"
)

// noticeDamage tells of every object that is damaged and was not told of
// (AMQ7472), and has the queue manager end if it is its own (SEED 7.2.2.6;
// reference, Multiplatforms 4.2 item 84).
func (m *Manager) noticeDamage(e *engine.Engine) {
	for _, o := range e.Objects() {
		if !o.Damaged || m.toldOf(o.Ref) {
			continue
		}
		m.owner.fail(m.tellDamage(o.Ref))
		if o.Ref.Kind == objects.QueueManager {
			m.doomed.Store(true)
		}
	}
}

// toldOf tells whether an object's damage was told of, and remembers that it
// is now.
func (m *Manager) toldOf(ref engine.Ref) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	told := m.damaged[ref]
	m.damaged[ref] = true
	return told
}

// mended forgets that an object was damaged.
func (m *Manager) mended(ref engine.Ref) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.damaged, ref)
}

func (m *Manager) tellDamage(ref engine.Ref) error { return m.tell("AMQ7472", objectInserts(ref)) }

// objectInserts are those of messages about an object.
func objectInserts(ref engine.Ref) Inserts {
	return Inserts{C1: ref.Name, C2: objects.WordOf(ref.Kind)}
}

// announce tells of what a start found damaged: AMQ7472 of each, AMQ7081 of
// what it has made anew.
func (m *Manager) announce(e *engine.Engine, done engine.Restarted) error {
	m.mu.Lock()
	clear(m.damaged)
	m.mu.Unlock()
	var err error
	for _, ref := range done.Rebuilt {
		err = errors.Join(err, m.tellDamage(ref), m.tell("AMQ7081", objectInserts(ref)))
	}
	m.noticeDamage(e)
	return err
}

// Damage damages an object, as a bad disk would: a fault. AMQ7472 tells of it;
// if it is the queue manager object, the queue manager ends.
func (m *Manager) Damage(ctx context.Context, ref engine.Ref) error {
	return m.work(ctx, "damaging "+ref.String(), int64(m.costs.Delete), func(e *engine.Engine) error {
		if err := e.Damage(ctx, ref); err != nil {
			return err
		}
		m.noticeDamage(e)
		return nil
	})
}

// Verify reads the file of an object, as the first use of it after a start
// would: one that is not what it should be is damaged from then on.
func (m *Manager) Verify(ctx context.Context, ref engine.Ref) error {
	return m.work(ctx, "opening "+ref.String(), int64(m.costs.Delete), func(e *engine.Engine) error {
		return e.Verify(ctx, ref)
	})
}
