package sim

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

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

// Add makes an IBM i queue manager and starts it. A new system that the queue
// manager could not be made on is not kept.
func (e *Estate) Add(ctx context.Context, spec IBMi) error {
	if _, _, err := e.find(spec.Name); err == nil {
		return fmt.Errorf("adding queue manager %s: %w: the estate has one of that name", spec.Name, fs.ErrExist)
	}
	s := e.systemNamed(spec.System)
	isNew := s == nil
	if isNew {
		var err error
		if s, err = e.newSystem(spec); err != nil {
			return fmt.Errorf("adding queue manager %s: %w", spec.Name, err)
		}
	}
	spec.NoSync = e.state.NoSync
	spec.Default = spec.Default || len(s.machine.Managers()) == 0
	m, err := s.machine.Create(ctx, spec.Spec)
	if err != nil {
		if isNew {
			err = errors.Join(err, os.RemoveAll(e.folderOf(s.name)))
		}
		return fmt.Errorf("adding queue manager %s: %w", spec.Name, err)
	}
	if isNew {
		e.systems = append(e.systems, s)
		e.state.Systems = append(e.state.Systems, systemState{Name: s.name, Platform: observe.IBMi})
		if err := e.saveState(); err != nil {
			return fmt.Errorf("adding queue manager %s: %w", spec.Name, err)
		}
	}
	if _, err := m.Start(ctx); err != nil {
		return fmt.Errorf("starting queue manager %s: %w", spec.Name, err)
	}
	return e.pass(ctx)
}

// newSystem makes a system that the estate does not know yet. What a process
// that died has left of one is removed.
func (e *Estate) newSystem(spec IBMi) (*system, error) {
	name := spec.System
	for n := 1; name == "" || spec.System == "" && e.systemNamed(name) != nil; n++ {
		name = fmt.Sprintf("SYS%d", n)
	}
	if err := os400.CheckSystemName(name); err != nil {
		return nil, err
	}
	if err := os.RemoveAll(e.folderOf(name)); err != nil {
		return nil, err
	}
	opts, c := e.options(systemState{Name: name})
	set := spec.Settings
	set.Name = name
	sys, err := os400.Create(opts, set)
	if err != nil {
		return nil, err
	}
	machine, err := ibmi.Open(sys)
	if err != nil {
		return nil, err
	}
	machine.Taken = e.elsewhere(name)
	return &system{name: name, clock: c, os: sys, machine: machine}, nil
}

// folderOf gives the folder of a system, whose name was checked.
func (e *Estate) folderOf(name string) string {
	return filepath.Join(e.dir, systemsFolder, name)
}

func (e *Estate) systemNamed(name string) *system {
	for _, s := range e.systems {
		if s.name == name {
			return s
		}
	}
	return nil
}
