package observe

import (
	"fmt"
	"slices"

	"github.com/mqhk/mqhk/core/recovery"
)

// chainOf is a set of receivers in the order in which they were attached,
// and the breaks in it.
type chainOf struct {
	receivers []Receiver // oldest first
	breaks    []int      // receivers[i-1] and receivers[i] do not join, for each i of breaks
	empty     []Receiver // never attached: outside the chain
}

// errOrder says that the order can't be told.
type errOrder struct{ why string }

func (e *errOrder) Error() string { return "the order of the receivers can't be told: " + e.why }

// orderChain puts receivers in chain order: by their links where the answer
// has any, else by the answer's own order if attach times rise along it and
// every detach time meets the next attach time. Rising times alone prove
// nothing: an answer that was sorted by them rises whatever the clock did.
// Names do not count: they wrap, and a restore raises a digit (case 5).
func orderChain(receivers []Receiver) (chainOf, error) {
	var c chainOf
	for _, r := range receivers {
		if r.State == recovery.Empty {
			c.empty = append(c.empty, r)
		} else {
			c.receivers = append(c.receivers, r)
		}
	}
	if !slices.ContainsFunc(c.receivers, func(r Receiver) bool { return r.Previous.Name != "" || r.Next.Name != "" }) {
		return c, rising(c.receivers)
	}
	fragments, err := fragmentsOf(c.receivers)
	if err != nil {
		return c, err
	}
	c.receivers, c.breaks, err = joinFragments(fragments)
	return c, err
}

// linked tells whether links join the whole chain: then no receiver can be
// missing but older ones.
func (c chainOf) linked() bool {
	for i := 1; i < len(c.receivers); i++ {
		if c.receivers[i].Previous != c.receivers[i-1].ID && c.receivers[i-1].Next != c.receivers[i].ID {
			return false
		}
	}
	return true
}

// rising tells whether times alone give the order. The system detaches one
// receiver and attaches the next in one moment, so the times of neighbours
// meet. Two attached within one second give none: either may be the older one.
func rising(receivers []Receiver) error {
	for i := 1; i < len(receivers); i++ {
		before, r := receivers[i-1], receivers[i]
		switch {
		case !r.Attach.After(before.Attach.Time):
			return &errOrder{fmt.Sprintf("without links, and by the clock %s was attached no later than %s", r.ID, before.ID)}
		case before.Detach.IsZero():
			return &errOrder{fmt.Sprintf("without links, and %s has no detach time that would meet the attach time of %s", before.ID, r.ID)}
		case !joins(before.Detach, r.Attach):
			return &errOrder{fmt.Sprintf("without links, and %s was detached at %s, but %s attached at %s: one is missing or out of place", before.ID, before.Detach, r.ID, r.Attach)}
		}
	}
	return nil
}

// fragmentsOf follows the links. Each fragment is whole; between two of them
// something is missing.
func fragmentsOf(receivers []Receiver) ([][]Receiver, error) {
	next, err := successors(receivers)
	if err != nil {
		return nil, err
	}
	hasPrevious := make([]bool, len(receivers))
	for _, to := range next {
		if to >= 0 {
			if hasPrevious[to] {
				return nil, &errOrder{"two receivers say that " + receivers[to].ID.String() + " follows them"}
			}
			hasPrevious[to] = true
		}
	}
	var fragments [][]Receiver
	placed := 0
	for head := range receivers {
		if hasPrevious[head] {
			continue
		}
		var fragment []Receiver
		for at := head; at >= 0; at = next[at] {
			fragment = append(fragment, receivers[at])
		}
		placed += len(fragment)
		fragments = append(fragments, fragment)
	}
	if placed != len(receivers) {
		return nil, &errOrder{"the links run in a circle"}
	}
	return fragments, nil
}

// successors gives the index of each receiver's next one in the list, -1 for
// none, from both kinds of link. Links that contradict each other are an
// error; one that leads out of the list contradicts nothing by itself.
func successors(receivers []Receiver) ([]int, error) {
	at := make(map[recovery.SegmentID]int, len(receivers))
	next := make([]int, len(receivers))
	for i, r := range receivers {
		at[r.ID], next[i] = i, -1
	}
	for i, r := range receivers {
		to, ok := at[r.Next]
		if !ok {
			continue
		}
		if back := receivers[to].Previous; back.Name != "" && back != r.ID {
			return nil, &errOrder{fmt.Sprintf("%s names %s as its next one, which names %s as its previous one", r.ID, r.Next, back)}
		}
		next[i] = to
	}
	for i, r := range receivers {
		from, ok := at[r.Previous]
		if !ok {
			continue
		}
		if forth := receivers[from].Next; forth.Name != "" && forth != r.ID {
			return nil, &errOrder{fmt.Sprintf("%s names %s as its previous one, which names %s as its next one", r.ID, r.Previous, forth)}
		}
		if next[from] >= 0 && next[from] != i {
			return nil, &errOrder{fmt.Sprintf("%s and %s name %s as their previous one", receivers[next[from]].ID, r.ID, r.Previous)}
		}
		next[from] = i
	}
	return next, nil
}

// joinFragments orders whole fragments by their times, which must not overlap:
// receivers of one journal are attached one after the other. Of two fragments
// the attached receiver confirms the order, since it must be the newest of
// all; there a clock that went back in the gap does not matter.
func joinFragments(fragments [][]Receiver) ([]Receiver, []int, error) {
	slices.SortStableFunc(fragments, func(a, b []Receiver) int { return a[0].Attach.Compare(b[0].Attach.Time) })
	var receivers []Receiver
	var breaks []int
	for i, fragment := range fragments {
		if i > 0 {
			before := receivers[len(receivers)-1]
			overlap := len(fragments) > 2 && fragment[0].Attach.Before(before.Detach.Second().Time)
			if overlap || !fragment[0].Attach.After(before.Attach.Time) {
				return nil, nil, &errOrder{fmt.Sprintf("%s and %s belong to pieces of the chain that overlap in time", before.ID, fragment[0].ID)}
			}
			breaks = append(breaks, len(receivers))
		}
		receivers = append(receivers, fragment...)
	}
	return receivers, breaks, nil
}
