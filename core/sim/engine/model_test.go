package engine

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// The model of a queue manager: what a history of calls must have left,
// worked out without log or files.
type model struct {
	queues map[string][]modelMessage // in the order of the puts
	units  map[uint64]bool           // that have not ended; true: prepared
	kept   map[string]string
}

type modelMessage struct {
	body       string
	priority   int
	persistent bool
	put, got   uint64 // unit of work that has not ended; 0: none
}

func (m model) clone() model {
	n := model{queues: map[string][]modelMessage{}, units: maps.Clone(m.units), kept: maps.Clone(m.kept)}
	for name, q := range m.queues {
		n.queues[name] = slices.Clone(q)
	}
	return n
}

// end commits or backs out a unit of work.
func (m model) end(unit uint64, commit bool) {
	for name, q := range m.queues {
		var left []modelMessage
		for _, msg := range q {
			if msg.got == unit && commit || msg.put == unit && !commit {
				continue
			}
			if msg.got == unit {
				msg.got = 0
			}
			if msg.put == unit {
				msg.put = 0
			}
			left = append(left, msg)
		}
		m.queues[name] = left
	}
	delete(m.units, unit)
}

// stop is the end of the processes, however it comes about.
func (m model) stop() {
	for _, u := range slices.Sorted(maps.Keys(m.units)) {
		if !m.units[u] {
			m.end(u, false)
		}
	}
	for name := range m.queues {
		m.forget(name)
	}
}

// forget takes away the messages that are in memory alone.
func (m model) forget(name string) {
	m.queues[name] = slices.DeleteFunc(m.queues[name], func(msg modelMessage) bool { return !msg.persistent })
}

// inDoubt tells whether a prepared unit of work has changes on a queue.
func (m model) inDoubt(name string) bool {
	return slices.ContainsFunc(m.queues[name], func(msg modelMessage) bool {
		return msg.persistent && (m.units[msg.put] || m.units[msg.got])
	})
}

func (m model) visible(name string, to uint64) []string {
	var all []string
	for p := MaxPriority; p >= 0; p-- {
		for _, msg := range m.queues[name] {
			if msg.priority == p && msg.got == 0 && (msg.put == 0 || msg.put == to) {
				all = append(all, msg.body)
			}
		}
	}
	return all
}

func (m model) String() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(m.queues)) {
		fmt.Fprintf(&b, "%s:%v ", name, m.queues[name])
	}
	fmt.Fprintf(&b, "units:%v", m.units)
	return b.String()
}
