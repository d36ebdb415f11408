package qmgr

import (
	"fmt"

	"github.com/mqhk/mqhk/core/sim/applications"
	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
)

// Open finds a queue manager by its name. It reads mqs.ini and sim.json, and
// the error names the one that is missing (fs.ErrNotExist) or can't be read;
// an unknown name is [ErrUnknown]. Nothing is started: one that was suspended
// waits for [Manager.Resume], one that ran and was not has crashed.
func Open(sys *os400.System, name string) (*Manager, error) {
	e, err := lookUp(sys, name)
	if err != nil {
		return nil, err
	}
	k, err := readState(sys, e.directory)
	if err != nil {
		return nil, fmt.Errorf("opening queue manager %s: %w", name, err)
	}
	if k.Name != name || k.Library != e.library || k.Directory != e.directory {
		return nil, fmt.Errorf("opening queue manager %s: %s is that of queue manager %s in library %s, and %s says library %s",
			name, statePath(e.directory), k.Name, k.Library, registryIni, e.library)
	}
	if k.State == Running && !k.Suspended {
		k.State = Crashed
	}
	m := &Manager{sys: sys, spec: k.Spec, directory: k.Directory, kept: k, applications: applications.New(k.Applications)}
	return m, nil
}
