package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/mqhk/mqhk/core/wal"
)

// Resume goes on where [Engine.Suspend] left off: units of work are open with
// their IDs, messages that are not persistent are there, marks are what they
// were. It reads the log from the restart mark on, as a restart does, but
// backs nothing out, rebuilds nothing, takes no checkpoint and writes no
// record. An object whose file was lost meanwhile is damaged.
//
// The suspension ends, durably, before anything is written: a crash after it
// is a crash, and [Start] is what helps then. An error that wraps
// [ErrNotSuspended] says that there is no whole suspension to go on from; a
// *[LogError] or *[FileError] says what is missing, and with that put right
// the same call works.
func Resume(ctx context.Context, owner Owner, opts Options) (*Engine, error) {
	e := newEngine(owner, opts, wal.ID{})
	if err := e.resume(ctx); err != nil {
		return nil, fmt.Errorf("resuming the queue manager: %w", err)
	}
	return e, nil
}

func (e *Engine) resume(ctx context.Context) error {
	s, err := e.store.loadSuspension()
	if err != nil {
		return err
	}
	tail, err := e.recall(ctx, s)
	if err != nil {
		return err
	}
	if err := e.store.endSuspension(); err != nil {
		return fmt.Errorf("ending the suspension: %w", err)
	}
	e.store.forget(s)
	e.log, err = wal.Resume(e.opts.Disk, tail, wal.Options{NoSync: e.opts.NoSync})
	if err != nil {
		return err
	}
	if err := e.relist(); err != nil {
		return errors.Join(err, e.log.Abandon())
	}
	return nil
}

// recall brings memory to where it was. It only reads.
func (e *Engine) recall(ctx context.Context, s *suspension) (wal.Tail, error) {
	c, err := e.store.loadControl()
	if err != nil {
		return wal.Tail{}, err
	}
	if c.id != s.log {
		return wal.Tail{}, fmt.Errorf("%w: it was another queue manager", ErrNotSuspended)
	}
	p, tail, err := e.replay(ctx, c, s.end)
	if err != nil {
		return tail, err
	}
	if tail.LSN != s.end || tail.Torn {
		return tail, fmt.Errorf("%w: the log was at %s then, and is at %s", ErrNotSuspended, s.end, tail.LSN)
	}
	e.carried, e.next, e.unbegun = p.since, s.next, tail.Unbegun != ""
	if err := e.recallObjects(s); err != nil {
		return tail, err
	}
	e.adopt(p.work.open())
	if err := e.recallUnits(s); err != nil {
		return tail, err
	}
	return tail, e.recallMessages(s)
}

// contradiction is an error that no suspension of this log can cause.
func contradiction(what any) error {
	return fmt.Errorf("%w: %w: it does not fit the log in %v", ErrNotSuspended, ErrFormat, what)
}

// recallObjects adds what the log does not say of objects.
func (e *Engine) recallObjects(s *suspension) error {
	if len(s.objects) != len(e.byID) {
		return contradiction("the number of objects")
	}
	for _, kept := range s.objects {
		o := e.byID[kept.id]
		if o == nil || o.ref != kept.ref {
			return contradiction(kept.ref)
		}
		if kept.damaged && !o.damaged {
			o.lose()
		}
		o.next, o.media = max(o.next, kept.next), kept.media
	}
	return nil
}

// recallUnits adds the units of work that the log does not know, and to others
// what it does not know of them.
func (e *Engine) recallUnits(s *suspension) error {
	for _, kept := range s.units {
		u := e.units[kept.id]
		if u == nil && kept.first == 0 {
			u = &Unit{engine: e, id: kept.id}
			e.units[u.id] = u
		}
		if u == nil || u.first.LSN != kept.first {
			return contradiction(fmt.Sprintf("unit of work %d", kept.id))
		}
		u.ops = append(u.ops, kept.ops...)
	}
	if len(s.units) != len(e.units) {
		return contradiction("the number of units of work")
	}
	return nil
}

// recallMessages puts the messages that are not persistent back on their
// queues.
func (e *Engine) recallMessages(s *suspension) error {
	for _, kept := range s.objects {
		if !kept.messages {
			continue
		}
		m, err := e.store.loadMemory(kept.ref)
		if err == nil && (m.object != kept.id || m.end != s.end) {
			err = fmt.Errorf("%w: it is of another suspension", ErrFormat)
		}
		if err == nil && !e.byID[kept.id].damaged {
			err = e.recallQueue(e.byID[kept.id], m)
		}
		if err != nil {
			return fmt.Errorf("%w: %w", ErrNotSuspended, &FileError{Name: e.store.path(kept.ref.memoryName()), Err: err})
		}
	}
	return nil
}

func (e *Engine) recallQueue(o *object, m *memory) error {
	for _, kept := range m.messages {
		put, got := e.units[kept.put], e.units[kept.got]
		switch {
		case o.find(kept.Sequence) != nil || kept.Sequence >= o.next:
			return fmt.Errorf("%w: message %d can't be on the queue", ErrFormat, kept.Sequence)
		case put == nil && kept.put != 0, got == nil && kept.got != 0:
			return fmt.Errorf("%w: message %d belongs to a unit of work that is not there", ErrFormat, kept.Sequence)
		}
		back := &message{Message: kept.Message, put: put}
		o.add(back)
		if got != nil {
			o.hide(back, got)
		}
	}
	return nil
}
