package sim

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"time"

	"github.com/gofrs/flock"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/workload"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// ErrNoEstate says that a folder holds no estate.
var ErrNoEstate = errors.New("there is no estate")

// ErrNoManager says that the estate has no queue manager of a name.
var ErrNoManager = errors.New("the estate has no such queue manager")

// Estate is an estate that is open, to be changed ([Open]) or only to be
// looked at ([Look]). It is for one goroutine, but for [Estate.Ask].
type Estate struct {
	dir       string
	lock      *flock.Flock
	disk      disk.FS
	looked    bool // it is only looked at: disk refuses to be written
	zone      *time.Location
	state     state
	systems   []*system
	workloads map[string]*workload.State // by queue manager
	problems  []error
	// ahead: state.Until is later than what any system has written, to spare a
	// write for each of many commands.
	ahead bool
}

// Settings are what an estate is made with.
type Settings struct {
	// Zone in which its systems' clocks are, Area/City.
	Zone string
	// Start is where its clock begins.
	Start time.Time
	// NoSync leaves every sync out, for rehearsals: a power failure of the
	// real machine may then lose or damage the estate.
	NoSync bool
}

// Create makes an estate without systems in a folder that is empty or not
// there yet, and opens it.
func Create(ctx context.Context, dir string, set Settings) (*Estate, error) {
	zone, err := checkZone(set.Zone)
	if err == nil {
		err = checkTime(set.Start)
	}
	if err != nil {
		return nil, fmt.Errorf("making an estate: %w", err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("making an estate: %w", err)
	}
	lock, err := take(ctx, dir, false)
	if err != nil {
		return nil, err
	}
	e := &Estate{dir: dir, lock: lock, disk: disk.At(dir), zone: zone, workloads: map[string]*workload.State{}}
	e.state = state{Format: format, Zone: set.Zone, Now: set.Start.UTC(), Until: set.Start.UTC(), NoSync: set.NoSync}
	if err := e.fresh(); err != nil {
		return nil, errors.Join(err, lock.Unlock())
	}
	return e, nil
}

// fresh writes the first state, if the folder holds nothing but what a process
// that died has left of it.
func (e *Estate) fresh() error {
	names, err := e.disk.List(".")
	if err != nil {
		return fmt.Errorf("making an estate: %w", err)
	}
	if others := slices.DeleteFunc(names, func(n string) bool { return n == lockFile || n == stateFile+".new" }); len(others) > 0 {
		return fmt.Errorf("making an estate: folder %s holds %s: %w", e.dir, others[0], fs.ErrExist)
	}
	return e.saveState()
}

// Open opens an estate to work on it. Queue managers that ran when it was
// closed go on; those that ran when a process died with it have crashed, and so
// have those that can't go on ([Estate.Problems]). It
// waits some seconds for another who has it open, then gives [ErrLocked].
func Open(ctx context.Context, dir string) (*Estate, error) {
	e, err := open(ctx, dir, false)
	if err != nil {
		return nil, err
	}
	for _, l := range e.lost() {
		e.problems = append(e.problems, l.err())
	}
	for _, s := range e.systems {
		for _, m := range s.managers() {
			if err := e.resume(ctx, m); err != nil {
				return nil, errors.Join(err, e.Close(ctx))
			}
		}
	}
	return e, nil
}

// resume goes on with a queue manager that ran. One that can't go on, since
// somebody has been at its files, has crashed: the others are not held up.
func (e *Estate) resume(ctx context.Context, m manager) error {
	if !m.Suspended() {
		return nil
	}
	err := m.Resume(ctx)
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return err
	}
	lost := errors.As(err, new(*engine.LogError)) || errors.As(err, new(*engine.FileError)) || errors.Is(err, engine.ErrNotSuspended)
	if !lost { // a disk without room, too many open files: another time it may go on
		e.problems = append(e.problems, fmt.Errorf("it does not go on now: %w", err))
		return nil
	}
	e.problems = append(e.problems, fmt.Errorf("it can't go on and has crashed: %w", err))
	if m.Suspended() {
		return m.Crash(ctx)
	}
	return nil
}

// Problems tells which queue managers could not go on, or not be read, when the
// estate was opened.
func (e *Estate) Problems() []error { return e.problems }

// Look opens an estate for questions alone; any number may do so at once.
// Nothing can be written through it.
func Look(ctx context.Context, dir string) (*Estate, error) { return open(ctx, dir, true) }

