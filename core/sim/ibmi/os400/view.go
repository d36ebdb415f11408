package os400

import (
	"slices"
	"time"
)

// live are the numbers of entries in the receivers that are written now, as
// their writers say.
type live map[ID]uint64

// written asks the writers, without any lock.
func (s *System) written() live {
	s.mu.Lock()
	logs := make([]*Log, 0, len(s.logs))
	for _, l := range s.logs {
		logs = append(logs, l)
	}
	s.mu.Unlock()
	now := live{}
	for _, l := range logs {
		now[s.state().journals[l.journal].Attached] = l.writer.Entries()
	}
	return now
}

// entries gives how many entries a receiver has.
func (s *System) entries(r *receiver, now live) uint64 {
	n, being := now[r.ID]
	switch {
	case being && r.Status == Attached:
		return n
	case r.Counted || r.Start == 0:
		return r.Count
	}
	n, err := s.scan(r)
	if err != nil {
		return r.Count // as far as it is known; reading it is another matter
	}
	return n
}

// total gives how many entries a journal had in its life.
func (s *System) total(st *state, j *journal, now live) uint64 {
	r, ok := st.begun(j)
	if !ok {
		return 0
	}
	return r.Before + s.entries(&r, now)
}

// view gives a receiver as the directory shows it. Without the writers'
// numbers the attached one has those of the last change.
func (s *System) view(st *state, r receiver, now live) Receiver {
	count := r.Count
	if now != nil {
		count = s.entries(&r, now)
	}
	zone := s.Now().Location()
	in := func(t time.Time) time.Time {
		if t.IsZero() {
			return t
		}
		return t.In(zone)
	}
	v := Receiver{
		ID: r.ID, Journal: r.Journal, Number: r.Number, Status: r.Status, Damaged: r.Damaged, Threshold: r.Threshold,
		Attach: in(r.Attach), Detach: in(r.Detach), Save: in(r.Save), Previous: r.Previous, Next: r.Next,
		Associated: r.Associated, Start: r.Start, End: r.End, LockedBy: slices.Clone(st.locks[r.ID]), Size: r.Size,
	}
	if v.Size == 0 && r.Status != Freed {
		v.Size = s.asp.size(s.FileOf(r.ID))
	}
	if count > 0 {
		v.First, v.Last = r.Sequence, r.Sequence+count-1
	}
	j := st.journals[r.Journal]
	v.Behind = behind(&j, r.Before+count) && r.Status != Empty
	return v
}

// Receivers gives the directory of a journal, oldest first. A journal that is
// not there has none.
func (s *System) Receivers(journal ID) []Receiver {
	now := s.written()
	st := s.state()
	directory := st.journals[journal].Directory
	all := make([]Receiver, 0, len(directory))
	for _, id := range directory {
		all = append(all, s.view(st, st.receivers.of(id), now))
	}
	return all
}

// Receiver gives one. CPF9801: it is not there.
func (s *System) Receiver(id ID) (Receiver, error) {
	now := s.written()
	st := s.state()
	r, ok := st.receivers.find(id)
	if !ok {
		return Receiver{}, missing(id, "JRNRCV")
	}
	return s.view(st, r, now), nil
}

// ReceiversIn gives all receivers in a library, those too that are in no
// directory, in the order of their names.
func (s *System) ReceiversIn(library string) []Receiver {
	now := s.written()
	st := s.state()
	var all []Receiver
	for r := range st.receivers.all() {
		if r.Library == library {
			all = append(all, s.view(st, r, now))
		}
	}
	return all
}
