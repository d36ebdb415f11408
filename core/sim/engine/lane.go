package engine

import (
	"cmp"
	"slices"
)

// lane holds the messages of one priority in their order.
type lane struct {
	slots []*message // by ascending sequence; some may be gone
	first int        // no slot before it is available to anyone
	gone  int        // slots that are
}

func (l *lane) search(sequence uint64) (int, bool) {
	return slices.BinarySearchFunc(l.slots, sequence, func(m *message, s uint64) int { return cmp.Compare(m.Sequence, s) })
}

// insert puts a message in its place.
func (l *lane) insert(m *message) {
	i := len(l.slots)
	if i > 0 && l.slots[i-1].Sequence > m.Sequence {
		i, _ = l.search(m.Sequence)
	}
	l.slots = slices.Insert(l.slots, i, m)
	l.first = min(l.first, i)
}

// merge puts many in their places in one go: each by itself would move all that
// follow.
func (l *lane) merge(back []*message) {
	l.slots = append(l.slots, back...)
	slices.SortFunc(l.slots, func(a, b *message) int { return cmp.Compare(a.Sequence, b.Sequence) })
	l.first = 0
}

// head gives the first message that is available; nil: none is.
func (l *lane) head(to *Unit) *message {
	all := true // that came before are available to nobody
	for i := l.first; i < len(l.slots); i++ {
		m := l.slots[i]
		if m.available(to) {
			return m
		}
		if all = all && (m.gone || m.got != nil); all {
			l.first = i + 1
		}
	}
	return nil
}

// back makes a message available again that was hidden.
func (l *lane) back(m *message) {
	if i, ok := l.search(m.Sequence); ok {
		l.first = min(l.first, i)
	}
}

// drop counts a message that has gone, and tidies up when there are many.
func (l *lane) drop() {
	l.gone++
	if l.gone > 64 && l.gone > len(l.slots)/2 {
		l.slots = slices.DeleteFunc(l.slots, func(m *message) bool { return m.gone })
		l.first, l.gone = 0, 0
	}
}
