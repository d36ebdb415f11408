package os400

import (
	"fmt"
	"slices"

	"github.com/mqhk/mqhk/core/wal"
)

// join makes a restored receiver part of the chain in the directory, if the
// one that follows it is there and part of one (reference, IBM i 5). It tells
// whether it did.
func (st *state) join(j *journal, id ID) bool {
	r := st.receivers.of(id)
	if r.Associated || r.Status == Partial {
		return false
	}
	if r.Next != (ID{}) {
		if !st.joinNext(j, &r) {
			return false
		}
	} else if !st.joinLast(j, &r) {
		return false
	}
	r.Associated = true
	st.joinPrevious(j, &r)
	st.receivers.put(r)
	return true
}

// joinLast joins the last receiver that a journal had before it was restored:
// the log goes on behind it, in a chain of its own.
func (st *state) joinLast(j *journal, r *receiver) bool {
	if j.Restored && r.Start != 0 && r.End == 0 {
		r.End, _ = st.goesOn(j, slices.Index(j.Directory, r.ID)+1)
	}
	return j.Restored
}

// joinNext joins a receiver to the one that follows it, and puts it before
// that where it came to another place. One that was saved before its follower
// was begun does not know where it ends: there the follower begins.
func (st *state) joinNext(j *journal, r *receiver) bool {
	at := slices.Index(j.Directory, r.Next)
	after := st.receivers.of(r.Next)
	if at < 0 || !after.Associated || !follows(r, &after) {
		return false
	}
	if at == 0 || j.Directory[at-1] != r.ID {
		if at > 0 {
			if before := st.receivers.of(j.Directory[at-1]); joined(&before, &after) {
				return false
			}
		}
		j.Directory = without(j.Directory, r.ID)
		at = slices.Index(j.Directory, r.Next)
		j.Directory = slices.Insert(j.Directory, at, r.ID)
		at++
	}
	if r.Start != 0 && r.End == 0 {
		end, known := st.goesOn(j, at)
		// The log may have been begun again where this one was missing.
		if !known || end != 0 && (end > r.Start) != (r.Count > 0) {
			return false
		}
		r.End = end
	}
	after.Previous = r.ID
	st.receivers.put(after)
	return true
}

// joinPrevious joins a receiver to the one before it, if it follows that. The
// link to a receiver is lost when it goes.
func (st *state) joinPrevious(j *journal, r *receiver) {
	at := slices.Index(j.Directory, r.ID)
	if at <= 0 {
		return
	}
	before := st.receivers.of(j.Directory[at-1])
	if before.Next == (ID{}) {
		before.Next = r.ID
	}
	if before.Associated && follows(&before, r) {
		r.Previous = before.ID
		st.receivers.put(before)
	}
}

// goesOn gives where the log goes on in the receivers from a place of the
// directory on: where the first begins that was begun. Zero: none was yet. It
// is not known behind a break.
func (st *state) goesOn(j *journal, at int) (wal.LSN, bool) {
	var before receiver
	for i, id := range j.Directory[at:] {
		r := st.receivers.of(id)
		seam := j.Restored && before.Next == (ID{})
		if i > 0 && !joined(&before, &r) && !seam {
			return 0, false
		}
		if r.Start != 0 {
			return r.Start, true
		}
		before = r
	}
	return 0, true
}

// Associate is ASSOCIATE_JOURNAL_RECEIVER, or option 9 of WRKJRN: restored
// receivers whose next is in the directory by now join the chain. It gives how
// many did. CPF9801: there is no such journal.
func (s *System) Associate(id ID) (int, error) {
	var joined []ID
	err := s.change(func(st *state) (err error) {
		joined, err = st.associate(id)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("associating receivers with journal %s: %w", id, err)
	}
	return len(joined), nil
}

// Associable gives the receivers that [System.Associate] would have join the
// chain, the newest first; none for a journal that is not there.
func (s *System) Associable(id ID) []ID {
	would, _ := s.state().clone().associate(id)
	return would
}

func (st *state) associate(id ID) ([]ID, error) {
	j, ok := st.journals[id]
	if !ok || j.Remote {
		return nil, missing(id, "JRN")
	}
	var joined []ID
	for _, member := range slices.Backward(j.Directory) {
		if st.join(&j, member) {
			joined = append(joined, member)
		}
	}
	st.renumber(&j)
	return joined, nil
}
