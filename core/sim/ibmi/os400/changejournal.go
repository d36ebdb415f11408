package os400

import (
	"context"
	"errors"
	"fmt"
)

// generated is the value of JRNRCV that leaves the name to the system.
const generated = "*GEN"

// ChangeJournal is CHGJRN. With a writer, a new receiver is attached when the
// writer goes on in it; without one at once, and its part of the log begins
// when it is written first. That ends a suspension (CPI70E3). CPF7010: the
// generated name is taken. CPF701A: a receiver was attached before. CPF7018:
// SEQOPT(*RESET) without a new receiver. No CPF7020 is sent: it is not the
// system that detaches.
func (s *System) ChangeJournal(ctx context.Context, id ID, c Change) error {
	if err := s.changeJournal(ctx, id, c); err != nil {
		return fmt.Errorf("changing journal %s: %w", id, err)
	}
	return nil
}

func (s *System) changeJournal(ctx context.Context, id ID, c Change) error {
	j, ok := s.state().journals[id]
	switch {
	case !ok || j.Remote:
		return missing(id, "JRN")
	case c.Reset && c.Receiver == "":
		return Escape("CPF7018", id, "it needs a new receiver")
	}
	if err := s.changeAttributes(id, c); err != nil || c.Receiver == "" {
		return err
	}
	s.mu.Lock()
	l := s.logs[id]
	if l == nil {
		defer s.mu.Unlock()
		if _, err := s.changeAtRest(id, c); err != nil {
			return err
		}
		return s.advise(id)
	}
	s.mu.Unlock()
	return l.change(ctx, c)
}

// changeAttributes sets what needs no new receiver.
func (s *System) changeAttributes(id ID, c Change) error {
	if c.UserManaged == nil && c.DeleteReceivers == nil && c.MessageQueue == nil {
		return nil
	}
	return s.change(func(st *state) error {
		j := st.journals[id]
		before := j.DeleteReceivers
		set(&j.UserManaged, c.UserManaged)
		set(&j.DeleteReceivers, c.DeleteReceivers)
		set(&j.MessageQueue, c.MessageQueue)
		if err := j.checkOptions(); err != nil {
			return err
		}
		// Seen in the field (reference, IBM i 1.7): with detached receivers
		// the change to automatic deletion is refused.
		if j.DeleteReceivers && !before && len(j.Directory) > 1 {
			return Escape("CPF70E3", id, "the directory has receivers beside the attached one")
		}
		st.journals[id] = j
		return nil
	})
}

func set[T any](to *T, value *T) {
	if value != nil {
		*to = *value
	}
}

// wanted gives the receiver that a change is to attach.
func (s *System) wanted(j *journal, c Change) (order, error) {
	if c.Receiver == generated {
		id := s.NextName(j.Attached)
		if _, taken := s.state().receivers.find(id); taken && j.Pending.ID != id {
			return order{}, Escape("CPF7010", id, "JRNRCV")
		}
		return order{id, c.Reset}, nil
	}
	id := ID{c.Library, c.Receiver}
	if c.Library == "" {
		id.Library = j.Library
	}
	if r, ok := s.state().receivers.find(id); !ok {
		return order{}, missing(id, "JRNRCV")
	} else if r.Status != Empty {
		return order{}, Escape("CPF701A", id, "it was attached before")
	}
	return order{id, c.Reset}, nil
}

// changeAtRest attaches a receiver that nobody writes yet, and gives the one
// that was attached.
func (s *System) changeAtRest(id ID, c Change) (before ID, err error) {
	err = s.update(func(st *state) error {
		j := st.journals[id]
		if err := s.settle(st, &j); err != nil {
			return err
		}
		before = j.Attached
		o, err := s.wanted(&j, c)
		if err != nil {
			return err
		}
		return s.attachAtRest(st, &j, o)
	})
	return before, err
}

func (s *System) attachAtRest(st *state, j *journal, o order) error {
	if j.Pending.ID == o.id {
		j.Pending = pending{} // it was made for this
	}
	s.drop(st, j)
	if _, err := s.provide(st, j, o.id); err != nil {
		return err
	}
	s.tally(st, j)
	s.attach(st, j, o.id, o.reset)
	st.journals[j.ID] = *j
	return nil
}

// change has the writer go on in another receiver. What came next anyway may
// be what it goes on in first, and what was ordered may be begun by a threshold
// before the writer is asked to.
func (l *Log) change(ctx context.Context, c Change) error {
	select {
	case <-l.turn:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	defer func() { l.turn <- struct{}{} }()
	o, err := l.demand(c)
	if err != nil {
		return err
	}
	for range 2 {
		if err == nil && !l.begun(o.id) {
			err = l.writer.Change(ctx)
		}
	}
	l.sys.mu.Lock()
	defer l.sys.mu.Unlock()
	l.order = nil
	if err == nil && !l.begun(o.id) {
		err = errors.New("the writer did not go on in it")
	}
	if err != nil {
		return fmt.Errorf("attaching receiver %s: %w", o.id, err)
	}
	return nil
}

// begun tells whether the journal has gone on in a receiver.
func (l *Log) begun(id ID) bool { return l.sys.state().receivers.of(id).Start != 0 }

// demand notes what the writer is to be given next.
func (l *Log) demand(c Change) (order, error) {
	l.sys.mu.Lock()
	defer l.sys.mu.Unlock()
	if err := l.catchUp(); err != nil {
		return order{}, err
	}
	j := l.sys.state().journals[l.journal]
	o, err := l.sys.wanted(&j, c)
	if err != nil {
		return o, err
	}
	l.order = &o
	return o, nil
}
