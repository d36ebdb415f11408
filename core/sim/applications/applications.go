// Package applications remembers which application each unit of work of a
// simulated queue manager is of. The log does not say that, and whoever looks
// for what holds the log wants to know it.
package applications

import (
	"maps"
	"sync"

	"github.com/mqhk/mqhk/core/sim/engine"
)

// Table has the names of applications by the numbers of their units of work.
// Its methods may be called from any number of goroutines; none of them calls
// the engine.
type Table struct {
	mu    sync.Mutex
	names map[uint64]string
}

// New gives a table with what was kept of an earlier one, which is copied; nil:
// nothing was.
func New(kept map[uint64]string) *Table {
	t := &Table{names: map[uint64]string{}}
	maps.Copy(t.names, kept)
	return t
}

// Begun notes whose a unit of work is.
func (t *Table) Begun(unit uint64, application string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.names[unit] = application
}

// Ended forgets a unit of work.
func (t *Table) Ended(unit uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.names, unit)
}

// Of gives the application of a unit of work; empty: it is not known.
func (t *Table) Of(unit uint64) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.names[unit]
}

// Names gives a copy of what there is.
func (t *Table) Names() map[uint64]string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return maps.Clone(t.names)
}

// Left forgets all units of work but those that a start has left.
func (t *Table) Left(units []engine.UnitInfo) {
	left := make(map[uint64]bool, len(units))
	for _, u := range units {
		left[u.ID] = true
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	maps.DeleteFunc(t.names, func(unit uint64, _ string) bool { return !left[unit] })
}
