package qmgr

import (
	"context"
	"fmt"

	"github.com/mqhk/mqhk/core/sim/engine"
)

// Unit is a unit of work of an application. It lives as long as the queue
// manager is in memory; after a Resume ask for it again.
type Unit struct {
	manager *Manager
	unit    *engine.Unit
	global  *global // nil: of the queue manager alone
}

// Begin begins a unit of work of an application, whose name is what DISPLAY
// CONN shows as APPLTAG.
func (m *Manager) Begin(application string) (*Unit, error) {
	return m.begin(application, nil, (*engine.Engine).Begin)
}

// begin begins one, global or not.
func (m *Manager) begin(application string, g *global, how func(*engine.Engine) (*engine.Unit, error)) (*Unit, error) {
	var u *engine.Unit
	err := m.use("beginning a unit of work", func(e *engine.Engine) (err error) {
		u, err = how(e)
		return err
	})
	if err != nil {
		return nil, err
	}
	m.applications.Begun(u.ID(), application)
	if g != nil {
		m.mu.Lock()
		m.globals[u.ID()] = g
		m.mu.Unlock()
	}
	return &Unit{manager: m, unit: u, global: g}, nil
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
	m.mu.Lock()
	defer m.mu.Unlock()
	return &Unit{manager: m, unit: u, global: m.globals[number]}, nil
}

// Number gives the number of the unit of work, unique in the queue manager.
func (u *Unit) Number() uint64 { return u.unit.ID() }

// Put puts a message on a queue; others see it after the commit. Reason 2003
// says that the unit of work was rolled back because the log was full: it has
// to be ended by Commit, which fails so too, or Backout.
func (u *Unit) Put(ctx context.Context, queue string, msg engine.Message) (uint64, error) {
	var sequence uint64
	err := u.manager.work(ctx, "putting", u.manager.putNeeds(msg), func(e *engine.Engine) (err error) {
		counts := e.Persists(queue, msg)
		sequence, err = u.unit.Put(ctx, queue, msg)
		u.manager.counted(err, counts)
		return err
	})
	return sequence, err
}

// Get takes the first message of a queue that is available.
func (u *Unit) Get(ctx context.Context, queue string) (engine.Message, error) {
	var msg engine.Message
	err := u.manager.work(ctx, "getting", int64(u.manager.costs.Get), func(*engine.Engine) (err error) {
		msg, err = u.unit.Get(ctx, queue)
		u.manager.counted(err, msg.Persistent)
		return err
	})
	return msg, err
}

// counted counts an operation towards the next checkpoint.
func (m *Manager) counted(err error, persistent bool) {
	if err == nil && persistent {
		m.operations.Add(1)
	}
}

// Prepare makes the unit of work survive every crash, in doubt until its
// coordinator, which is not the queue manager, says what becomes of it. The
// application's name is kept with it.
func (u *Unit) Prepare(ctx context.Context, xid []byte) error {
	return u.manager.work(ctx, "preparing", int64(u.manager.costs.Commit), func(*engine.Engine) error {
		if err := u.unit.Prepare(ctx, xid); err != nil {
			return err
		}
		return u.manager.change(func(*kept) {})
	})
}

// Commit makes the changes final; they are durable when it returns.
func (u *Unit) Commit(ctx context.Context) error {
	if u.global != nil {
		return u.manager.commitGlobal(ctx, u)
	}
	return u.end(ctx, "committing", func() error { return u.unit.Commit(ctx) })
}

// CommitLater makes the changes final in memory; they are durable after the
// next [Manager.Force], and until then survive a crash whole or not at all.
func (u *Unit) CommitLater(ctx context.Context) error {
	if u.global != nil {
		return u.manager.commitGlobal(ctx, u)
	}
	return u.end(ctx, "committing", func() error {
		_, err := u.unit.CommitLater(ctx)
		return err
	})
}

// Backout undoes the changes.
func (u *Unit) Backout(ctx context.Context) error {
	if u.global != nil {
		return u.manager.backOutGlobal(ctx, u)
	}
	return u.end(ctx, "backing out", func() error { return u.unit.Backout(ctx) })
}

// end ends the unit of work. The reserve of the log has room for it. One that
// was rolled back has ended too, whatever it answers.
func (u *Unit) end(ctx context.Context, what string, do func() error) error {
	return u.manager.work(ctx, what, 0, func(e *engine.Engine) error {
		err := do()
		if _, there := e.Unit(u.unit.ID()); there != nil {
			u.manager.applications.Ended(u.unit.ID())
		}
		return err
	})
}

// Force makes durable what [Unit.CommitLater] has left to it.
func (m *Manager) Force(ctx context.Context) error {
	return m.use("forcing the log", func(e *engine.Engine) error { return m.refused(e, e.Force(ctx, 0)) })
}

// Resolve commits or backs out a unit of work that is in doubt, as rsvmqtrn
// does; another one is [ErrNotInDoubt].
func (m *Manager) Resolve(ctx context.Context, number uint64, commit bool) error {
	for _, t := range m.Transactions() {
		if t.Number == number && !t.Prepared {
			return fmt.Errorf("resolving unit of work %d: %w", number, ErrNotInDoubt)
		}
	}
	u, err := m.Unit(number)
	if err != nil {
		return err
	}
	if commit {
		return u.Commit(ctx)
	}
	return u.Backout(ctx)
}

// forgetUnits leaves the applications of those units of work alone that are
// in doubt after a start; none of them is worked in any more.
func (m *Manager) forgetUnits(left []engine.UnitInfo) {
	m.applications.Left(left)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.globals = map[uint64]*global{}
}
