package qmgr

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"path"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mqhk/mqhk/core/logsize"
	"github.com/mqhk/mqhk/core/sim/applications"
	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
	"github.com/mqhk/mqhk/core/sim/multi/level"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// Manager is a queue manager. One process at a time has it.
type Manager struct {
	site  Site
	level level.Level
	// overhead and costs are what operations take of the log at the release.
	overhead logsize.Overhead
	costs    engine.Costs
	name     string
	dataDir  string
	// configured is what qm.ini had at the last start, or when it was opened.
	configured atomic.Pointer[config]

	// life is held by what starts or ends the queue manager, and shared by
	// what needs it running.
	life   sync.RWMutex
	engine *engine.Engine // nil: it is not in memory
	owner  *owner         // of the log meanwhile
	shown  *view          // what a suspended one shows; nil: nothing

	working sync.Mutex // held by who takes checkpoints and images, and makes room
	tabling sync.Mutex // held by who makes the client channel definition table
	room    room
	// operations counts persistent puts and gets since the last checkpoint.
	operations atomic.Int64
	// doomed: the queue manager object is damaged, so it ends.
	doomed atomic.Bool
	// own are the attributes of the queue manager object. Nobody changes the map.
	own      atomic.Pointer[map[string]string]
	altering sync.Mutex // held by who alters an object
	errlog   errorLog
	// applications are those of the units of work that have not ended; kept
	// has them as they were when it was written.
	applications *applications.Table

	mu        sync.Mutex
	kept      kept
	damaged   map[engine.Ref]bool // that AMQ7472 has told of
	resources map[string]ResourceManager
	globals   map[uint64]*global // by unit of work
	step      func(string) error // for tests: see between
}

func newManager(site Site, name, dataDir string) (*Manager, error) {
	site = site.withDefaults()
	l, err := site.level()
	if err != nil {
		return nil, err
	}
	m := &Manager{
		site: site, level: l, name: name, dataDir: dataDir,
		applications: applications.New(nil), damaged: map[engine.Ref]bool{}, resources: map[string]ResourceManager{}, globals: map[uint64]*global{},
	}
	m.overhead = logsize.OverheadOf(l.String())
	m.costs = costsOf(m.overhead)
	m.errlog.manager = m
	m.configured.Store(&config{})
	return m, nil
}

// Name gives the name of the queue manager.
func (m *Manager) Name() string { return m.name }

// DataDir gives the data folder on the disk.
func (m *Manager) DataDir() string { return m.dataDir }

// LogDir gives the folder on the disk that has the log's control file, with
// active below it.
func (m *Manager) LogDir() string { return m.conf().logDir }

// LogSettings gives what qm.ini said of the log at the last start.
func (m *Manager) LogSettings() extents.Settings { return m.conf().log }

// DataPath and LogPath give the real paths of both folders.
func (m *Manager) DataPath() string { return m.site.Path(m.dataDir) }

// LogPath gives the real path of the folder of the extents, as LOGPATH of
// DISPLAY QMSTATUS has it (reference, Multiplatforms 1.4 item 16).
func (m *Manager) LogPath() string { return m.site.Path(m.conf().logDir) + "/active/" }

// Now gives the time in the system's zone.
func (m *Manager) Now() time.Time { return m.site.Now() }

// path gives the name on the disk of a file in the data folder.
func (m *Manager) path(name string) string { return path.Join(m.dataDir, name) }

// conf gives the configuration.
func (m *Manager) conf() *config { return m.configured.Load() }

// disk is the site's.
func (m *Manager) disk() disk.FS { return m.site.Disk }

// local gives a time as the system's clock would show it.
func (m *Manager) local(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	return t.In(m.site.Now().Location())
}

// Engine gives the engine that runs; nil: none. It is for tests of properties:
// what goes past the manager takes no checkpoint.
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
		return fmt.Errorf("%s on queue manager %s: %w", what, m.name, ErrNotRunning)
	}
	return do(m.engine)
}

// work does something that may write in the log once there is room for it,
// and then what has become due by it. That the work is done is not taken back
// by an error of the latter: it stays due, and the next one to come tries
// again.
func (m *Manager) work(ctx context.Context, what string, need int64, do func(*engine.Engine) error) error {
	err := m.use(what, func(e *engine.Engine) error {
		if err := m.admit(ctx, e, need); err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
		err := do(e)
		m.release(need)
		if err := m.refused(e, err); err != nil {
			return err
		}
		if m.working.TryLock() {
			defer m.working.Unlock()
			_ = m.refused(e, m.catchUp(ctx, e))
		}
		m.eventIfDue(ctx, e)
		return nil
	})
	m.fall(ctx)
	return err
}

// refused turns what went wrong below into what an application or a person
// gets for it. Damage that was found is told of.
func (m *Manager) refused(e *engine.Engine, err error) error {
	var known *Error
	switch {
	case err == nil, errors.As(err, &known):
		return err
	case errors.Is(err, engine.ErrBackedOut):
		return &Error{Reason: BackedOut, Err: err}
	case errors.Is(err, engine.ErrDamaged):
		m.noticeDamage(e)
		return &Error{Reason: ObjectDamaged, Err: err}
	case isLogFull(err):
		return m.logFull(err)
	}
	return err
}

// process gives the number of a process. One of the queue manager itself has
// number 0, one of an application that of its unit of work. It is made of the
// queue manager's name, so that it is the same in every rehearsal.
func (m *Manager) process(number uint64) int {
	base := uint64(crc32.ChecksumIEEE([]byte(m.name))) % 20_000
	return int(2_000 + (base+number)%30_000)
}
