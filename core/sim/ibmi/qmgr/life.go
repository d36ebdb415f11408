package qmgr

import (
	"context"
	"errors"
	"fmt"

	"github.com/mqhk/mqhk/core/sim/engine"
)

// ErrUnits says that units of work are open, and a controlled end waits for them.
var ErrUnits = errors.New("units of work are open")

// Start starts the queue manager, as STRMQM does: it reads the journal from
// the startup recovery point on, rebuilds damaged objects that it can't do
// without, backs out what was open, takes a checkpoint and publishes the
// recovery points. AMQ7472 tells of every object that is damaged.
//
// Where the journal does not reach, it is an *os400.Error AMQ7432 that wraps
// the *engine.LogError; the message is on QMQMMSG too. With the receivers
// restored the same call works. Any other file that is missing is an
// *engine.FileError. A queue manager that runs, suspended or not, is
// [ErrRunning].
func (m *Manager) Start(ctx context.Context) (engine.Restarted, error) {
	m.life.Lock()
	defer m.life.Unlock()
	if m.engine != nil || m.read().Suspended {
		return engine.Restarted{}, fmt.Errorf("starting queue manager %s: %w", m.Name(), ErrRunning)
	}
	done, err := m.start(ctx)
	if err != nil {
		return done, fmt.Errorf("starting queue manager %s: %w", m.Name(), m.refused(err))
	}
	return done, nil
}

func (m *Manager) start(ctx context.Context) (engine.Restarted, error) {
	o, err := m.openJournal()
	if err != nil {
		return engine.Restarted{}, err
	}
	if err := o.startable(); err != nil {
		return engine.Restarted{}, errors.Join(err, o.log.Close(o.Entries()))
	}
	e, done, err := engine.Start(ctx, o, m.options(o))
	if err != nil {
		return done, errors.Join(err, o.abandon())
	}
	o.engine.Store(e)
	if err := m.welcome(ctx, o, e, done); err != nil {
		return done, errors.Join(err, e.Crash(), o.abandon(), m.stop(Crashed))
	}
	m.engine, m.owner = e, o
	return done, nil
}

// welcome does what belongs to a start once the engine runs.
func (m *Manager) welcome(ctx context.Context, o *owner, e *engine.Engine, done engine.Restarted) error {
	if err := m.announce("AMQ7461", done.Rebuilt); err != nil {
		return err
	}
	if err := m.announce("AMQ7472", done.Damaged); err != nil {
		return err
	}
	if err := e.Image(ctx, ownObjects(e)...); err != nil {
		return err
	}
	o.changed.Store(false) // the start's own publication covers it
	m.applications.Left(done.InDoubt)
	if err := m.change(func(k *kept) {
		k.State, k.Started, k.ChangeDue = Running, m.sys.Now(), false
	}); err != nil {
		return err
	}
	return m.on(ctx, atStart, e)
}

// announce sends a message about each of some objects.
func (m *Manager) announce(id string, refs []engine.Ref) error {
	for _, ref := range refs {
		if err := m.tell(id, objectFields(ref)); err != nil {
			return err
		}
	}
	return nil
}

// EndOptions is ENDMQM.
type EndOptions struct {
	// Images: RCDMQMIMG(*YES), the default with ENDCCTJOB(*YES). Without it
	// only images that cost little are recorded, so the media recovery point
	// may stay where it is.
	Images bool
	// Immediate: OPTION(*IMMED), units of work that are open are backed out.
	// Otherwise the end would wait for them, which here is [ErrUnits].
	Immediate bool
}

// End ends the queue manager, as ENDMQM does, with a checkpoint; the recovery
// points are not published. After an error in the end itself it is as if it
// had crashed; after one before that it still runs.
func (m *Manager) End(ctx context.Context, opts EndOptions) error {
	m.life.Lock()
	defer m.life.Unlock()
	if m.engine == nil {
		return fmt.Errorf("ending queue manager %s: %w", m.Name(), ErrNotRunning)
	}
	if err := m.end(ctx, opts); err != nil {
		return fmt.Errorf("ending queue manager %s: %w", m.Name(), m.refused(err))
	}
	return nil
}

func (m *Manager) end(ctx context.Context, opts EndOptions) error {
	if !opts.Immediate {
		for _, u := range m.engine.Units() {
			if !u.Prepared {
				return fmt.Errorf("unit of work %d: %w", u.ID, ErrUnits)
			}
		}
	}
	if err := m.owner.log.Full(); err != nil {
		return err
	}
	refs := cheapObjects(m.engine)
	if opts.Images {
		refs = soundObjects(m.engine)
	}
	if err := m.engine.Image(ctx, refs...); err != nil {
		return err
	}
	if err := m.on(ctx, atEnd, m.engine); err != nil {
		return err
	}
	e, o := m.engine, m.owner
	m.engine, m.owner = nil, nil
	state, err := Ended, e.End(ctx)
	if err != nil {
		state = Crashed
	}
	return errors.Join(err, o.close(), m.stop(state))
}

// Crash ends the queue manager as the death of its processes would: a fault.
// What was not forced is gone. A suspended one is from then on as after a
// crash.
func (m *Manager) Crash(context.Context) error {
	m.life.Lock()
	defer m.life.Unlock()
	var err error
	switch {
	case m.engine != nil:
		err = errors.Join(m.engine.Crash(), m.owner.abandon())
		m.engine, m.owner = nil, nil
	case !m.read().Suspended:
		return fmt.Errorf("crashing queue manager %s: %w", m.Name(), ErrNotRunning)
	}
	if err := errors.Join(err, m.stop(Crashed)); err != nil {
		return fmt.Errorf("crashing queue manager %s: %w", m.Name(), err)
	}
	return nil
}

// stop writes down how the queue manager has ended.
func (m *Manager) stop(state State) error {
	return m.change(func(k *kept) {
		k.State, k.Suspended, k.Queues, k.Transactions = state, false, nil, nil
	})
}
