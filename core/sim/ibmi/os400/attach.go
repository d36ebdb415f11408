package os400

import "github.com/mqhk/mqhk/core/wal"

// attach makes an empty receiver the attached one of a journal, and detaches
// the one before it. Times have the resolution of a second: an entry of the
// old receiver is never later than the attach time of the new one.
func (s *System) attach(st *state, j *journal, id ID, reset bool) {
	r := st.receivers.of(id)
	r.Journal, r.Status, r.Associated, r.Attach = j.ID, Attached, true, s.second()
	r.Sequence, r.Reset = j.Next, reset
	if reset {
		r.Sequence = 1
	}
	if old, ok := st.receivers.find(j.Attached); ok && j.Attached != (ID{}) {
		s.detach(&old)
		old.Detach, old.Next, r.Previous = r.Attach, id, old.ID
		r.Before = old.Before + old.Count
		if !reset {
			r.Sequence = old.Sequence + old.Count
		}
		st.receivers.put(old)
	}
	st.receivers.put(r)
	j.Attached, j.Next, j.Suspended, j.Pending, j.Warned = id, r.Sequence, false, pending{}, ID{}
	j.Directory = append(j.Directory, id)
	st.renumberFrom(j, len(j.Directory)-1)
}

// detach ends a receiver. What it takes is what it will always take.
func (s *System) detach(r *receiver) {
	r.Status, r.Detach = Online, s.second()
	r.Size = s.asp.size(s.FileOf(r.ID))
}

// open notes where the attached receiver was begun. That is where the last
// one before it that was begun has ended, unless that is known: one between
// them may be gone.
func (s *System) open(st *state, j *journal, start wal.LSN, count uint64, counted bool) {
	old, ok := st.begun(j)
	r := st.receivers.of(j.Attached)
	r.Start, r.Count, r.Counted = start, 0, false
	if ok && old.End == 0 {
		old.End = start
		if !counted {
			count, counted = s.reckon(&old)
		}
		old.Count, old.Counted = count, counted
		r.Before = old.Before + old.Count
		if !r.Reset && r.Previous != (ID{}) {
			r.Sequence = old.Sequence + old.Count
		}
		st.receivers.put(old)
	}
	j.Next = r.Sequence
	st.receivers.put(r)
}
