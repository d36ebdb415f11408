package sim

import (
	"context"
	"fmt"
	"io/fs"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/sim/ibmi"
	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
	"github.com/mqhk/mqhk/core/sim/ibmi/qmgr"
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

// Add makes an IBM i queue manager and starts it.
func (e *Estate) Add(ctx context.Context, spec IBMi) error {
	if _, _, err := e.find(spec.Name); err == nil {
		return fmt.Errorf("adding queue manager %s: %w", spec.Name, fs.ErrExist)
	}
	s, err := e.systemFor(spec)
	if err != nil {
		return fmt.Errorf("adding queue manager %s: %w", spec.Name, err)
	}
	spec.NoSync = e.state.NoSync
	m, err := s.machine.Create(ctx, spec.Spec)
	if err != nil {
		return fmt.Errorf("adding queue manager %s: %w", spec.Name, err)
	}
	if _, err := m.Start(ctx); err != nil {
		return fmt.Errorf("starting queue manager %s: %w", spec.Name, err)
	}
	return e.pass(ctx, commandTakes)
}

// systemFor gives the system of that name, or makes it.
func (e *Estate) systemFor(spec IBMi) (*system, error) {
	name := spec.System
	for n := 1; name == "" || spec.System == "" && e.systemNamed(name) != nil; n++ {
		name = fmt.Sprintf("SYS%d", n)
	}
	if s := e.systemNamed(name); s != nil {
		return s, nil
	}
	if err := os400.CheckSystemName(name); err != nil {
		return nil, err
	}
	found := systemState{Name: name, Platform: observe.IBMi}
	opts, c := e.options(found)
	set := spec.Settings
	set.Name = name
	sys, err := os400.Create(opts, set)
	if err != nil {
		return nil, err
	}
	e.state.Systems = append(e.state.Systems, found)
	if err := e.saveState(); err != nil {
		return nil, err
	}
	machine, err := ibmi.Open(sys)
	if err != nil {
		return nil, err
	}
	s := &system{name: name, clock: c, os: sys, machine: machine}
	e.systems = append(e.systems, s)
	return s, nil
}

func (e *Estate) systemNamed(name string) *system {
	for _, s := range e.systems {
		if s.name == name {
			return s
		}
	}
	return nil
}
