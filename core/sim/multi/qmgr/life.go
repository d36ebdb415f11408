package qmgr

import (
	"context"
	"errors"
	"fmt"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
	"github.com/mqhk/mqhk/core/sim/multi/logged"
)

// Start starts the queue manager, as strmqm does: it reads the log from the
// restart point on, rebuilds damaged objects that it can't do without where
// the log allows that, backs out what was open, takes a checkpoint and tells
// which extents are needed (reference, Multiplatforms 4.2 items 82 and 83).
//
// Where the log can't be opened, or does not reach back to the restart point,
// it is an [*Error] AMQ7017; with the extents put back the same call works. A
// folder or file that is missing is an *engine.FileError, one that is not as
// the queue manager made it [ErrAccess]. A queue manager that runs, suspended
// or not, is [ErrRunning].
func (m *Manager) Start(ctx context.Context) (engine.Restarted, error) {
	m.life.Lock()
	defer m.life.Unlock()
	if m.engine != nil || m.read().Suspended {
		return engine.Restarted{}, fmt.Errorf("starting queue manager %s: %w", m.name, ErrRunning)
	}
	done, err := m.start(ctx)
	if err != nil {
		return done, fmt.Errorf("starting queue manager %s: %w", m.name, err)
	}
	return done, nil
}

func (m *Manager) start(ctx context.Context) (engine.Restarted, error) {
	if err := m.reread(); err != nil {
		return engine.Restarted{}, err
	}
	if err := m.checkAccess(); err != nil {
		return engine.Restarted{}, err
	}
	o, e, done, err := m.startEngine(ctx)
	if err != nil {
		return done, m.unstartable(err)
	}
	if err := m.welcome(ctx, o, e, done); err != nil {
		return done, errors.Join(err, e.Crash(), m.stop(EndedUnexpectedly))
	}
	return done, nil
}

// mostBeyond is how many extents more than qm.ini allows a start may use.
const mostBeyond = 16

// startEngine opens the log and starts the engine. A unit of work in doubt may
// hold a log that is full; every start and end writes a little more in it, and
// there is no other way to resolve that unit of work than a queue manager that
// runs. So a start that finds less than the reserve takes an extent beyond
// those of qm.ini, and begins anew. This is the simulator's own way: the real
// one has more means to save such a log (reference, Multiplatforms 4.1 item 77,
// "soft log").
func (m *Manager) startEngine(ctx context.Context) (o *owner, e *engine.Engine, first engine.Restarted, err error) {
	most := mostBeyond
	for beyond := 0; ; beyond++ {
		if o, err = m.openLog(beyond); beyond > 0 && errors.Is(err, extents.ErrSettings) {
			most = beyond - 1 // the release allows no more
			o, err = m.openLog(most)
		}
		if err != nil {
			return nil, nil, first, err
		}
		o.quiet = true
		var done engine.Restarted
		e, done, err = engine.Start(ctx, o, m.options())
		if beyond == 0 || e == nil {
			first = done // what there was to do
		}
		switch {
		case beyond >= most, err != nil && !errors.Is(err, extents.ErrFull):
			return o, e, first, err
		case err == nil && o.room(e) >= m.reserve(e), err == nil && o.limited():
			return o, e, first, nil
		case err == nil:
			if err := e.Crash(); err != nil {
				return nil, nil, first, err
			}
		}
	}
}

// reread takes over what qm.ini says now: counts of extents may be other ones
// since (reference, Multiplatforms 1.2).
func (m *Manager) reread() error {
	c, err := m.site.readManager(m.dataDir)
	if err != nil {
		return err
	}
	m.configured.Store(&c)
	m.errlog.forget()
	return nil
}

