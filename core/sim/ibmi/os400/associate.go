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
	r := st.receivers[id]
	if r.Associated || r.Status == Partial {
		return false
	}
	if r.Next == (ID{}) {
		// The last that the journal had before it was restored: the log goes
		// on behind it, in a chain of its own.
		r.Associated = j.Restored
		if r.End == 0 {
			r.End = st.startBehind(j, id)
		}
	} else if after, ok := st.receivers[r.Next]; ok && follows(&r, &after) && slices.Contains(j.Directory, r.Next) {
		r.Associated, after.Previous = true, id
		st.receivers[after.ID] = after
	}
	if !r.Associated {
		return false
	}
	if at := slices.Index(j.Directory, id); at > 0 {
		before := st.receivers[j.Directory[at-1]]
		if before.Associated && (before.Next == id || before.Next == ID{}) && follows(&before, &r) {
			before.Next, r.Previous = id, before.ID
			st.receivers[before.ID] = before
		}
	}
	st.receivers[id] = r
	return true
}

// startBehind gives where the log goes on behind a receiver; zero: nowhere
// yet.
func (st *state) startBehind(j *journal, id ID) wal.LSN {
	for _, behind := range j.Directory[slices.Index(j.Directory, id)+1:] {
		if r := st.receivers[behind]; r.Associated && r.Start != 0 {
			return r.Start
		}
	}
	return 0
}

// follows tells whether b was attached when a was detached, where a's part of
// the log ends.
func follows(a, b *receiver) bool {
	return b.Associated && a.End == b.Start && b.Attach.Equal(a.Detach)
}

// Associate is ASSOCIATE_JOURNAL_RECEIVER, or the option of WRKJRNA: restored
// receivers whose next is in the directory by now join the chain. It gives how
// many did. CPF9801: there is no such journal.
func (s *System) Associate(id ID) (int, error) {
	n := 0
	err := s.change(func(st *state) error {
		j, ok := st.journals[id]
		if !ok || j.Remote {
			return missing(id, "JRN")
		}
		n = 0
		for _, member := range slices.Backward(j.Directory) {
			if st.join(&j, member) {
				n++
			}
		}
		st.renumber(&j)
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("associating receivers with journal %s: %w", id, err)
	}
	return n, nil
}
