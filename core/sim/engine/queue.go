package engine

import (
	"cmp"
	"fmt"
	"slices"
)

// queue holds the messages of a local queue in their order, those too that
// units of work hide.
type queue struct {
	slots []*message // by ascending sequence; some may be gone
	first int        // no slot before it is available to anyone
	gone  int        // slots that are
	next  uint64     // sequence of the next put; 0 is none
	depth int        // messages whose put is committed and that are not gone
	// volatile counts those of depth that are not persistent.
	volatile int
	// uncommitted counts the puts and gets of units of work.
	uncommitted int
	// leaving are the sequences of messages that the file has and the queue
	// has not any more.
	leaving []uint64
}

// add puts a message in its place and makes the queue its owner's.
func (q *queue) add(m *message) {
	i := len(q.slots)
	if i > 0 && q.slots[i-1].Sequence > m.Sequence {
		i, _ = q.search(m.Sequence)
	}
	q.slots = slices.Insert(q.slots, i, m)
	q.first = min(q.first, i)
	q.next = max(q.next, m.Sequence+1)
	q.count(m)
}

// count counts a message that is new on the queue.
func (q *queue) count(m *message) {
	if m.put == nil {
		q.deepen(m, 1)
	} else {
		q.uncommitted++
	}
}

// deepen counts a message whose put is committed, or no more (by is -1).
func (q *queue) deepen(m *message, by int) {
	q.depth += by
	if !m.Persistent {
		q.volatile += by
	}
}

// merge puts messages back in their places, in one go: each by itself would
// move all that follow. Their sequences were given before the next one.
func (q *queue) merge(back []*message) error {
	for _, m := range back {
		if m.Sequence == 0 || m.Sequence >= q.next {
			return fmt.Errorf("%w: message %d was never put", ErrFormat, m.Sequence)
		}
		q.count(m)
	}
	q.slots = append(q.slots, back...)
	slices.SortFunc(q.slots, func(a, b *message) int { return cmp.Compare(a.Sequence, b.Sequence) })
	q.first = 0
	for i := 1; i < len(q.slots); i++ {
		if q.slots[i].Sequence == q.slots[i-1].Sequence {
			return fmt.Errorf("%w: message %d is there twice", ErrFormat, q.slots[i].Sequence)
		}
	}
	return nil
}

func (q *queue) search(sequence uint64) (int, bool) {
	return slices.BinarySearchFunc(q.slots, sequence, func(m *message, s uint64) int { return cmp.Compare(m.Sequence, s) })
}

// find gives a message that is on the queue, hidden or not; nil: it is not.
func (q *queue) find(sequence uint64) *message {
	i, ok := q.search(sequence)
	if !ok || q.slots[i].gone {
		return nil
	}
	return q.slots[i]
}

// head gives the first message that is available; nil: none is.
func (q *queue) head(to *Unit) *message {
	all := true // that came before are available to nobody
	for i := q.first; i < len(q.slots); i++ {
		m := q.slots[i]
		if m.available(to) {
			return m
		}
		if all = all && (m.gone || m.got != nil); all {
			q.first = i + 1
		}
	}
	return nil
}

// hide keeps a message from everyone until its get is committed or backed out.
func (q *queue) hide(m *message, by *Unit) {
	m.got = by
	q.uncommitted++
}

// unhide ends a hidden get that is backed out.
func (q *queue) unhide(m *message) {
	m.got = nil
	q.uncommitted--
	if i, ok := q.search(m.Sequence); ok {
		q.first = min(q.first, i)
	}
}

// publish ends the put of a message by its commit.
func (q *queue) publish(m *message) {
	m.put = nil
	q.uncommitted--
	q.deepen(m, 1)
}

// remove takes a message away for good.
func (q *queue) remove(m *message) {
	if m.got != nil {
		q.uncommitted--
	}
	if m.put != nil {
		q.uncommitted--
	} else {
		q.deepen(m, -1)
	}
	if m.inFile {
		q.leaving = append(q.leaving, m.Sequence)
	}
	m.put, m.got, m.gone, m.Body = nil, nil, true, nil
	q.gone++
	if q.gone > 64 && q.gone > len(q.slots)/2 {
		q.slots = slices.DeleteFunc(q.slots, func(m *message) bool { return m.gone })
		q.first, q.gone = 0, 0
	}
}

// clear removes every message. No unit of work may have to do with one.
func (q *queue) clear() {
	for _, m := range q.slots {
		if m.inFile && !m.gone {
			q.leaving = append(q.leaving, m.Sequence)
		}
	}
	q.slots, q.first, q.gone, q.depth, q.volatile = nil, 0, 0, 0, 0
}

// committed goes through the persistent messages whose put is committed and
// whose get is not: what a file or an image holds.
func (q *queue) committed(yield func(*message) bool) {
	for _, m := range q.slots {
		if m.Persistent && !m.gone && m.put == nil && !yield(m) {
			return
		}
	}
}
