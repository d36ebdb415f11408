package sim

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Add makes a queue manager and starts it. A new system that the queue manager
// could not be made on is not kept.
func (e *Estate) Add(ctx context.Context, spec Spec) error {
	name := spec.manager()
	if _, _, err := e.find(name); !errors.Is(err, ErrNoManager) {
		return fmt.Errorf("adding queue manager %s: %w: the estate has one of that name", name, fs.ErrExist)
	}
	s := e.systemNamed(spec.on())
	isNew := s == nil
	if isNew {
		var err error
		if s, err = e.newSystem(spec); err != nil {
			return fmt.Errorf("adding queue manager %s: %w", name, err)
		}
	} else if other := e.platformOf(s); other != spec.platform() {
		return fmt.Errorf("adding queue manager %s: %w: system %s is %s", name, ErrUsage, s.name, other)
	}
	start, err := spec.create(ctx, s, e.state.NoSync)
	if err != nil {
		if isNew {
			err = errors.Join(err, os.RemoveAll(e.folderOf(s.name)))
		}
		return fmt.Errorf("adding queue manager %s: %w", name, err)
	}
	if isNew {
		e.systems = append(e.systems, s)
		e.state.Systems = append(e.state.Systems, systemState{Name: s.name, Platform: spec.platform()})
		if err := e.saveState(); err != nil {
			return fmt.Errorf("adding queue manager %s: %w", name, err)
		}
	}
	if err := start(ctx); err != nil {
		return fmt.Errorf("starting queue manager %s: %w", name, err)
	}
	return e.pass(ctx)
}

// newSystem makes a system that the estate does not know yet. What a process
// that died has left of one is removed.
func (e *Estate) newSystem(spec Spec) (*system, error) {
	name := spec.on()
	for n := 1; name == "" || spec.on() == "" && e.systemNamed(name) != nil; n++ {
		name = fmt.Sprintf("SYS%d", n)
	}
	if err := checkSystemName(name); err != nil {
		return nil, err
	}
	if err := os.RemoveAll(e.folderOf(name)); err != nil {
		return nil, err
	}
	return spec.makeSystem(e, name)
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
