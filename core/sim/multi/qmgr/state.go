package qmgr

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"time"

	"github.com/mqhk/mqhk/core/wal/disk"
)

// State is what dspmq -o status shows of a queue manager (reference,
// Multiplatforms 3.4 item 73).
type State string

// The states. A suspended queue manager is shown as running: that it is not
// in memory between two commands of the simulator is nobody's business.
const (
	Running           State = "Running"
	EndedNormally     State = "Ended normally"
	EndedImmediately  State = "Ended immediately"
	EndedUnexpectedly State = "Ended unexpectedly"
	EndedPreemptively State = "Ended preemptively"
)

// The files of the simulator's own, in the data folder: what is kept, and what
// is shown of a suspended queue manager.
const (
	stateFile          = "sim.json"
	suspendedStateFile = "sim-suspended.json"
)

// kept is the file sim.json in the data folder: what the simulator must know
// of a queue manager and neither its configuration nor the engine has. A queue
// manager whose file is gone starts without it, as one that has crashed.
type kept struct {
	Format    int
	State     State
	Suspended bool
	Started   time.Time // of the last start
	// Owner is who made the queue manager's files: those that somebody else's
	// hands have put there can't be read by it.
	Owner owning
	// Root is where the estate was when Owner was written down.
	Root string
	// Applications are those of the units of work that have not ended.
	Applications map[uint64]string `json:",omitempty"`
	// Globals are the units of work of a suspended one that it coordinates.
	Globals map[uint64]*global `json:",omitempty"`
	// Operations are those since the last checkpoint, of a suspended one.
	Operations int64 `json:",omitempty"`
	// Beyond is how many extents more than qm.ini has a suspended one may use.
	Beyond int `json:",omitempty"`
	// ToldUsed is the percentage of each file system that AMQ5782I told last.
	ToldUsed map[string]int `json:",omitempty"`
}

// owning is the user and the group of a file.
type owning struct {
	User, Group uint32
	Known       bool
}

// format of sim.json.
const format = 1

// parseState reads the content of sim.json.
func parseState(content []byte) (kept, error) {
	var k kept
	if err := json.Unmarshal(content, &k); err != nil {
		return kept{}, err
	}
	if k.Format != format {
		return kept{}, fmt.Errorf("it has format %d; this program reads %d", k.Format, format)
	}
	switch k.State {
	case Running, EndedNormally, EndedImmediately, EndedUnexpectedly, EndedPreemptively:
	default:
		return kept{}, fmt.Errorf("%q is no state of a queue manager", k.State)
	}
	if k.Suspended && k.State != Running {
		return kept{}, fmt.Errorf("suspended, and %s", k.State)
	}
	return k, nil
}

// readState reads the file; one that is not there is that of a queue manager
// that has crashed.
func readState(d disk.FS, name string) (kept, error) {
	content, err := disk.ReadAll(d, name)
	if errors.Is(err, fs.ErrNotExist) {
		return kept{Format: format, State: EndedUnexpectedly}, nil
	}
	var k kept
	if err == nil {
		k, err = parseState(content)
	}
	if err != nil {
		return kept{}, fmt.Errorf("reading %s: %w", name, err)
	}
	return k, nil
}

// read gives what is kept. Its maps are not changed any more.
func (m *Manager) read() kept {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.kept
}

// change changes what is kept and writes it down, whole and durable. When
// that fails what is kept stays as it was.
func (m *Manager) change(how func(*kept)) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	k := m.kept
	how(&k)
	k.Applications, k.Globals = m.applications.Names(), maps.Clone(m.globals)
	if err := m.save(stateFile, &k); err != nil {
		return err
	}
	m.kept = k
	return nil
}

// save writes a file of the simulator's own.
func (m *Manager) save(name string, value any) error {
	content, err := json.MarshalIndent(value, "", " ")
	if err == nil {
		err = m.write(m.path(name), append(content, '\n'))
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", m.path(name), err)
	}
	return nil
}

// write gives a file a new content as a whole.
func (m *Manager) write(name string, content []byte) error {
	if m.site.NoSync {
		return disk.ReplaceNoSync(m.site.Disk, name, content)
	}
	return disk.Replace(m.site.Disk, name, content)
}