func open(ctx context.Context, dir string, look bool) (*Estate, error) {
	if _, err := os.Stat(path.Join(dir, stateFile)); err != nil {
		return nil, fmt.Errorf("%w in %s: %w", ErrNoEstate, dir, err)
	}
	lock, err := take(ctx, dir, look)
	if err != nil {
		return nil, err
	}
	e := &Estate{dir: dir, lock: lock, disk: disk.At(dir), looked: look}
	if look {
		e.disk = disk.ReadOnly(e.disk)
	}
	if err := e.load(); err != nil {
		return nil, errors.Join(fmt.Errorf("opening the estate in %s: %w", dir, err), lock.Unlock())
	}
	return e, nil
}

func (e *Estate) load() error {
	var err error
	if e.state, err = loadState(e.disk); err != nil {
		return err
	}
	if e.zone, err = time.LoadLocation(e.state.Zone); err != nil {
		return err
	}
	if e.workloads, err = loadWorkloads(e.disk); err != nil {
		return err
	}
	for _, w := range e.workloads {
		w.Pause(e.state.Now) // a step that was cut off is not done again
	}
	for _, found := range e.state.Systems {
		s, err := e.openSystem(found)
		if err != nil {
			return fmt.Errorf("system %s: %w", found.Name, err)
		}
		e.systems = append(e.systems, s)
	}
	return nil
}

// clockOf makes the clock of a system.
func (e *Estate) clockOf(s systemState) *clock {
	return &clock{now: e.state.Now, offset: s.Offset, zone: e.zone}
}

// elsewhere tells whether another system than this one has a queue manager of
// a name: names are those of the estate. Of its own the system is not asked,
// which is about to make one.
func (e *Estate) elsewhere(name string) func(string) bool {
	return func(manager string) bool {
		return slices.ContainsFunc(e.systems, func(s *system) bool {
			if s.name == name {
				return false
			}
			return s.manager(manager) != nil || s.lost()[manager] != nil
		})
	}
}

// Close stops the queue managers as they are, so that the next [Open] goes on
// with them, and lets others have the estate.
func (e *Estate) Close(ctx context.Context) error {
	ctx = context.WithoutCancel(ctx)
	var err error
	if !e.looking() {
		err = e.Force()
		for _, s := range e.systems {
			if failed := s.suspend(ctx); failed != nil {
				err = errors.Join(err, fmt.Errorf("stopping system %s: %w", s.name, failed))
			}
		}
		if e.ahead {
			e.state.Until = e.state.Now
		}
		err = errors.Join(err, e.saveWorkloads(), e.saveState())
	}
	return errors.Join(err, e.lock.Unlock())
}

// Abandon lets others have the estate as the death of the process would: queue
// managers that run have crashed.
func (e *Estate) Abandon() {
	for _, s := range e.systems {
		for _, m := range s.managers() {
			if running := m.Engine(); running != nil {
				_ = running.Crash() // nobody is there to be told
			}
		}
	}
	_ = e.lock.Unlock() // the end of the process releases it too
}

// looking tells whether the estate was opened by [Look].
func (e *Estate) looking() bool { return e.lock.RLocked() }

// Now gives the estate's time in its zone.
func (e *Estate) Now() time.Time { return e.state.Now.In(e.zone) }

// find gives a queue manager and its system.
func (e *Estate) find(name string) (*system, manager, error) {
	for _, s := range e.systems {
		if m := s.manager(name); m != nil {
			return s, m, nil
		}
	}
	if l, ok := e.lostOf(name); ok {
		return nil, nil, l.err()
	}
	return nil, nil, fmt.Errorf("%w: %q", ErrNoManager, name)
}

// Engine gives what runs under a queue manager of any platform; nil: it does not
// run, or the estate has none of the name. It is for who compares messages: what
// goes past the queue manager takes no checkpoint.
func (e *Estate) Engine(name string) *engine.Engine {
	if _, m, err := e.find(name); err == nil {
		return m.Engine()
	}
	return nil
}

// Ask answers a question to one of the queue managers. It is safe for
// concurrent use.
func (e *Estate) Ask(ctx context.Context, q observe.Question) (observe.Answer, error) {
	return e.AskAs(ctx, "", q)
}

// AskAs answers a question of a user; empty: of one who may do everything. What
// the user may not see is left out, or fails. It is safe for concurrent use.
func (e *Estate) AskAs(ctx context.Context, user string, q observe.Question) (observe.Answer, error) {
	s, _, err := e.find(q.QueueManager)
	if err != nil {
		return observe.Answer{}, &observe.NotAnswered{Question: q}
	}
	return s.ask(ctx, user, q)
}
