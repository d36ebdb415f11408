package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/mqhk/mqhk/core/wal/disk"
)

// Suspend stops the queue manager so that [Resume] goes on as if nothing had
// been: between two commands of a simulator the processes of MQ are not there,
// and nobody should see that. It forces the log and writes no record and takes
// no checkpoint. All that memory has is kept, so that going on takes nothing
// of the log but its end: messages in the files of their queues, or beside
// those what they have not; everything else in the file "suspended", which has
// no message bodies.
//
// An error that wraps [ErrStopped] leaves it as after a crash; whether Resume
// works then, Resume says. After any other error, such as a full disk
// (syscall.ENOSPC), the queue manager goes on running.
func (e *Engine) Suspend(ctx context.Context) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	err := e.running()
	if err == nil {
		err = e.force(ctx, e.last)
	}
	if err == nil {
		err = e.saveMemory()
	}
	if err != nil {
		return fmt.Errorf("suspending the queue manager: %w", err)
	}
	// The file may be there from now on, so memory must not change any more.
	e.stopped = ErrStopped
	if err := errors.Join(e.store.syncNames(), e.log.Close()); err != nil {
		return fmt.Errorf("suspending the queue manager: %w: %w", ErrStopped, err)
	}
	return nil
}

// saveMemory writes what memory has. The files of messages are durable
// under their names before the file that asks for them, or those of an earlier
// suspension could be taken for them; the name of that one is not durable yet.
// After an error it is not there and the others are gone.
func (e *Engine) saveMemory() error {
	s := e.suspension()
	err := e.saveObjects(s)
	if err == nil {
		err = e.store.syncNames()
	}
	if err == nil {
		err = e.store.put(suspendedName, s.encode())
	}
	if err != nil {
		e.store.forget(s)
	}
	return err
}

// suspension says what memory has, without the objects.
func (e *Engine) suspension() *suspension {
	segment, _ := e.log.Current()
	return &suspension{
		control: e.control, kept: e.kept, left: e.left, records: e.carried + e.log.Counts().Records - e.since,
		end: e.log.End(), last: e.last, segment: segment,
		next: e.next, units: append(e.orderedUnits(), byNumber(e.backedOut)...),
	}
}

// saveObjects adds the objects, and writes the files of what their own have
// not.
func (e *Engine) saveObjects(s *suspension) error {
	for _, o := range e.ordered() {
		if o.damaged {
			o.spared = !e.recoverable(o) // what it was is not kept
		}
		m := o.remember(s.end)
		s.objects = append(s.objects, keptObject{object: o, memory: m != nil})
		if m == nil {
			continue
		}
		if err := e.store.put(e.store.memory(o.ref), m.encode()); err != nil {
			return fmt.Errorf("keeping the messages of %s: %w", o.ref, err)
		}
	}
	return nil
}

// forget removes what a suspension has left, as far as that goes: the next
// checkpoint sweeps the rest.
func (s *store) forget(left *suspension) {
	for _, o := range left.objects {
		if o.memory {
			_ = s.remove(s.memory(o.ref))
			_ = s.remove(s.memory(o.ref) + disk.NewSuffix)
		}
	}
	_ = s.remove(suspendedName + disk.NewSuffix)
}
