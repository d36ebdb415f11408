package engine

import "fmt"

// queue holds the messages of a local queue, those too that units of work hide:
// a lane for each priority, so that neither a get nor a put is slower for those
// of other priorities, however deep.
type queue struct {
	lanes [MaxPriority + 1]lane
	next  uint64 // sequence of the next put; 0 is none
	depth int    // messages whose put is committed and that are not gone
	// volatile counts those of depth that are not persistent.
	volatile int
	// present counts the messages that no get, committed or not, has taken.
	present int
	// uncommitted counts the puts and gets of units of work.
	uncommitted int
	// leaving are the sequences of messages that the file has and the queue
	// has not any more.
	leaving []uint64
}

// add puts a message in its place and makes the queue its owner's.
func (q *queue) add(m *message) {
	q.lanes[m.Priority].insert(m)
	q.next = max(q.next, m.Sequence+1)
	q.count(m)
}

// count counts a message that is new on the queue.
func (q *queue) count(m *message) {
	q.present++
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

// merge puts messages back in their places, in one go. Their sequences were
// given before the next one.
func (q *queue) merge(back []*message) error {
	var of [MaxPriority + 1][]*message
	there := make(map[uint64]bool, len(back))
	for _, m := range back {
		if m.Sequence == 0 || m.Sequence >= q.next {
			return fmt.Errorf("%w: message %d was never put", ErrFormat, m.Sequence)
		}
		if there[m.Sequence] || q.find(m.Sequence) != nil {
			return fmt.Errorf("%w: message %d is there twice", ErrFormat, m.Sequence)
		}
		there[m.Sequence] = true
		of[m.Priority] = append(of[m.Priority], m)
		q.count(m)
	}
	for p := range of {
		if len(of[p]) > 0 {
			q.lanes[p].merge(of[p])
		}
	}
	return nil
}

// find gives a message that is on the queue, hidden or not; nil: it is not.
func (q *queue) find(sequence uint64) *message {
	for p := range q.lanes {
		l := &q.lanes[p]
		if len(l.slots) == 0 {
			continue
		}
		if i, ok := l.search(sequence); ok && !l.slots[i].gone {
			return l.slots[i]
		}
	}
	return nil
}

// head gives the first message that is available; nil: none is.
func (q *queue) head(to *Unit) *message {
	for p := MaxPriority; p >= 0; p-- {
		if m := q.lanes[p].head(to); m != nil {
			return m
		}
	}
	return nil
}

// all goes through the messages that are not gone, in the order of gets.
func (q *queue) all(yield func(*message) bool) {
	for p := MaxPriority; p >= 0; p-- {
		for _, m := range q.lanes[p].slots {
			if !m.gone && !yield(m) {
				return
			}
		}
	}
}

// hide keeps a message from everyone until its get is committed or backed out.
func (q *queue) hide(m *message, by *Unit) {
	m.got = by
	q.uncommitted++
	q.present--
}

// unhide ends a hidden get that is backed out.
func (q *queue) unhide(m *message) {
	m.got = nil
	q.uncommitted--
	q.present++
	q.lanes[m.Priority].back(m)
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
	} else {
		q.present--
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
	q.lanes[m.Priority].drop()
}

// clear removes every message. No unit of work may have to do with one.
func (q *queue) clear() {
	for m := range q.all {
		if m.inFile {
			q.leaving = append(q.leaving, m.Sequence)
		}
	}
	q.lanes, q.depth, q.volatile, q.present = [MaxPriority + 1]lane{}, 0, 0, 0
}

// committed goes through the persistent messages whose put is committed and
// whose get is not: what a file or an image holds.
func (q *queue) committed(yield func(*message) bool) {
	for m := range q.all {
		if m.Persistent && m.put == nil && !yield(m) {
			return
		}
	}
}
