package os400

import (
	"cmp"
	"math"
	"slices"

	"github.com/mqhk/mqhk/core/wal"
)

func comparePositions(a, b wal.LSN) int { return cmp.Compare(a, b) }

// byAge compares two receivers of one journal by age. Positions in the log
// decide; a receiver without entries begins where its follower does, and ends
// there. What that leaves open, and everything about one that was never begun,
// is decided by the attach time, and within a second by the directory's number.
func byAge(a, b *receiver) int {
	if a.Start != 0 && b.Start != 0 {
		if c := comparePositions(a.Start, b.Start); c != 0 {
			return c
		}
		x, xKnown := a.end()
		y, yKnown := b.end()
		if c := comparePositions(x, y); c != 0 && xKnown && yKnown {
			return c
		}
	}
	return cmp.Or(a.Attach.Compare(b.Attach), a.Number.compare(b.Number))
}

// end gives where a receiver's part of the log ends. It is not known of a
// partial one, nor of one that was detached and has no begun follower yet.
func (r *receiver) end() (wal.LSN, bool) {
	if r.Status == Attached {
		return math.MaxUint64, true
	}
	return r.End, r.End != 0
}

func (n Number) compare(m Number) int {
	return cmp.Or(cmp.Compare(n.Chain, m.Chain), cmp.Compare(n.Place, m.Place))
}

// follows tells whether b is the receiver that was attached when a was
// detached. Names come again, so the times have to agree (case 5); and so do
// the positions as far as they are known.
func follows(a, b *receiver) bool {
	return a.Next == b.ID && b.Attach.Equal(a.Detach) &&
		(a.Start == 0 || a.End == 0 || b.Start == 0 || a.End == b.Start)
}

// slot gives the place of a receiver in a directory that lacks it: beside one
// that it is linked to, else by age. It never comes between two that are
// joined, for nothing was there when they were, nor behind the attached one.
func (st *state) slot(directory []ID, r *receiver) int {
	at := st.beside(directory, r)
	if at < 0 {
		at = st.younger(directory, r)
	}
	for at > 0 && at < len(directory) {
		before, after := st.receivers.of(directory[at-1]), st.receivers.of(directory[at])
		if !joined(&before, &after) {
			break
		}
		at--
	}
	return at
}

// beside gives the place before the one that follows a receiver, else behind
// the one that it follows; negative: neither is there.
func (st *state) beside(directory []ID, r *receiver) int {
	behind := -1
	for i, id := range directory {
		other := st.receivers.of(id)
		if follows(r, &other) {
			return i
		}
		if follows(&other, r) {
			behind = i + 1
		}
	}
	return behind
}

// younger gives the place of the first that is attached, or younger than a
// receiver.
func (st *state) younger(directory []ID, r *receiver) int {
	at := slices.IndexFunc(directory, func(id ID) bool {
		other := st.receivers.of(id)
		return other.Status == Attached || byAge(&other, r) > 0
	})
	if at < 0 {
		return len(directory)
	}
	return at
}
