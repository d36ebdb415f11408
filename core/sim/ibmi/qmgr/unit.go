package qmgr

import (
	"context"

	"github.com/mqhk/mqhk/core/sim/engine"
)

// Unit is a unit of work of an application. It lives as long as the queue
// manager is in memory; after a Resume ask for it again.
type Unit struct {
	manager *Manager
	unit    *engine.Unit
}

// Begin begins a unit of work of an application, whose name is that of its
// job.
func (m *Manager) Begin(application string) (*Unit, error) {
	var u *engine.Unit
	err := m.use("beginning a unit of work", func(e *engine.Engine) (err error) {
		u, err = e.Begin()
		return err
	})
	if err != nil {
		return nil, err
	}
	m.applications.Begun(u.ID(), application)
	return &Unit{m, u}, nil
}

// Unit gives a unit of work that has not ended by its number; engine.ErrEnded:
// there is none.
func (m *Manager) Unit(number uint64) (*Unit, error) {
	var u *engine.Unit
	err := m.use("finding a unit of work", func(e *engine.Engine) (err error) {
		u, err = e.Unit(number)
		return err
	})
	if err != nil {
		return nil, err
	}
	return &Unit{m, u}, nil
}

// Number gives the number of the unit of work, unique in the queue manager.
func (u *Unit) Number() uint64 { return u.unit.ID() }

// Put puts a message on a queue; others see it after the commit.
func (u *Unit) Put(ctx context.Context, queue string, msg engine.Message) (uint64, error) {
	var sequence uint64
	err := u.manager.work(ctx, "putting", func(*engine.Engine) (err error) {
		sequence, err = u.unit.Put(ctx, queue, msg)
		return err
	})
	return sequence, err
}

// Get takes the first message of a queue that is available.
func (u *Unit) Get(ctx context.Context, queue string) (engine.Message, error) {
	var msg engine.Message
	err := u.manager.work(ctx, "getting", func(*engine.Engine) (err error) {
		msg, err = u.unit.Get(ctx, queue)
		return err
	})
	return msg, err
}

// Prepare makes the unit of work survive every crash, in doubt until it is
// resolved. The application's name is kept with it.
func (u *Unit) Prepare(ctx context.Context, xid []byte) error {
	return u.manager.work(ctx, "preparing", func(*engine.Engine) error {
		if err := u.unit.Prepare(ctx, xid); err != nil {
			return err
		}
		return u.manager.change(func(*kept) {})
	})
}

// Commit makes the changes final; they are durable when it returns.
func (u *Unit) Commit(ctx context.Context) error {
	return u.end(ctx, "committing", func() error { return u.unit.Commit(ctx) })
}

// CommitLater makes the changes final in memory; they are durable after the
// next [Manager.Force], and until then survive a crash whole or not at all.
func (u *Unit) CommitLater(ctx context.Context) error {
	return u.end(ctx, "committing", func() error {
		_, err := u.unit.CommitLater(ctx)
		return err
	})
}

// Backout undoes the changes.
func (u *Unit) Backout(ctx context.Context) error {
	return u.end(ctx, "backing out", func() error { return u.unit.Backout(ctx) })
}

func (u *Unit) end(ctx context.Context, what string, do func() error) error {
	return u.manager.work(ctx, what, func(*engine.Engine) error {
		if err := do(); err != nil {
			return err
		}
		u.manager.applications.Ended(u.unit.ID())
		return nil
	})
}

// Force makes durable what [Unit.CommitLater] has left to it.
func (m *Manager) Force(ctx context.Context) error {
	return m.use("forcing the journal", func(e *engine.Engine) error { return m.refused(e.Force(ctx, 0)) })
}
