package engine

import (
	"bytes"
	"context"
	"fmt"

	"github.com/mqhk/mqhk/core/wal"
)

// Put puts a message on a queue, outside a unit of work, and gives its
// sequence. That of the message is not looked at, nor its time.
func (e *Engine) Put(ctx context.Context, queue string, m Message) (uint64, error) {
	sequence, at, err := e.put(ctx, nil, queue, m)
	if err == nil && at != 0 {
		err = e.force(ctx, at)
	}
	return sequence, err
}

// Get takes the first message of a queue that is available, outside a unit of
// work.
func (e *Engine) Get(ctx context.Context, queue string) (Message, error) {
	m, at, err := e.get(ctx, nil, queue)
	if err == nil && at != 0 {
		err = e.force(ctx, at)
	}
	return m, err
}

// Put puts a message on a queue. Others see it after the commit.
func (u *Unit) Put(ctx context.Context, queue string, m Message) (uint64, error) {
	sequence, _, err := u.engine.put(ctx, u, queue, m)
	return sequence, err
}

// Get takes the first message of a queue that is available, also one that the
// unit of work itself has put. It is hidden until the end.
func (u *Unit) Get(ctx context.Context, queue string) (Message, error) {
	m, _, err := u.engine.get(ctx, u, queue)
	return m, err
}

// Browse goes through the messages of a queue that are available, in their
// order, until yield returns false. The engine is locked meanwhile, so yield
// must not call it.
func (e *Engine) Browse(queue string, yield func(Message) bool) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := e.running(); err != nil {
		return err
	}
	o, err := e.queue(queue)
	if err != nil {
		return fmt.Errorf("browsing: %w", err)
	}
	if e.rules(o).NoGet {
		return fmt.Errorf("browsing %s: %w", o.ref, ErrGetInhibited)
	}
	for m := range o.all {
		if m.available(nil) && !yield(m.Message) {
			break
		}
	}
	return nil
}

// queue gives a local queue that is not damaged.
func (e *Engine) queue(name string) (*object, error) { return e.sound(Ref{Queue, name}) }

// put does a put in a unit of work, or in none.
func (e *Engine) put(ctx context.Context, u *Unit, queue string, m Message) (uint64, wal.LSN, error) {
	var o *object
	m.Body = bytes.Clone(m.Body)
	at, err := e.change(ctx, func() (_ *record, err error) {
		if o, err = e.target(u, queue); err != nil {
			return nil, fmt.Errorf("putting: %w", err)
		}
		if err := e.mayPut(u, o, &m); err != nil {
			return nil, fmt.Errorf("putting on %s: %w", o.ref, err)
		}
		m.Sequence, m.Put, m.AsQueue = o.next, e.now(), false
		if !m.Persistent {
			return nil, nil // no record: the message is in memory alone
		}
		return &record{kind: recPut, unit: u.number(), object: o.id, message: m}, nil
	}, func(Mark) {
		o.add(&message{Message: m, put: u})
		o.changed = o.changed || m.Persistent
		u.did(op{object: o.id, volatile: !m.Persistent, message: Message{Sequence: m.Sequence}})
	})
	return m.Sequence, at, err
}

// get does a get in a unit of work, or in none.
func (e *Engine) get(ctx context.Context, u *Unit, queue string) (Message, wal.LSN, error) {
	var o *object
	var m *message
	var got Message
	at, err := e.change(ctx, func() (_ *record, err error) {
		if o, err = e.target(u, queue); err != nil {
			return nil, fmt.Errorf("getting: %w", err)
		}
		if err := e.mayGet(u, o); err != nil {
			return nil, fmt.Errorf("getting from %s: %w", o.ref, err)
		}
		if m = o.head(u); m == nil {
			return nil, fmt.Errorf("getting from %s: %w", o.ref, ErrNoMessage)
		}
		got = m.Message
		if !m.Persistent {
			return nil, nil // no record: the message is in memory alone
		}
		return &record{kind: recGet, unit: u.number(), object: o.id, message: Message{Sequence: m.Sequence, Priority: m.Priority}}, nil
	}, func(Mark) {
		o.changed = o.changed || m.Persistent
		if u == nil {
			o.remove(m)
			return
		}
		o.hide(m, u)
		u.did(op{object: o.id, get: true, volatile: !m.Persistent, message: Message{Sequence: m.Sequence}})
	})
	return got, at, err
}

// target gives the queue of a put or get, if the unit of work takes work.
func (e *Engine) target(u *Unit, queue string) (*object, error) {
	if u != nil {
		if err := u.in(unitOpen); err != nil {
			return nil, err
		}
	}
	return e.queue(queue)
}

// number is zero for no unit of work.
func (u *Unit) number() uint64 {
	if u == nil {
		return 0
	}
	return u.id
}

// did adds a change. Without a unit of work there is nothing to remember.
func (u *Unit) did(p op) {
	if u == nil {
		return
	}
	p.unit = u.id
	u.ops = append(u.ops, p)
}
