package qmgr

import (
	"fmt"
	"hash/crc32"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/mqhk/mqhk/core/sim/applications"
	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
)

// Spec is CRTMQM: what a queue manager is made with.
type Spec struct {
	// Name is MQMNAME, 1 to 48 letters, digits and . / _ %.
	Name string
	// Library is MQMLIB; empty for *AUTO: QM and the name in capitals, cut to
	// 10 characters and made unique.
	Library string
	// Letter of the journal AMQxJRN, A to Z; 0: A. A multi-instance queue
	// manager has one for each instance.
	Letter byte
	// Threshold of the journal receivers in KB: 100000 to 1000000000 on a real
	// system; the simulator takes 64 and more, and shows it as it is. 0: 100000.
	Threshold int64
	// FirstReceiver is the name of the first journal receiver; empty:
	// AMQx000000.
	FirstReceiver string
	// OldMessages: AMQ7460 and AMQ7462 carry the time alone, as those of V5.1
	// and V5.2 do.
	OldMessages bool
	// SizeOption is RCVSIZOPT of the journal without its asterisk: MAXOPT1,
	// MAXOPT2, MAXOPT3 or nothing.
	SizeOption string
	// Default is DFTQMGR(*YES): from now on [Default] is this one, as mqs.ini
	// says.
	Default bool `json:",omitempty"`
	// NoSync leaves syncs out, for rehearsals.
	NoSync bool
}

// Manager is a queue manager. One process at a time has it.
type Manager struct {
	sys       *os400.System
	spec      Spec   // with the defaults filled in
	directory string // below qmgrs

	// life is held by what starts or ends the queue manager, and shared by
	// what needs it running.
	life   sync.RWMutex
	engine *engine.Engine // nil: it is not in memory
	owner  *owner         // of the journal meanwhile

	working sync.Mutex  // held by who takes a checkpoint that is due
	full    atomic.Bool // the operator has been told that the journal is full

	// applications are those of the units of work that have not ended; kept
	// has them as they were when it was written.
	applications *applications.Table

	mu   sync.Mutex
	kept kept
}

// Name gives MQMNAME.
func (m *Manager) Name() string { return m.spec.Name }

// Library gives MQMLIB.
func (m *Manager) Library() string { return m.spec.Library }

// Spec gives what the queue manager was made with, defaults filled in.
func (m *Manager) Spec() Spec { return m.spec }

// Journal gives the queue manager's journal, AMQxJRN in its library.
func (m *Manager) Journal() os400.ID {
	return os400.ID{Library: m.spec.Library, Name: "AMQ" + string(m.spec.Letter) + "JRN"}
}

// MessageQueue gives QMQMMSG in its library.
func (m *Manager) MessageQueue() os400.ID {
	return os400.ID{Library: m.spec.Library, Name: "QMQMMSG"}
}

// Space gives the user space AMQJRNINF in its library. It is there from the
// first start on.
func (m *Manager) Space() os400.ID { return os400.ID{Library: m.spec.Library, Name: "AMQJRNINF"} }

// Engine gives the engine that runs; nil: none. It is for tests of
// properties: what goes past the manager takes no checkpoint.
func (m *Manager) Engine() *engine.Engine {
	m.life.RLock()
	defer m.life.RUnlock()
	return m.engine
}

// use does something with the engine while the queue manager runs.
func (m *Manager) use(what string, do func(*engine.Engine) error) error {
	m.life.RLock()
	defer m.life.RUnlock()
	if m.engine == nil {
		return fmt.Errorf("%s on queue manager %s: %w", what, m.Name(), ErrNotRunning)
	}
	return do(m.engine)
}

// job gives the name of a job: NUMBER/USER/NAME. A job of the queue manager
// itself has number 0, one of an application that of its unit of work. The
// number is made of the queue manager's name, so that it is the same in every
// rehearsal.
func (m *Manager) job(name string, number uint64) string {
	owner := user
	if number != 0 {
		owner = "QUSER"
	}
	base := uint64(crc32.ChecksumIEEE([]byte(m.Name()))) % 400_000
	return fmt.Sprintf("%06d/%s/%s", 100_000+(base+number)%900_000, owner, jobName(name))
}

// jobName makes an application's name one that a job can have.
func jobName(application string) string {
	name := strings.Map(func(c rune) rune {
		switch {
		case c >= 'A' && c <= 'Z', c >= '0' && c <= '9', strings.ContainsRune("$#@_.", c):
			return c
		}
		return '_'
	}, strings.ToUpper(application))
	name = strings.TrimLeft(name, "0123456789_.")
	if name == "" {
		return "QMQJOB"
	}
	return name[:min(len(name), libraryLength)]
}
