package qmgr

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
	"github.com/mqhk/mqhk/core/wal"
)

// owner lets the engine write a journal. It is also the journal's writer for
// the system, which asks how many entries there are and for the next receiver.
type owner struct {
	sys     *os400.System
	journal os400.ID
	log     *os400.Log

	// before is how many records the engine had taken when the attached
	// receiver was begun, negative for those that were in it already.
	before  atomic.Int64
	engine  atomic.Pointer[engine.Engine] // nil before it has started
	found   string                        // the receiver that was attached when the journal was opened
	byHand  bool                          // the change that goes on is a person's; with the engine locked
	changed atomic.Bool                   // the system changed receivers: a checkpoint is due
}

var (
	_ engine.Owner = (*owner)(nil)
	_ os400.Writer = (*owner)(nil)
)

// openJournal makes the queue manager the journal's writer.
func (m *Manager) openJournal() (*owner, error) {
	o := &owner{sys: m.sys, journal: m.Journal()}
	attached, entries, err := o.attached()
	if err != nil {
		return nil, fmt.Errorf("opening journal %s: %w", o.journal, err)
	}
	if o.log, err = m.sys.OpenJournal(o.journal, o); err != nil {
		return nil, fmt.Errorf("opening journal %s: %w", o.journal, err)
	}
	j, err := m.sys.Journal(o.journal)
	if err != nil {
		return nil, errors.Join(err, o.log.Close(entries))
	}
	if j.Attached != attached {
		// A crash came between the begin of the next receiver and its attach.
		// One that can't be read has the number that is known: none.
		entries, _ = m.sys.CountEntries(j.Attached)
	}
	o.found = m.sys.FileOf(j.Attached)
	o.before.Store(-int64(entries))
	return o, nil
}

// attached gives the attached receiver and how many entries it has while
// nobody writes.
func (o *owner) attached() (os400.ID, uint64, error) {
	j, err := o.sys.Journal(o.journal)
	if err != nil {
		return os400.ID{}, 0, err
	}
	r, err := o.sys.Receiver(j.Attached)
	return r.ID, r.Entries(), err
}

// Now gives the system's time.
func (o *owner) Now() time.Time { return o.sys.Now() }

// Segments lists the receivers that can be read.
func (o *owner) Segments() []wal.Segment { return o.log.Segments() }

// Open opens a receiver.
func (o *owner) Open(name string) (wal.Source, error) { return o.log.Open(name) }

// Next attaches a receiver. When the system has given up changing them
// (CPI70E3) the log stays in the one it has, which grows without an end
// (reference, IBM i 1.1).
func (o *owner) Next(ctx context.Context) (wal.Layout, error) {
	o.byHand = ctx.Value(byHand{}) != nil
	layout, err := o.log.Next(ctx)
	if errors.Is(err, os400.ErrSuspended) {
		err = fmt.Errorf("%w: %w", engine.ErrStay, err)
	}
	return layout, err
}

// Begun writes down where a receiver begins.
func (o *owner) Begun(s wal.Segment, records uint64) error {
	if err := o.log.Begun(s, records); err != nil {
		return err
	}
	if s.Name == o.found && records == 0 {
		return nil // its start was lost in a crash, its entries were counted
	}
	o.before.Store(int64(records))
	if !o.byHand {
		o.changed.Store(true)
	}
	return nil
}

// Checkpointed has nothing to do: what is published is asked for then.
func (o *owner) Checkpointed(engine.Marks) {}

// Imaged has nothing to do either.
func (o *owner) Imaged(engine.Ref, engine.Marks) {}

// byHand marks the context of a change of receivers that a person asked for.
type byHand struct{}

// Change goes on in the next receiver: CHGJRN.
func (o *owner) Change(ctx context.Context) error {
	e := o.engine.Load()
	if e == nil {
		return fmt.Errorf("changing receivers: %w", ErrNotRunning)
	}
	return e.Rotate(context.WithValue(ctx, byHand{}, true))
}

// Entries gives the number of entries in the attached receiver. It asks the
// engine, so nobody asks it with the engine locked.
func (o *owner) Entries() uint64 {
	for {
		before, e := o.before.Load(), o.engine.Load()
		if e == nil {
			return uint64(max(0, -before))
		}
		_, written := e.Written()
		records := int64(written)
		if before == o.before.Load() && records >= before {
			return uint64(records - before)
		}
	}
}

// startable says why the journal takes no entry: its sequence numbers are
// used up. A receiver that was attached and has no entry yet may begin with
// another number, so the system is asked again when it is begun.
func (o *owner) startable() error {
	segments := o.log.Segments()
	if n := len(segments); n > 0 && segments[n-1].Start == 0 {
		return nil
	}
	return o.log.Full()
}

// close ends the writing of the journal after a clean end.
func (o *owner) close() error { return o.log.Close(o.Entries()) }

// abandon ends it after a crash: what was not forced never became an entry,
// so the receiver is asked.
func (o *owner) abandon() error {
	n := o.Entries()
	if j, err := o.sys.Journal(o.journal); err == nil {
		if counted, err := o.sys.CountEntries(j.Attached); err == nil {
			n = counted
		}
	}
	return o.log.Close(n)
}
