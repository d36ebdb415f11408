package workload

import "cmp"

// due is gets to come: the counterpart of a unit of work that put.
type due struct {
	At    moment `json:"at"`
	Order uint64 `json:"order"`
	Queue int    `json:"queue"` // by its place in the profile
	Count int    `json:"count"`
	// Alone: outside a unit of work.
	Alone bool `json:"alone,omitempty"`
}

func (d due) compare(other due) int {
	return cmp.Or(cmp.Compare(d.At, other.At), cmp.Compare(d.Order, other.Order))
}

// agenda is a heap, the earliest in front. Its own few lines take no
// allocation for each element, which those of container/heap do.
type agenda []due

func (a *agenda) push(d due) {
	*a = append(*a, d)
	h := *a
	i := len(h) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if h[parent].compare(d) <= 0 {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = d
}

// pop takes the earliest; there has to be one.
func (a *agenda) pop() due {
	h := *a
	first, last := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	*a = h
	if len(h) == 0 {
		return first
	}
	i := 0
	for {
		child := 2*i + 1
		if child >= len(h) {
			break
		}
		if child+1 < len(h) && h[child+1].compare(h[child]) < 0 {
			child++
		}
		if last.compare(h[child]) <= 0 {
			break
		}
		h[i] = h[child]
		i = child
	}
	h[i] = last
	return first
}
