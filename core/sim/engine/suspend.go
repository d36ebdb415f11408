package engine

import (
	"context"
	"errors"
	"fmt"
)

// Suspend stops the queue manager so that [Resume] goes on as if nothing had
// been: between two commands of a simulator the processes of MQ are not there,
// and nobody should see that. It forces the log and writes no record and takes
// no checkpoint. What only memory has goes to files in the folder: messages
// that are not persistent beside the file of their queue, everything else to
// the file "suspended", which has no message bodies.
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

// saveMemory writes what only memory has. The files of messages are durable
// under their names before the file that asks for them, or those of an earlier
// suspension could be taken for them; the name of that one is not durable yet.
// After an error it is not there and the others are gone.
func (e *Engine) saveMemory() error {
	s := e.suspension()
	err := e.saveMessages(s)
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

// suspension says what memory has, without the messages.
func (e *Engine) suspension() *suspension {
	s := &suspension{log: e.id, end: e.log.End(), next: e.next}
	for _, o := range e.ordered() {
		s.objects = append(s.objects, suspendedObject{
			id: o.id, ref: o.ref, next: o.next, media: o.media, damaged: o.damaged, messages: o.hasMemory(),
		})
	}
	for _, u := range e.orderedUnits() {
		kept := suspendedUnit{id: u.id, first: u.first.LSN}
		for _, p := range u.ops {
			if !p.message.Persistent {
				kept.ops = append(kept.ops, p)
			}
		}
		s.units = append(s.units, kept)
	}
	return s
}

// saveMessages writes the files of messages that are not persistent.
func (e *Engine) saveMessages(s *suspension) error {
	for _, kept := range s.objects {
		if !kept.messages {
			continue
		}
		m := memory{end: s.end, object: kept.id}
		for msg := range e.byID[kept.id].inMemory {
			m.messages = append(m.messages, *msg)
		}
		if err := e.store.put(kept.ref.memoryName(), m.encode()); err != nil {
			return fmt.Errorf("keeping the messages of %s: %w", kept.ref, err)
		}
	}
	return nil
}

// forget removes what a suspension has left, as far as that goes: the next
// checkpoint sweeps the rest.
func (s *store) forget(left *suspension) {
	for _, o := range left.objects {
		if o.messages {
			_ = s.remove(o.ref.memoryName())
			_ = s.remove(o.ref.memoryName() + newSuffix)
		}
	}
	_ = s.remove(suspendedName + newSuffix)
}
