package qmgr

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
	"github.com/mqhk/mqhk/core/wal"
)

// State is what DSPMQM shows of a queue manager.
type State string

// The states. A suspended queue manager is shown as running: that it is not
// in memory between two commands of the simulator is nobody's business.
const (
	Running State = "RUNNING"
	Ended   State = "ENDED NORMALLY"
	Crashed State = "ENDED UNEXPECTEDLY"
)

// kept is the file sim.json: what the simulator must know of a queue manager
// and neither the system nor the engine does. No message bodies are in it.
type kept struct {
	Format int
	Spec
	Directory string
	State     State
	Suspended bool
	Started   time.Time // of the last start
	Points    Points
	// ChangeDue: the system has changed receivers, and the checkpoint for it
	// was not taken yet.
	ChangeDue bool `json:",omitempty"`
	// Receivers are names with the position of the first entry, from the older
	// of both marks on: a receiver that is gone is still known by its name.
	Receivers []placed
	// Applications are those of the units of work that have not ended.
	Applications map[uint64]string
	// Queues and Transactions are what is shown while suspended.
	Queues       []Queue       `json:",omitempty"`
	Transactions []Transaction `json:",omitempty"`
}

// format of sim.json.
const format = 1

// placed is a receiver and where in the log it begins.
type placed struct {
	Name  string
	Start wal.LSN
}

// statePath gives the path of sim.json.
func statePath(directory string) string { return managers + "/" + directory + "/sim.json" }

// parseState reads the content of sim.json.
func parseState(content []byte) (kept, error) {
	var k kept
	if err := json.Unmarshal(content, &k); err != nil {
		return kept{}, err
	}
	if k.Format != format {
		return kept{}, fmt.Errorf("it has format %d; this program reads %d", k.Format, format)
	}
	if err := checkName(k.Name); err != nil {
		return kept{}, err
	}
	switch k.State {
	case Running, Ended, Crashed:
	default:
		return kept{}, fmt.Errorf("%q is no state of a queue manager", k.State)
	}
	if k.Suspended && k.State != Running {
		return kept{}, fmt.Errorf("suspended, and %s", k.State)
	}
	if k.Library == "" || len(k.Library) > libraryLength || k.Directory == "" || k.Letter < 'A' || k.Letter > 'Z' {
		return kept{}, fmt.Errorf("library %q, directory %q or journal letter %q can't be", k.Library, k.Directory, k.Letter)
	}
	return k, nil
}

// readState reads the file of the queue manager in a directory.
func readState(sys *os400.System, directory string) (kept, error) {
	content, err := sys.ReadFile(statePath(directory))
	var k kept
	if err == nil {
		k, err = parseState(content)
	}
	if err != nil {
		return kept{}, fmt.Errorf("reading %s: %w", statePath(directory), err)
	}
	return k, nil
}

// read gives what is kept. Its maps and slices are not changed any more.
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
	k.Applications = m.applications.Names()
	content, err := json.MarshalIndent(&k, "", "  ")
	if err == nil {
		err = m.sys.WriteFile(statePath(k.Directory), append(content, '\n'))
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", statePath(k.Directory), err)
	}
	m.kept = k
	return nil
}
