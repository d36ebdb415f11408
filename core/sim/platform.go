package sim

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/workload"
)

// system is a simulated system with its queue managers and a clock.
type system struct {
	name  string
	clock *clock
	platform
}

// platform is what the estate needs of a system, of whatever platform it is.
type platform interface {
	// managers gives the queue managers in the order in which they were made.
	managers() []manager
	// lost gives the queue managers that the system has and whose files can't be
	// read, with the reason.
	lost() map[string]error
	// tick does what is due at the present time.
	tick(context.Context) error
	// suspend takes the queue managers that run out of memory, as they are.
	suspend(context.Context) error
	// force makes durable what was left to it.
	force() error
	// ask answers a question of a user; empty: of who may do everything.
	ask(ctx context.Context, user string, q observe.Question) (observe.Answer, error)
}

// manager is a queue manager as the estate needs it.
type manager interface {
	Name() string
	// Suspended tells whether it ran when the estate was closed, and waits for
	// Resume.
	Suspended() bool
	Resume(context.Context) error
	Crash(context.Context) error
	// Engine gives what runs under it; nil: it is not in memory.
	Engine() *engine.Engine
	// memoryOnly counts the messages that a crash takes.
	memoryOnly() int
	// state gives the word of the platform, and whether the queue manager runs
	// as one sees it: also one that is suspended.
	state() (word string, running bool)
	target() observe.Target
	// work shows it to applications, by the clock of its system.
	work(now func() time.Time) workload.QueueManager
	// show adds what its status has beside that of every platform.
	show(*ManagerStatus)
}

// kind is what the estate knows of a platform.
type kind struct {
	// open gives a system that is there, and writes nothing.
	open func(e *Estate, found systemState) (*system, error)
	// faults are what can go wrong on it.
	faults []FaultKind
}

// kinds gives the platforms that can be simulated.
func kinds() map[observe.Platform]kind {
	return map[observe.Platform]kind{
		observe.IBMi:           {openIBMi, ibmiFaults()},
		observe.Multiplatforms: {openMulti, multiFaults()},
	}
}

// Platforms gives the platforms that can be simulated.
func Platforms() []observe.Platform { return slices.Sorted(maps.Keys(kinds())) }

// Spec is a queue manager as it is added to an estate: [IBMi] or [Multi].
type Spec interface {
	// manager gives the queue manager's name.
	manager() string
	// on gives the name of the system that it is to be on; empty: a new one.
	on() string
	platform() observe.Platform
	// makeSystem makes a system of a name, whose folder is empty.
	makeSystem(e *Estate, name string) (*system, error)
	// create makes the queue manager on a system of its platform, and gives what
	// starts it.
	create(ctx context.Context, s *system, noSync bool) (start func(context.Context) error, err error)
}

// openSystem gives a system that is there.
func (e *Estate) openSystem(found systemState) (*system, error) {
	k, known := kinds()[found.Platform]
	if !known {
		return nil, fmt.Errorf("platform %q can't be simulated", found.Platform)
	}
	return k.open(e, found)
}

// platformOf gives the platform of a system.
func (e *Estate) platformOf(s *system) observe.Platform {
	for _, known := range e.state.Systems {
		if known.Name == s.name {
			return known.Platform
		}
	}
	return ""
}

// manager gives a queue manager of a system by its name; nil: there is none.
func (s *system) manager(name string) manager {
	for _, m := range s.managers() {
		if m.Name() == name {
			return m
		}
	}
	return nil
}
