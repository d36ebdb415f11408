package ibmi

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
	"github.com/mqhk/mqhk/core/sim/ibmi/qmgr"
)

// Machine is one IBM i system with its queue managers. Its methods may be
// called from any goroutine.
type Machine struct {
	sys *os400.System

	mu       sync.Mutex
	managers []*qmgr.Manager // in the order of mqs.ini
	// Taken tells whether a name is that of a queue manager elsewhere; nil:
	// none is. Set it before the machine is used.
	Taken func(name string) bool
}

// Open gives a system with the queue managers of its mqs.ini. It only reads:
// those that ran go on when [Machine.Resume] says so.
func Open(sys *os400.System) (*Machine, error) {
	m := &Machine{sys: sys}
	names, err := qmgr.List(sys)
	if err != nil {
		return nil, fmt.Errorf("listing the queue managers of system %s: %w", sys.Settings().Name, err)
	}
	for _, name := range names {
		manager, err := qmgr.Open(sys, name)
		if err != nil {
			return nil, fmt.Errorf("opening queue manager %s: %w", name, err)
		}
		m.managers = append(m.managers, manager)
	}
	return m, nil
}

// System gives the operating system.
func (m *Machine) System() *os400.System { return m.sys }

// Managers gives the queue managers in the order in which they were created.
func (m *Machine) Managers() []*qmgr.Manager {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.managers)
}

// Manager gives the queue manager of a name. AMQ8118 when there is none.
func (m *Machine) Manager(name string) (*qmgr.Manager, error) {
	for _, manager := range m.Managers() {
		if manager.Name() == name {
			return manager, nil
		}
	}
	return nil, escape("AMQ8118", os400.ID{Name: name}, name, "")
}

// Default gives the queue manager that was made with DFTQMGR(*YES). AMQ8118
// when none was, also where there is only one: it has to be named.
func (m *Machine) Default() (*qmgr.Manager, error) {
	name, err := qmgr.Default(m.sys)
	if err != nil {
		return nil, fmt.Errorf("finding the default queue manager: %w", err)
	}
	if name == "" {
		return nil, escape("AMQ8118", os400.ID{Name: "*DFT"}, "*DFT", ": none was created with DFTQMGR(*YES). Say which with MQMNAME")
	}
	return m.Manager(name)
}

// Create makes a queue manager (CRTMQM). It is left ended.
func (m *Machine) Create(ctx context.Context, spec qmgr.Spec) (*qmgr.Manager, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if slices.ContainsFunc(m.managers, func(other *qmgr.Manager) bool { return other.Name() == spec.Name }) || m.Taken != nil && m.Taken(spec.Name) {
		return nil, escape("AMQ8110", os400.ID{Name: spec.Name}, spec.Name)
	}
	manager, err := qmgr.Create(ctx, m.sys, spec)
	if err != nil {
		return nil, mqEscape(err, spec.Name, spec.Name)
	}
	m.managers = append(m.managers, manager)
	return manager, nil
}

// Resume goes on with the queue managers that were suspended.
func (m *Machine) Resume(ctx context.Context) error {
	return m.each("resuming", (*qmgr.Manager).Suspended, func(manager *qmgr.Manager) error { return manager.Resume(ctx) })
}

// Suspend stops the running queue managers as they are, for the time between
// two uses of the simulator. The Machine is then only good for questions.
func (m *Machine) Suspend(ctx context.Context) error {
	return m.each("suspending", inMemory, func(manager *qmgr.Manager) error { return manager.Suspend(ctx) })
}

// Tick has the system and its running queue managers do what is due at its
// present time. What a queue manager meets there, such as a full ASP, it tells
// on its message queues: that is no error of the tick.
func (m *Machine) Tick(ctx context.Context) error {
	if err := m.sys.Tick(ctx); err != nil {
		return fmt.Errorf("what is due on system %s: %w", m.sys.Settings().Name, err)
	}
	return m.each("what is due in", inMemory, func(manager *qmgr.Manager) error {
		err := manager.Tick(ctx)
		if errors.As(err, new(*os400.Error)) || errors.Is(err, engine.ErrStopped) {
			return nil
		}
		return err
	})
}

// each does something with some of the queue managers, with the others too
// when it fails for one.
func (m *Machine) each(what string, which func(*qmgr.Manager) bool, do func(*qmgr.Manager) error) error {
	var all error
	for _, manager := range m.Managers() {
		if !which(manager) {
			continue
		}
		if err := do(manager); err != nil {
			all = errors.Join(all, fmt.Errorf("%s queue manager %s: %w", what, manager.Name(), err))
		}
	}
	return all
}

// running tells whether a queue manager runs, as one sees it: also one that is
// suspended.
func running(manager *qmgr.Manager) bool { return manager.Status().State == string(qmgr.Running) }

// inMemory tells whether it really does.
func inMemory(manager *qmgr.Manager) bool { return running(manager) && !manager.Suspended() }
