package standin

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/gofrs/flock"
)

// Manager is a queue manager that is not there.
type Manager struct {
	Name       string
	ID         string // QMID; empty: made from the name
	Ended      bool
	Status     string // what dspmq says; empty: Running, or Ended normally
	LogType    string // empty: LINEAR
	Management string // empty: Manual
	Older      bool   // a level before 9.0.2: QMSTATUS has no ARCHLOG and no LOGTYPE, messages no severity
	Mute       bool   // a level that tells neither CURRLOG nor a recovery point
	Begun      string // LOGSTRDA(...) LOGSTRTI(...), which levels from 9.3.2 on tell; empty: not told
	Bytes      int64  // of an extent; 0: 65536

	// Numbers of extents. First is the oldest that is laid out.
	First, Current, Restart, Media int
	Reuse                          []int // R files
	Reported                       []int // by SET LOG ARCHIVED

	// Objects holds what DISPLAY CONN, QSTATUS and QLOCAL print, by object: the
	// lines below the header. Empty: one plain object.
	Objects map[string]string
	// ImageCode is the exit code of rcdmqimg; with another than 0 no point
	// moves.
	ImageCode int
	// Accepted and Refused are what SET LOG prints. The ids of a queue manager
	// are not known; empty: an id that none has.
	Accepted, Refused string

	Data, Log string // folders, filled in: of qm.ini, and the one that holds active
}

// Behaviour is how a command behaves.
type Behaviour string

// The behaviours. The zero value is as it should be.
const (
	German   Behaviour = "german"   // answers in German
	Half     Behaviour = "half"     // ends in the middle of the answer, with exit code 0
	Garbage  Behaviour = "garbage"  // prints bytes that mean nothing
	Another  Behaviour = "another"  // answers as another queue manager
	Refusing Behaviour = "refusing" // exit code 10, AMQ8135
	Failing  Behaviour = "failing"  // exit code 20, and no answer
	Hanging  Behaviour = "hanging"  // does not end
	Stubborn Behaviour = "stubborn" // does not end, not for SIGTERM either
	Dripping Behaviour = "dripping" // prints a byte now and then, for ever
	Flooding Behaviour = "flooding" // prints without end
	Forking  Behaviour = "forking"  // answers, and leaves a child that holds its output open
	Killed   Behaviour = "killed"   // dies of a signal in the middle of the answer
)

// Host is the machine that the commands run on.
type Host struct {
	Root string // what is /var/mqm elsewhere
	Bin  string // the commands
}

// state is what the commands share.
type state struct {
	Root     string
	Managers map[string]*Manager
	Behaves  map[string]Behaviour // by command
	Calls    []string             // the command lines, in order
}

// New lays out a machine without queue managers in a folder, whose name may hold
// blanks.
func New(folder string) (*Host, error) {
	h := &Host{Root: filepath.Join(folder, "var mqm"), Bin: filepath.Join(folder, "opt mqm", "bin")}
	program, err := theProgram()
	if err != nil {
		return nil, err
	}
	for _, dir := range []string{h.Root, h.Bin} {
		if err := os.MkdirAll(dir, 0o750); err != nil {
			return nil, err
		}
	}
	for name := range commands {
		if err := os.Symlink(program, filepath.Join(h.Bin, name)); err != nil {
			return nil, err
		}
	}
	err = with(h.Bin, func(s *state) error {
		s.Root, s.Managers, s.Behaves = h.Root, map[string]*Manager{}, map[string]Behaviour{}
		return s.writeManagers()
	})
	return h, err
}

// Behave has a command behave in some way from now on.
func (h *Host) Behave(command string, b Behaviour) error {
	return with(h.Bin, func(s *state) error {
		s.Behaves[command] = b
		return nil
	})
}

// Calls gives the command lines that were run, in order.
func (h *Host) Calls() ([]string, error) {
	var calls []string
	err := with(h.Bin, func(s *state) error {
		calls = slices.Clone(s.Calls)
		return nil
	})
	return calls, err
}

// Change changes a queue manager's state; what lies on disk stays.
func (h *Host) Change(name string, change func(*Manager)) error {
	return with(h.Bin, func(s *state) error {
		m, err := s.manager(name)
		if err == nil {
			change(m)
		}
		return err
	})
}

// Manager gives a queue manager as it is.
func (h *Host) Manager(name string) (Manager, error) {
	var found Manager
	err := h.Change(name, func(m *Manager) { found = *m })
	return found, err
}

func (s *state) manager(name string) (*Manager, error) {
	if m, ok := s.Managers[name]; ok {
		return m, nil
	}
	return nil, fmt.Errorf("no queue manager %q", name)
}

// with reads the state, has it changed, and writes it, while nobody else does.
func with(bin string, do func(*state) error) (err error) {
	lock := flock.New(filepath.Join(bin, "state.lock"))
	if err := lock.Lock(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	file := filepath.Join(bin, "state.json")
	var s state
	body, err := os.ReadFile(file)
	switch {
	case errors.Is(err, os.ErrNotExist):
	case err != nil:
		return err
	default:
		if err := json.Unmarshal(body, &s); err != nil {
			return err
		}
	}
	if err := do(&s); err != nil {
		return err
	}
	if body, err = json.Marshal(s); err != nil {
		return err
	}
	if err := os.WriteFile(file+".new", body, 0o600); err != nil {
		return err
	}
	return os.Rename(file+".new", file)
}
