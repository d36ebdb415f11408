package sim

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/mqhk/mqhk/core/observe"
)

// ErrUnreadable says that the estate has a queue manager whose files can't be
// read: it is there for who has to put them back, and for a plan, which must not
// pass it over.
var ErrUnreadable = errors.New("its files can't be read")

// unreadable is the state of such a queue manager.
const unreadable = "not readable"

// lostManager is a queue manager whose files can't be read.
type lostManager struct {
	name   string
	system *system
	why    error
}

// lost gives the queue managers of the estate whose files can't be read.
func (e *Estate) lost() []lostManager {
	var all []lostManager
	for _, s := range e.systems {
		reasons := s.lost()
		for _, name := range slices.Sorted(maps.Keys(reasons)) {
			all = append(all, lostManager{name, s, reasons[name]})
		}
	}
	return all
}

// lostOf gives the one of a name.
func (e *Estate) lostOf(name string) (lostManager, bool) {
	for _, l := range e.lost() {
		if l.name == name {
			return l, true
		}
	}
	return lostManager{}, false
}

func (l lostManager) err() error {
	return fmt.Errorf("queue manager %s on system %s: %w: %w", l.name, l.system.name, ErrUnreadable, l.why)
}

// showLost shows one: what it is, and why nothing else is told.
func (e *Estate) showLost(l lostManager) ManagerStatus {
	st := ManagerStatus{
		Name: l.name, Platform: e.platformOf(l.system), System: l.system.name, Clock: l.system.clock.Now(),
		State: unreadable, Problem: l.why.Error(),
	}
	if w := e.workloads[l.name]; w != nil {
		st.Workload = w.Profile().Name
	}
	return st
}

// lostTarget is what a plan is asked about: its questions fail one by one, and the
// plan says so.
func (e *Estate) lostTarget(l lostManager) observe.Target {
	return observe.Target{Name: l.name, Platform: e.platformOf(l.system)}
}

// restLost has the applications of the lost queue managers of a system rest.
func (e *Estate) restLost(s *system, until time.Time, done *works) {
	for name, why := range s.lost() {
		if w := e.workloads[name]; w != nil {
			w.Pause(until)
			done.of(name).Stopped = lostManager{name, s, why}.err().Error()
		}
	}
}
