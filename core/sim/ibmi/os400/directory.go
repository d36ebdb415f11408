package os400

import (
	"slices"

	"github.com/mqhk/mqhk/core/wal"
)

// The receiver directory of a journal lists its receivers from the oldest to
// the newest. Order is by position in the log; names and sequence numbers
// begin anew and say nothing (reference, IBM i 1.4, 1.8; case 5).

// joined tells whether b follows a in one chain.
func joined(a, b *receiver) bool {
	return a.Next == b.ID && b.Previous == a.ID && a.Associated && b.Associated
}

// renumber gives the receivers of a directory their numbers: place by place
// within a chain, and a higher chain behind each break. Numbers change no more
// than that.
func (st *state) renumber(j *journal) {
	var before receiver
	for i, id := range j.Directory {
		r := st.receivers[id]
		switch {
		case i == 0 && r.Number == Number{}:
			r.Number = Number{0, 1}
		case i == 0:
		case joined(&before, &r):
			r.Number = Number{before.Number.Chain, before.Number.Place + 1}
		case r.Number.Chain <= before.Number.Chain:
			r.Number = Number{before.Number.Chain + 1, 1}
		}
		st.receivers[id] = r
		before = r
	}
}

// insert puts a receiver in a directory.
func (st *state) insert(j *journal, r receiver) {
	j.Directory = slices.Insert(slices.Clone(j.Directory), st.slot(j.Directory, &r), r.ID)
	st.receivers[r.ID] = r
}

// take takes a receiver out of the directory of its journal; what was on both
// sides of it is two chains from then on.
func (st *state) take(id ID) {
	j, ok := st.journals[st.receivers[id].Journal]
	at := slices.Index(j.Directory, id)
	if !ok || at < 0 {
		return
	}
	j.Directory = without(j.Directory, id)
	st.renumber(&j)
	st.journals[j.ID] = j
}

// forget makes a receiver be no more. Its file goes when the state is durable.
func (st *state) forget(id ID) {
	st.take(id)
	delete(st.receivers, id)
	delete(st.locks, id)
	st.Reclaim = append(st.Reclaim, fileOf(id, "JRNRCV"))
}

// begun gives the last receiver of a directory that has a part of the log.
func (st *state) begun(j *journal) (receiver, bool) {
	for _, id := range slices.Backward(j.Directory) {
		if r := st.receivers[id]; r.Start != 0 && r.Associated {
			return r, true
		}
	}
	return receiver{}, false
}

// holds tells whether a receiver has the entry at a position, and has it here.
func (r *receiver) holds(at wal.LSN) bool {
	return r.Associated && r.Status != Freed && r.Start != 0 && r.Start <= at && (r.End == 0 || at < r.End)
}

// Holding gives the receiver on the system that has a journal's entry at a
// position; false: none has. One that was not associated, or has no storage,
// holds nothing. Of the attached one Last is that of the last change: writers
// may call it with locks of their own.
func (s *System) Holding(id ID, at wal.LSN) (Receiver, bool) {
	st := s.state()
	j := st.journals[id]
	for _, id := range slices.Backward(j.Directory) {
		if r := st.receivers[id]; r.holds(at) {
			return s.view(st, r, nil), true
		}
	}
	return Receiver{}, false
}
