package qmgr

import "slices"

// item is a message in the model.
type item struct {
	body     string
	put, got uint64 // units of work that hide it; 0: none
}

// model is what a queue manager must hold.
type model struct {
	queues map[string][]item
	units  map[uint64]*Unit
	// prepared are those that survive a crash.
	prepared map[uint64]bool
	made     int
}

func (m *model) clone() *model {
	c := &model{queues: map[string][]item{}, units: m.units, prepared: map[uint64]bool{}, made: m.made}
	for name, items := range m.queues {
		c.queues[name] = slices.Clone(items)
	}
	for id, p := range m.prepared {
		c.prepared[id] = p
	}
	return c
}

// end settles the changes of a unit of work.
func (m *model) end(unit uint64, commit bool) {
	for name, items := range m.queues {
		kept := items[:0:0]
		for _, i := range items {
			switch {
			case i.got == unit && commit, i.put == unit && !commit:
				continue
			case i.got == unit:
				i.got = 0
			}
			if i.put == unit {
				i.put = 0
			}
			kept = append(kept, i)
		}
		m.queues[name] = kept
	}
	delete(m.prepared, unit)
}

// crashed ends what a crash ends.
func (m *model) crashed() {
	for _, items := range m.queues {
		for _, i := range items {
			for _, unit := range []uint64{i.put, i.got} {
				if unit != 0 && !m.prepared[unit] {
					m.end(unit, false)
				}
			}
		}
	}
}

// visible gives what a browse shows.
func (m *model) visible(queue string) []string {
	all := []string{}
	for _, i := range m.queues[queue] {
		if i.put == 0 && i.got == 0 {
			all = append(all, i.body)
		}
	}
	return all
}

// unworked tells whether a unit of work has no changes.
func (m *model) unworked(id uint64) bool {
	for _, items := range m.queues {
		for _, i := range items {
			if i.put == id || i.got == id {
				return false
			}
		}
	}
	return true
}
