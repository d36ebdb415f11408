package qmgr

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/wal"
)

// publish shows the recovery points to the outside: AMQ7460 and AMQ7462 on
// QMQMMSG, then the older of both in AMQJRNINF (reference, IBM i 2.1, 2.3).
// Older is what comes first in the journal: clocks go back, positions do not.
func (m *Manager) publish(e *engine.Engine) error {
	marks := e.Status().Marks
	p := Points{Startup: m.pointAt(marks.Restart), Media: m.pointAt(marks.Media), Published: m.sys.Now()}
	older, from := p.Startup, marks.Restart.LSN
	if marks.Media.LSN < from {
		older, from = p.Media, marks.Media.LSN
	}
	if err := m.tell("AMQ7460", p.Startup.fields()); err != nil {
		return err
	}
	if err := m.tell("AMQ7462", p.Media.fields()); err != nil {
		return err
	}
	if err := m.sys.PutSpace(m.Space(), information(older)); err != nil {
		return fmt.Errorf("writing user space %s: %w", m.Space(), err)
	}
	places := m.places()
	return m.change(func(k *kept) { k.Points, k.Receivers = p, since(places, from) })
}

// fields gives what the messages of a recovery point carry.
func (p Point) fields() fields {
	return fields{"receiver": p.Receiver, "library": p.Library}.at(p.Time)
}

// places lists where receivers begin, oldest first: those of the system, and
// those that were there at the last publication.
func (m *Manager) places() []placed {
	all := slices.Clone(m.read().Receivers)
	known := make(map[wal.LSN]bool, len(all))
	for _, p := range all {
		known[p.Start] = true
	}
	for _, r := range m.sys.Receivers(m.Journal()) {
		if r.Start != 0 && !known[r.Start] {
			all, known[r.Start] = append(all, placed{r.Name, r.Start}), true
		}
	}
	slices.SortFunc(all, func(a, b placed) int { return cmp.Compare(a.Start, b.Start) })
	return all
}

// since leaves out the receivers that end before a position.
func since(all []placed, from wal.LSN) []placed {
	i := len(all) - 1
	for i > 0 && all[i].Start > from {
		i--
	}
	return all[max(i, 0):]
}
