package os400

import (
	"errors"
	"fmt"

	"github.com/mqhk/mqhk/core/wal"
)

// ErrSuspended is what [Log.Next] answers, wrapped, when no receiver can be
// attached now: the journal goes on in the one that it has.
var ErrSuspended = errors.New("no new receiver is attached now")

// errClosed is the answer of a log that was closed.
var errClosed = errors.New("the journal is not open here")

// Log is a journal as its writer sees it: a log whose segments are receivers.
// The name of a segment is that of the receiver's file on [System.Disk].
type Log struct {
	sys     *System
	journal ID
	writer  Writer
	turn    chan struct{} // holds one token while nobody changes receivers

	// Under the lock of the system.
	order   *order // what ChangeJournal wants next
	late    *late  // what was begun and could not be written down
	count   uint64 // entries of the receiver that is written, when records was base
	counted bool   // count is right
	base    uint64 // records of the writer at that time
	closed  bool
}

// order is a receiver that a person wants to be attached.
type order struct {
	id    ID
	reset bool
}

// late is a receiver that was begun.
type late struct {
	segment wal.Segment
	records uint64
}

// OpenJournal makes w the one who writes a journal, until [Log.Close] or the
// end of the process. CPF9801: there is no such local journal. SIM0101: it has
// a writer.
func (s *System) OpenJournal(id ID, w Writer) (*Log, error) {
	l := &Log{sys: s, journal: id, writer: w, turn: make(chan struct{}, 1)}
	l.turn <- struct{}{}
	s.mu.Lock()
	defer s.mu.Unlock()
	j, ok := s.state().journals[id]
	switch {
	case !ok || j.Remote:
		return nil, missing(id, "JRN")
	case s.logs[id] != nil:
		return nil, Escape("SIM0101", id)
	}
	if r, ok := s.state().begun(&j); ok {
		l.count, l.counted = r.Count, r.Counted
	}
	if err := s.uncount(id); err != nil {
		return nil, fmt.Errorf("opening journal %s: %w", id, err)
	}
	s.logs[id] = l
	return l, nil
}

// uncount notes that the entries of the receiver that is written are not
// counted any more: if the writer ends without a word they have to be read.
func (s *System) uncount(id ID) error {
	j := s.state().journals[id]
	r, ok := s.state().begun(&j)
	if !ok || !r.Counted || r.End != 0 {
		return nil
	}
	return s.update(func(st *state) error {
		r.Counted = false
		st.receivers.put(r)
		return nil
	})
}

// Close says that the writer has ended, and how many entries the attached
// receiver has.
func (l *Log) Close(entries uint64) error {
	s := l.sys
	s.mu.Lock()
	defer s.mu.Unlock()
	if l.closed {
		return nil
	}
	err := l.catchUp()
	l.closed = true
	delete(s.logs, l.journal)
	if err == nil {
		err = s.recount(l.journal, entries)
	}
	if err != nil {
		return fmt.Errorf("closing journal %s: %w", l.journal, err)
	}
	return nil
}

// recount writes down how many entries the attached receiver has.
func (s *System) recount(id ID, entries uint64) error {
	j := s.state().journals[id]
	r, ok := s.state().receivers.find(j.Attached)
	if !ok || r.Start == 0 {
		return nil
	}
	return s.update(func(st *state) error {
		r.Count, r.Counted = entries, true
		st.receivers.put(r)
		return nil
	})
}

// Segments lists the associated receivers that were begun, oldest first, and
// last the one that is or will be written: its start is zero until it was
// begun. One that was lost or deleted is not among them.
func (l *Log) Segments() []wal.Segment {
	st := l.sys.state()
	j := st.journals[l.journal]
	var chain []wal.Segment
	for _, id := range j.Directory {
		if r := st.receivers.of(id); r.Associated && (r.Start != 0 || id == j.Attached) {
			chain = append(chain, wal.Segment{Name: l.sys.FileOf(id), Start: r.Start})
		}
	}
	if p := j.Pending.ID; p != (ID{}) {
		if n := len(chain); n > 0 && chain[n-1].Start == 0 {
			chain = chain[:n-1] // it was never begun, and now never will be
		}
		chain = append(chain, wal.Segment{Name: l.sys.FileOf(p)})
	}
	return chain
}

// Open opens a receiver by the name of its file. One that is not on the
// system, or that has no storage, is an error that wraps fs.ErrNotExist.
// CPF8136: it is damaged.
func (l *Log) Open(name string) (wal.Source, error) {
	if p := l.sys.state().journals[l.journal].Pending.ID; name == l.sys.FileOf(p) {
		return l.sys.opts.Disk.Open(name)
	}
	return l.sys.openReceiver(name)
}

// Threshold gives that of the attached receiver in bytes.
func (l *Log) Threshold() int64 {
	return l.attached().Threshold * 1024
}

// Due tells whether the attached receiver has reached its threshold, by the
// storage that it takes.
func (l *Log) Due() bool {
	s := l.sys
	return s.asp.size(s.FileOf(l.attached().ID)) > l.Threshold()+receiverHead
}

func (l *Log) attached() receiver {
	st := l.sys.state()
	return st.receivers.of(st.journals[l.journal].Attached)
}
