package sim

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"time"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/sim/ibmi"
	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
	"github.com/mqhk/mqhk/core/sim/ibmi/qmgr"
	"github.com/mqhk/mqhk/core/sim/workload"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// IBMi is an IBM i queue manager as it is added to an estate.
type IBMi struct {
	qmgr.Spec
	// System that it is to be on: one that the estate has, or a new one of
	// this name. Empty: a new one with a name of its own.
	System string
	// Settings of a new system; its name is System.
	Settings os400.Settings
}

var _ Spec = IBMi{}

func (i IBMi) manager() string            { return i.Name }
func (i IBMi) on() string                 { return i.System }
func (i IBMi) platform() observe.Platform { return observe.IBMi }

func (i IBMi) makeSystem(e *Estate, name string) (*system, error) {
	opts, c := e.ibmiOptions(systemState{Name: name})
	set := i.Settings
	set.Name = name
	sys, err := os400.Create(opts, set)
	if err != nil {
		return nil, err
	}
	return e.ibmiSystem(name, c, sys)
}

func (i IBMi) create(ctx context.Context, s *system, noSync bool) (func(context.Context) error, error) {
	on, ok := s.platform.(*ibmiSystem)
	if !ok {
		return nil, fmt.Errorf("%w: system %s is not of IBM i", ErrUsage, s.name)
	}
	spec := i.Spec
	spec.NoSync = noSync
	spec.Default = spec.Default || len(on.machine.Managers()) == 0
	m, err := on.machine.Create(ctx, spec)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) error { _, err := m.Start(ctx); return err }, nil
}

// ibmiSystem is a system of IBM i.
type ibmiSystem struct {
	os      *os400.System
	machine *ibmi.Machine
}

// ibmiOptions gives what a system of IBM i runs with.
func (e *Estate) ibmiOptions(s systemState) (os400.Options, *clock) {
	c := e.clockOf(s)
	return os400.Options{
		Disk: disk.Under(e.disk, path.Join(systemsFolder, s.Name)), Now: c.Now,
		NoSync: e.state.NoSync, Exits: ibmi.ExitPrograms(),
	}, c
}

func openIBMi(e *Estate, found systemState) (*system, error) {
	opts, c := e.ibmiOptions(found)
	sys, err := os400.Open(opts)
	if err != nil {
		return nil, err
	}
	return e.ibmiSystem(found.Name, c, sys)
}

func (e *Estate) ibmiSystem(name string, c *clock, sys *os400.System) (*system, error) {
	machine, err := ibmi.Open(sys)
	if err != nil {
		return nil, err
	}
	machine.Taken = e.elsewhere(name)
	return &system{name: name, clock: c, platform: &ibmiSystem{sys, machine}}, nil
}

// ibmi gives the IBM i system of a queue manager.
func (e *Estate) ibmi(queueManager string) (*ibmiSystem, error) {
	s, _, err := e.find(queueManager)
	if err != nil {
		return nil, err
	}
	on, ok := s.platform.(*ibmiSystem)
	if !ok {
		return nil, fmt.Errorf("%w: %s is on no IBM i system, which alone has CL commands and save files", ErrUsage, queueManager)
	}
	return on, nil
}

// Manager gives an IBM i queue manager by its name; nil: the estate has none of
// it.
func (e *Estate) Manager(name string) *qmgr.Manager {
	if on, err := e.ibmi(name); err == nil {
		m, _ := on.machine.Manager(name) // it was found just now
		return m
	}
	return nil
}

func (i *ibmiSystem) managers() []manager {
	var all []manager
	for _, m := range i.machine.Managers() {
		all = append(all, ibmiManager{m, i})
	}
	return all
}

// lost gives none: a system of IBM i whose queue manager can't be read does not
// open, and the error names it.
func (i *ibmiSystem) lost() map[string]error { return nil }

func (i *ibmiSystem) tick(ctx context.Context) error    { return i.machine.Tick(ctx) }
func (i *ibmiSystem) suspend(ctx context.Context) error { return i.machine.Suspend(ctx) }
func (i *ibmiSystem) force() error                      { return i.os.Force() }

// ask answers a question of a user profile; empty: of QMQM.
func (i *ibmiSystem) ask(ctx context.Context, user string, q observe.Question) (observe.Answer, error) {
	return i.machine.AskAs(ctx, cmp.Or(user, operator), q)
}

// ibmiManager is a queue manager of IBM i with its system.
type ibmiManager struct {
	*qmgr.Manager
	system *ibmiSystem
}

func (m ibmiManager) memoryOnly() int { return m.MemoryOnly() }

func (m ibmiManager) state() (string, bool) {
	state := m.Status().State
	return state, state == string(qmgr.Running)
}

func (m ibmiManager) target() observe.Target {
	return observe.Target{Name: m.Name(), Platform: observe.IBMi, Library: m.Library()}
}

func (m ibmiManager) work(now func() time.Time) workload.QueueManager {
	define := func(ctx context.Context, queue string) error { return m.DefineQueue(ctx, queue, nil) }
	return applications[*qmgr.Unit]{m.Manager, now, define}
}

func (m ibmiManager) show(st *ManagerStatus) {
	points, sys := m.Points(), m.system.os
	j := &JournalStatus{
		Journal: m.Journal().String(),
		Startup: Point{points.Startup.Receiver, points.Startup.Time}, Media: Point{points.Media.Receiver, points.Media.Time},
	}
	st.JournalStatus = j
	for _, r := range sys.Receivers(m.Journal()) {
		j.Receivers++
		st.Bytes += r.Size
		switch r.Status {
		case os400.Attached:
			j.Attached = r.Name
		case os400.Online:
			j.Unsaved++
		}
	}
	if room := sys.Storage(); room.Total > 0 {
		st.Free = &room.Free
	}
	if _, running := m.state(); running {
		st.Work = showWork(m.Manager)
	}
	for _, w := range sys.Waiting() {
		st.Waiting = append(st.Waiting, fmt.Sprintf("%s: message %d about %s", w.Job.Name, w.Key, w.Receiver))
	}
}

func showWork(m *qmgr.Manager) *Work {
	w := &Work{}
	for _, q := range m.Queues() {
		w.Queues++
		w.Messages += q.Depth
		if q.Damaged {
			w.Damaged++
		}
	}
	for _, t := range m.Transactions() {
		w.UnitsOfWork++
		if !t.Started.IsZero() && (w.Oldest.IsZero() || t.Started.Before(w.Oldest)) {
			w.Oldest = t.Started
		}
	}
	return w
}
