package qmgr

import (
	"context"
	"errors"
	"fmt"

	"github.com/mqhk/mqhk/core/sim/engine"
)

// Suspend takes the queue manager out of memory between two commands of the
// simulator, so that [Manager.Resume] goes on as if nothing had been: no
// checkpoint, no message, no record. Afterwards only questions are answered.
func (m *Manager) Suspend(ctx context.Context) error {
	m.life.Lock()
	defer m.life.Unlock()
	if m.engine == nil {
		return fmt.Errorf("suspending queue manager %s: %w", m.name, ErrNotRunning)
	}
	if err := m.suspend(ctx); err != nil {
		return fmt.Errorf("suspending queue manager %s: %w", m.name, err)
	}
	return nil
}

func (m *Manager) suspend(ctx context.Context) error {
	v := m.look()
	if err := m.save(suspendedStateFile, v); err != nil {
		return err
	}
	operations, beyond := m.operations.Load(), m.owner.beyond
	if err := m.engine.Suspend(ctx); err != nil {
		if !errors.Is(err, engine.ErrStopped) {
			return err // it goes on running
		}
		m.engine, m.owner = nil, nil
		return errors.Join(err, m.stop(EndedUnexpectedly))
	}
	m.engine, m.owner, m.shown = nil, nil, v
	return m.change(func(k *kept) { k.Suspended, k.Operations, k.Beyond = true, operations, beyond })
}

// Resume goes on where [Manager.Suspend] left off. The suspension is over,
// durably, before anything happens: a crash from then on is a crash. When the
// engine finds no whole suspension (engine.ErrNotSuspended) the queue manager
// counts as crashed; after any other error the call can be repeated.
func (m *Manager) Resume(ctx context.Context) error {
	if err := m.resumeLocked(ctx); err != nil {
		return fmt.Errorf("resuming queue manager %s: %w", m.name, err)
	}
	m.fall(ctx) // if somebody has damaged its own object meanwhile
	return nil
}

func (m *Manager) resumeLocked(ctx context.Context) error {
	m.life.Lock()
	defer m.life.Unlock()
	if !m.read().Suspended {
		return ErrNotSuspended
	}
	return m.resume(ctx)
}

func (m *Manager) resume(ctx context.Context) error {
	o, err := m.openLog(m.read().Beyond)
	if err != nil {
		return err
	}
	if err := m.change(func(k *kept) { k.Suspended = false }); err != nil {
		return err
	}
	e, err := engine.Resume(ctx, o, m.options())
	if err != nil {
		after := func(k *kept) { k.Suspended = true }
		if errors.Is(err, engine.ErrNotSuspended) {
			m.shown = nil
			after = func(k *kept) { k.State = EndedUnexpectedly }
		}
		return errors.Join(err, m.change(after))
	}
	marks := e.Status().Marks
	o.restart.Store(uint64(marks.Restart.LSN))
	o.restore(m.shown, marks)
	if m.shown != nil {
		for _, object := range m.shown.Objects {
			if object.Damaged {
				m.toldOf(object.Ref)
			}
		}
	}
	m.engine, m.owner, m.shown = e, o, nil
	m.operations.Store(m.read().Operations)
	m.room.clear()
	m.learn(e)
	m.noticeDamage(e)                               // what has happened to files meanwhile
	_ = m.disk().Remove(m.path(suspendedStateFile)) // nobody reads it any more
	return nil
}

// restore takes over what was published before a suspension.
func (o *owner) restore(v *view, marks engine.Marks) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if v != nil {
		o.points, o.checkpoints = v.Points, v.Checkpoints
		return
	}
	o.points = points{Restart: o.pointAt(marks.Restart), Media: o.pointAt(marks.Media)}
}
