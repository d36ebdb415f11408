package os400

import (
	"context"
	"fmt"

	"github.com/mqhk/mqhk/core/wal"
)

// Next names the receiver that follows, durably: the system's own choice, or
// the one that [System.ChangeJournal] wants. One that was named before and not
// begun is named again. An error that wraps [ErrSuspended] says that the
// journal stays where it is: the generated name is taken (CPI70E3, told once),
// or receivers are the user's to attach (CPF7099, told once for each).
func (l *Log) Next(ctx context.Context) (wal.Layout, error) {
	if err := ctx.Err(); err != nil {
		return wal.Layout{}, err
	}
	l.sys.mu.Lock()
	defer l.sys.mu.Unlock()
	id, err := l.next()
	if err != nil {
		return wal.Layout{}, fmt.Errorf("attaching a receiver to journal %s: %w", l.journal, err)
	}
	return l.layout(id), nil
}

func (l *Log) next() (ID, error) {
	if l.closed {
		return ID{}, errClosed
	}
	if err := l.catchUp(); err != nil {
		return ID{}, err
	}
	st := l.sys.state()
	j := st.journals[l.journal]
	if l.order != nil && st.receivers.of(l.order.id).Start != 0 {
		l.order = nil // it was begun meanwhile, when a threshold asked for the next one
	}
	if p := j.Pending.ID; p != (ID{}) && (l.order == nil || l.order.id == p) {
		return p, nil
	}
	if st.receivers.of(j.Attached).Start == 0 && l.order == nil {
		return j.Attached, nil
	}
	if l.order == nil {
		return l.generate(&j)
	}
	return l.order.id, l.promise(*l.order, true)
}

// generate finds the system's own choice.
func (l *Log) generate(j *journal) (ID, error) {
	s := l.sys
	switch {
	case j.UserManaged:
		return ID{}, l.warn(j)
	case j.Suspended:
		return ID{}, ErrSuspended
	}
	id := s.NextName(j.Attached)
	if _, taken := s.state().receivers.find(id); taken {
		if err := s.suspend(j.ID, id); err != nil {
			return ID{}, err
		}
		return ID{}, ErrSuspended
	}
	return id, l.promise(order{id: id}, false)
}

// promise notes which receiver comes next, and makes it if need be.
func (l *Log) promise(o order, ordered bool) error {
	return l.sys.update(func(st *state) error {
		j := st.journals[l.journal]
		l.sys.drop(st, &j)
		made, err := l.sys.provide(st, &j, o.id)
		if err != nil {
			return err
		}
		j.Pending = pending{ID: o.id, Made: made, Reset: o.reset, Ordered: ordered}
		st.journals[l.journal] = j
		return nil
	})
}

// drop forgets which receiver comes next. What was made for it goes.
func (s *System) drop(st *state, j *journal) {
	if p := j.Pending; p.Made {
		st.forget(p.ID)
	}
	j.Pending = pending{}
}

// provide makes sure that there is an empty receiver of a name.
func (s *System) provide(st *state, j *journal, id ID) (made bool, err error) {
	r, there := st.receivers.find(id)
	switch {
	case !there:
		return true, s.makeReceiver(st, receiver{
			ID: id, Threshold: st.receivers.of(j.Attached).Threshold, Granted: st.receivers.of(j.Attached).Granted,
		})
	case r.Status != Empty:
		return false, Escape("CPF701A", id, "it was attached before")
	case st.promised(id):
		return false, Escape("CPF701A", id, "it is another journal's")
	}
	return false, s.removeFile(s.FileOf(id))
}

// promised tells whether a receiver is the next one of a journal.
func (st *state) promised(id ID) bool {
	for _, j := range st.journals {
		if j.Pending.ID == id {
			return true
		}
	}
	return false
}
