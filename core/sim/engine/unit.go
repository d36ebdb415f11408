package engine

import (
	"bytes"
	"context"
	"fmt"

	"github.com/mqhk/mqhk/core/wal"
)

// Unit is a unit of work: puts and gets that are committed or backed out
// together. It belongs to the engine that began or restarted it.
type Unit struct {
	engine *Engine
	id     uint64
	first  Mark // its first record; zero: it has none, so a restart knows nothing of it
	last   Mark
	ops    []op // without bodies
	xid    []byte
	state  unitState
}

type unitState int

const (
	unitOpen unitState = iota
	unitPrepared
	unitEnded
	unitBackedOut // by the queue manager
)

// Begin begins a unit of work.
func (e *Engine) Begin() (*Unit, error) {
	return e.beginWith(nil)
}

func (e *Engine) beginWith(xid []byte) (*Unit, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := e.running(); err != nil {
		return nil, err
	}
	u := &Unit{engine: e, id: e.next, xid: xid}
	e.next++
	e.units[u.id] = u
	return u, nil
}

// BeginGlobal begins a unit of work that is a branch of a global one, whose
// XID is known from the beginning.
func (e *Engine) BeginGlobal(xid []byte) (*Unit, error) { return e.beginWith(bytes.Clone(xid)) }

// UnitInfo shows a unit of work that has not ended.
type UnitInfo struct {
	ID       uint64 // unique in the log
	First    Mark   // its first record; zero: none is in the log
	Last     Mark   // its last record
	Prepared bool
	XID      []byte // of a global one: that Prepare or BeginGlobal was given
	Changes  int    // puts and gets
}

// Units shows the units of work that have not ended, oldest first.
func (e *Engine) Units() []UnitInfo {
	e.mu.Lock()
	defer e.mu.Unlock()
	var all []UnitInfo
	for _, u := range e.orderedUnits() {
		all = append(all, u.show())
	}
	return all
}

// Unit gives a unit of work that has not ended, or of which the application has
// not heard yet that it was backed out, by its ID: how one that is in doubt
// after a restart is resolved.
func (e *Engine) Unit(id uint64) (*Unit, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, units := range []map[uint64]*Unit{e.units, e.backedOut} {
		if u := units[id]; u != nil {
			return u, nil
		}
	}
	return nil, fmt.Errorf("unit of work %d: %w", id, ErrEnded)
}

// ID gives the number of the unit of work.
func (u *Unit) ID() uint64 { return u.id }

func (u *Unit) show() UnitInfo {
	return UnitInfo{ID: u.id, First: u.first, Last: u.last, Prepared: u.state == unitPrepared, XID: u.xid, Changes: len(u.ops)}
}

// in asserts that the unit of work is in one of the states.
func (u *Unit) in(states ...unitState) error {
	for _, s := range states {
		if u.state == s {
			return nil
		}
	}
	if u.state == unitBackedOut {
		return fmt.Errorf("unit of work %d: %w", u.id, ErrBackedOut)
	}
	return fmt.Errorf("unit of work %d: %w", u.id, ErrEnded)
}

// note remembers that a record of the unit of work is in the log.
func (u *Unit) note(at Mark) {
	if u.first.LSN == 0 {
		u.first = at
	}
	u.last = at
}

// Prepare makes the unit of work survive every crash, in doubt until it is
// committed or backed out. It takes no more work. Its changes to messages that
// are not persistent do not survive.
func (u *Unit) Prepare(ctx context.Context, xid []byte) error {
	return u.engine.logged(ctx, func() (*record, error) {
		if err := u.in(unitOpen); err != nil {
			return nil, fmt.Errorf("preparing: %w", err)
		}
		return &record{kind: recPrepare, unit: u.id, xid: xid}, nil
	}, func(Mark) {
		u.state, u.xid = unitPrepared, bytes.Clone(xid)
	})
}

// Commit makes the changes final. It returns when they are durable, unless
// none of them is about a persistent message.
func (u *Unit) Commit(ctx context.Context) error {
	return u.engine.logged(ctx, u.committing, func(Mark) { u.finish(true) })
}

// committing gives the record of a commit, if the unit of work can have one.
func (u *Unit) committing() (*record, error) {
	if err := u.in(unitOpen, unitPrepared); err != nil {
		u.told()
		return nil, fmt.Errorf("committing: %w", err)
	}
	return u.end(recCommit), nil
}

// CommitLater makes the changes final in memory and in the log, and does not
// wait for the disk. They survive a crash once [Engine.Force] has returned for
// the position that it gives; zero: there is nothing to wait for. Until then
// they are there whole or not at all.
func (u *Unit) CommitLater(ctx context.Context) (wal.LSN, error) {
	return u.engine.change(ctx, u.committing, func(Mark) { u.finish(true) })
}

// Backout undoes the changes: what was put is gone, what was got is back in
// its place. That need not be durable when it returns, since a restart would
// do the same; that of a prepared unit of work is.
func (u *Unit) Backout(ctx context.Context) error {
	at, force, err := u.backOut(ctx)
	if err != nil || !force {
		return err
	}
	return u.engine.force(ctx, at)
}

func (u *Unit) backOut(ctx context.Context) (wal.LSN, bool, error) {
	force := false
	at, err := u.engine.change(ctx, func() (*record, error) {
		if u.told() {
			return nil, nil
		}
		if err := u.in(unitOpen, unitPrepared); err != nil {
			return nil, fmt.Errorf("backing out: %w", err)
		}
		force = u.state == unitPrepared
		return u.end(recBackout), nil
	}, func(Mark) { u.finish(false) })
	return at, force, err
}

// end gives the record that ends the unit of work; nil: the log knows nothing
// of it.
func (u *Unit) end(kind recordKind) *record {
	if u.first.LSN == 0 {
		return nil
	}
	r := &record{kind: kind, unit: u.id}
	for i := range u.ops {
		if !u.ops[i].volatile {
			r.undone++
		}
	}
	return r
}

// finish does in memory what the end of a unit of work means. Damaged queues
// have nothing to change: their log does it when they are rebuilt.
func (u *Unit) finish(commit bool) {
	for i := range u.ops {
		if o := u.engine.byID[u.ops[i].object]; o != nil && !o.damaged {
			o.settle(u, &u.ops[i], commit)
		}
	}
	u.state, u.ops = unitEnded, nil
	delete(u.engine.units, u.id)
}

// settle ends one change of a queue. Both a put and a get of the same message
// may be among those of a unit of work.
func (o *object) settle(u *Unit, p *op, commit bool) {
	m := o.find(p.message.Sequence)
	if m == nil {
		return
	}
	switch {
	case p.get && m.got == u && commit, !p.get && m.put == u && !commit:
		o.remove(m)
	case p.get && m.got == u:
		o.unhide(m)
	case !p.get && m.put == u:
		o.publish(m)
	}
	o.changed = true
}

// backOutAll backs out the units of work that are open. The caller has the
// lock.
func (e *Engine) backOutAll(ctx context.Context) error {
	for _, u := range e.orderedUnits() {
		if u.state != unitOpen {
			continue
		}
		if r := u.end(recBackout); r != nil {
			if _, err := e.write(ctx, r); err != nil {
				return fmt.Errorf("backing out unit of work %d: %w", u.id, err)
			}
		}
		u.finish(false)
	}
	return nil
}
