package qmgr

import (
	"context"
	"errors"
	"fmt"

	"github.com/mqhk/mqhk/core/sim/engine"
)

// Suspend takes the queue manager out of memory between two commands of the
// simulator, so that [Manager.Resume] goes on as if nothing had been: no
// checkpoint, no publication, no entry. Afterwards only questions are
// answered. While the system is changed by others (an IPL, CHGJRN) resume
// first, or crash it.
func (m *Manager) Suspend(ctx context.Context) error {
	m.life.Lock()
	defer m.life.Unlock()
	if m.engine == nil {
		return fmt.Errorf("suspending queue manager %s: %w", m.Name(), ErrNotRunning)
	}
	if err := m.sys.Unlimited(func() error { return m.suspend(ctx) }); err != nil {
		return fmt.Errorf("suspending queue manager %s: %w", m.Name(), m.refused(err))
	}
	return nil
}

func (m *Manager) suspend(ctx context.Context) error {
	queues, transactions := m.queuesNow(), m.transactionsNow()
	e, o := m.engine, m.owner
	if err := e.Suspend(ctx); err != nil {
		if !errors.Is(err, engine.ErrStopped) {
			return err // it goes on running
		}
		m.engine, m.owner = nil, nil
		return errors.Join(err, o.abandon(), m.stop(Crashed))
	}
	m.engine, m.owner = nil, nil
	due := o.changed.Load()
	return errors.Join(o.close(), m.change(func(k *kept) {
		k.Suspended, k.ChangeDue, k.Queues, k.Transactions = true, due, queues, transactions
	}))
}

// Resume goes on where [Manager.Suspend] left off. The suspension is over,
// durably, before anything happens: a crash from then on is a crash. When the
// engine finds no whole suspension (engine.ErrNotSuspended) the queue manager
// counts as crashed; after any other error the call can be repeated.
func (m *Manager) Resume(ctx context.Context) error {
	m.life.Lock()
	defer m.life.Unlock()
	if !m.read().Suspended {
		return fmt.Errorf("resuming queue manager %s: %w", m.Name(), ErrNotSuspended)
	}
	if err := m.sys.Unlimited(func() error { return m.resume(ctx) }); err != nil {
		return fmt.Errorf("resuming queue manager %s: %w", m.Name(), m.refused(err))
	}
	return nil
}

func (m *Manager) resume(ctx context.Context) error {
	o, err := m.openJournal()
	if err != nil {
		return err
	}
	before := m.read()
	if err := m.change(func(k *kept) { k.Suspended, k.Queues, k.Transactions = false, nil, nil }); err != nil {
		return errors.Join(err, o.close())
	}
	e, err := engine.Resume(ctx, o, m.options(o))
	if err != nil {
		after := func(k *kept) { k.Suspended, k.Queues, k.Transactions = true, before.Queues, before.Transactions }
		if errors.Is(err, engine.ErrNotSuspended) {
			after = func(k *kept) { k.State = Crashed }
		}
		return errors.Join(err, o.close(), m.change(after))
	}
	o.engine.Store(e)
	if before.ChangeDue {
		o.changed.Store(true)
	}
	m.engine, m.owner = e, o
	return nil
}