// unstartable makes AMQ7017 of a log that can't be had, AMQ6767 of one that a
// rebuild at the start needed, AMQ7472 of a queue manager object that can't be
// rebuilt, and tells it. What is wrong beside the log says it itself.
func (m *Manager) unstartable(err error) error {
	var lost *engine.LogError
	var control *extents.ControlError
	var refusal *Error
	switch {
	case errors.As(err, &lost) && lost.Purpose == engine.ForRebuild:
		refusal = m.unrebuildable(lost, err)
	case errors.As(err, &lost), errors.As(err, &control), errors.Is(err, extents.ErrForeign):
		refusal = &Error{ID: "AMQ7017", Err: err}
	case errors.Is(err, engine.ErrNotRecoverable):
		refusal = &Error{ID: "AMQ7472", Inserts: objectInserts(m.ownRef()), Err: err}
	case isLogFull(err):
		return m.logFull(err)
	default:
		return err
	}
	err = errors.Join(refusal, m.tell(refusal.ID, refusal.Inserts)) // the second is nil but for a disk that fails
	if refusal.ID == "AMQ7017" {
		err = errors.Join(err, m.report(probeLogNotAvailable, refusal.Inserts))
	}
	return err
}

// unrebuildable makes AMQ6767 of an extent that a rebuild needs.
func (m *Manager) unrebuildable(lost *engine.LogError, err error) *Error {
	return &Error{ID: "AMQ6767", Inserts: Inserts{C1: baseOf(lost.Segment), C2: m.name}, Err: err}
}

// welcome does what belongs to a start once the engine runs.
func (m *Manager) welcome(ctx context.Context, o *owner, e *engine.Engine, done engine.Restarted) error {
	m.engine, m.owner = e, o
	m.doomed.Store(false)
	m.operations.Store(0)
	m.room.clear()
	m.forgetUnits(done.InDoubt)
	m.learn(e)
	err := m.tellReplay(o, done)
	if kept := m.keepTable(ctx, e); errors.Is(kept, engine.ErrStopped) {
		err = errors.Join(err, kept) // any other, such as of a full log, leaves it to the next change
	}
	if err == nil {
		err = m.announce(e, done)
	}
	if err == nil {
		err = e.Note(ctx, noteStarted, nil)
	}
	if err == nil {
		err = m.change(func(k *kept) { k.State, k.Started = Running, m.site.Now() })
	}
	if err == nil {
		err = errors.Join(m.resolveOurs(ctx, e), unlessFull(m.keepReserve()))
	}
	if err == nil {
		// The process that tells of checkpoints runs only now; AMQ7467 of before
		// would be one of the life before.
		o.quiet = false
		err = errors.Join(m.tellStarted(), o.publish(), o.failure())
		o.unreported.Store(false)
		m.event(ctx, e)
	}
	if err != nil {
		m.engine, m.owner = nil, nil
	}
	return err
}

// The notes that a log has of a queue manager's life (reference,
// Multiplatforms 5).
const (
	noteStarted = logged.Started
	noteStopped = logged.Stopped
)

// tellReplay tells what the start did (reference, Multiplatforms 2.1).
func (m *Manager) tellReplay(o *owner, done engine.Restarted) error {
	from := o.pointAt(done.From)
	units := len(done.BackedOut) + len(done.InDoubt)
	return errors.Join(
		m.tell("AMQ7374", Inserts{A2: int64(from.LSN), C1: LSN(from.LSN), C2: stamp(m.local(from.Time)), C3: from.Extent}),
		m.tell("AMQ7229", Inserts{A1: int64(done.Records), C1: m.name}),
		m.tell("AMQ7230", Inserts{C1: m.name}),
		m.tell("AMQ7231", Inserts{A1: int64(done.Undone), C1: m.name}),
		m.tell("AMQ7232", Inserts{C1: m.name}),
		m.tell("AMQ7233", Inserts{A1: int64(len(done.BackedOut)), A2: int64(units), C1: m.name}),
	)
}

// tellStarted tells that the queue manager runs, and how full its file systems
// are.
func (m *Manager) tellStarted() error {
	return errors.Join(
		m.tell("AMQ8003", Inserts{C1: m.name, C2: m.level.String()}),
		m.tellFileSystems(true),
	)
}
