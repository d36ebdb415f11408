package os400

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/mqhk/mqhk/core/wal"
)

// Begun tells that the receiver that Next named was begun, and how many
// records the writer had written since it began its work; none of them is in
// it. From now on it is the attached one: the one before is detached, and
// unless a person asked for that CPF7020 goes to the journal's queue.
//
// If that can't be written down, the writer may go on: Next tries it again
// before it names another.
func (l *Log) Begun(seg wal.Segment, records uint64) error {
	l.sys.mu.Lock()
	defer l.sys.mu.Unlock()
	if l.closed {
		return errClosed
	}
	err := l.catchUp()
	if err == nil {
		l.late = &late{seg, records}
		err = l.catchUp()
	}
	if err != nil {
		return fmt.Errorf("attaching receiver %s to journal %s: %w", seg.Name, l.journal, err)
	}
	return nil
}

// catchUp writes down what was begun.
func (l *Log) catchUp() error {
	if l.late == nil {
		return nil
	}
	s, seg := l.sys, l.late.segment
	j := s.state().journals[l.journal]
	before := j.Attached
	switched := j.Pending.ID != (ID{}) && s.FileOf(j.Pending.ID) == seg.Name
	byHand := j.Pending.Ordered || l.order != nil && l.order.id == j.Pending.ID
	switch a := s.state().receivers.of(before); {
	case switched:
	case s.FileOf(before) != seg.Name:
		return fmt.Errorf("it was not to come next: %w", fs.ErrInvalid)
	case a.Start == seg.Start:
		l.late = nil // it is told a second time
		return nil
	case a.Start != 0:
		return fmt.Errorf("it begins at %s and not at %s: %w", a.Start, seg.Start, fs.ErrInvalid)
	}
	// A receiver that was attached while nobody wrote ends another one, whose
	// entries are counted; else it is the one that this writer has written.
	count := l.count + l.late.records - l.base
	err := s.update(func(st *state) error {
		if switched {
			s.attach(st, &j, j.Pending.ID, j.Pending.Reset)
		}
		s.open(st, &j, seg.Start, count, l.counted)
		st.journals[l.journal] = j
		return nil
	})
	if err != nil {
		return err
	}
	l.count, l.counted, l.base, l.late = 0, true, l.late.records, nil
	if !switched {
		return nil
	}
	if byHand {
		return s.advise(l.journal)
	}
	return errors.Join(s.detached(l.journal, before), s.advise(l.journal))
}

// detached tells that the system, and not a person, detached a receiver
// (reference, IBM i 1.3 [S28]).
func (s *System) detached(id, receiver ID) error {
	j := s.state().journals[id]
	if j.UserManaged {
		return nil
	}
	return s.tell(j.MessageQueue, "CPF7020", receiver)
}
