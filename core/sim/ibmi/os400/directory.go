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
	for at := range j.Directory {
		st.number(j, at)
	}
}

// renumberFrom is renumber for a directory that was changed at one place. A
// number depends on the one before it alone: where one is as it was, all
// behind it are.
func (st *state) renumberFrom(j *journal, at int) {
	for at < len(j.Directory) && st.number(j, at) {
		at++
	}
}

// number gives the receiver at a place of a directory its number, and tells
// whether it had another one.
func (st *state) number(j *journal, at int) bool {
	r := st.receivers.of(j.Directory[at])
	old := r.Number
	if at == 0 {
		if old == (Number{}) {
			r.Number = Number{0, 1}
		}
	} else if before := st.receivers.of(j.Directory[at-1]); joined(&before, &r) {
		r.Number = Number{before.Number.Chain, before.Number.Place + 1}
	} else if r.Number.Chain <= before.Number.Chain {
		r.Number = Number{before.Number.Chain + 1, 1}
	}
	if r.Number == old {
		return false
	}
	st.receivers.put(r)
	return true
}

// insert puts a receiver in a directory.
func (st *state) insert(j *journal, r receiver) {
	j.Directory = slices.Insert(slices.Clone(j.Directory), st.slot(j.Directory, &r), r.ID)
	st.receivers.put(r)
}

// take takes a receiver out of the directory of its journal; what was on both
// sides of it is two chains from then on.
func (st *state) take(id ID) {
	j, ok := st.journals[st.receivers.of(id).Journal]
	at := slices.Index(j.Directory, id)
	if !ok || at < 0 {
		return
	}
	if at == 0 {
		j.Directory = j.Directory[1:] // as with every deletion in order; no list is written to
	} else {
		j.Directory = slices.Delete(slices.Clone(j.Directory), at, at+1)
	}
	st.renumberFrom(&j, at)
	st.journals[j.ID] = j
}

// forget makes a receiver be no more. Its file goes when the state is durable.
func (st *state) forget(id ID) {
	st.take(id)
	st.receivers.drop(id)
	delete(st.locks, id)
	st.Reclaim = append(st.Reclaim, fileOf(id, "JRNRCV"))
}

// begun gives the last receiver of a directory that has a part of the log.
func (st *state) begun(j *journal) (receiver, bool) {
	for _, id := range slices.Backward(j.Directory) {
		if r := st.receivers.of(id); r.Start != 0 && r.Associated {
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
		if r := st.receivers.of(id); r.holds(at) {
			return s.view(st, r, nil), true
		}
	}
	return Receiver{}, false
}
