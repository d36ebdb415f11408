package qmgr

import (
	"context"
	"errors"
	"fmt"
	"syscall"

	"github.com/mqhk/mqhk/core/sim/engine"
)

// EndOptions is endmqm. Without any it is -c or -w, a controlled end: it waits
// for units of work that are open, which here is [ErrUnits].
type EndOptions struct {
	// Immediate is -i: units of work that are open are backed out.
	Immediate bool
	// Preemptive is -p: as after damage of the queue manager object, no
	// checkpoint is taken and no image recorded.
	Preemptive bool
}

// End ends the queue manager, as endmqm does. On a linear log it first records
// images of processes, of queues that are not local and of EMPTY local ones
// (SEED 7.2.2.3; reference, Multiplatforms 4.1 item 80), then takes a
// checkpoint. After an error in the end itself it is as if it had crashed;
// after one before that it still runs.
func (m *Manager) End(ctx context.Context, opts EndOptions) error {
	m.life.Lock()
	defer m.life.Unlock()
	if m.engine == nil {
		return fmt.Errorf("ending queue manager %s: %w", m.name, ErrNotRunning)
	}
	if err := m.end(ctx, opts); err != nil {
		return fmt.Errorf("ending queue manager %s: %w", m.name, err)
	}
	return nil
}

func (m *Manager) end(ctx context.Context, opts EndOptions) error {
	e := m.engine
	if opts.Preemptive {
		return m.fallNow(ctx)
	}
	state, how := EndedNormally, "Quiesce"
	if opts.Immediate {
		state, how = EndedImmediately, "Immediate"
	} else if err := unended(e); err != nil {
		return err
	}
	// An object that is damaged meanwhile, or a log that has no room for the
	// images, is no reason not to end.
	if err := m.imageAtEnd(ctx, e); err != nil && errors.Is(err, engine.ErrStopped) {
		return err
	}
	// So is a file system without room for the last checkpoint: what was
	// acknowledged is in the log, and the next start reads it from there.
	err := unlessFull(e.Note(ctx, noteStopped, []byte(how)))
	err = errors.Join(err, unlessFull(e.End(ctx)), unlessFull(m.owner.failure()))
	m.engine, m.owner = nil, nil
	if err != nil {
		return errors.Join(err, m.stop(EndedUnexpectedly))
	}
	return errors.Join(m.stop(state), m.tell("AMQ8004", Inserts{C1: m.name}))
}

// unended says that a controlled end would wait.
func unended(e *engine.Engine) error {
	for _, u := range e.Units() {
		if !u.Prepared && u.Changes > 0 {
			return fmt.Errorf("unit of work %d: %w", u.ID, ErrUnits)
		}
	}
	return nil
}

// Crash ends the queue manager as the death of its processes would: what was
// not forced is gone. A suspended one is from then on as after a crash.
func (m *Manager) Crash() error {
	m.life.Lock()
	defer m.life.Unlock()
	var err error
	switch {
	case m.engine != nil:
		err = m.engine.Crash()
		m.engine, m.owner = nil, nil
	case !m.read().Suspended:
		return fmt.Errorf("crashing queue manager %s: %w", m.name, ErrNotRunning)
	}
	if err := errors.Join(err, m.stop(EndedUnexpectedly)); err != nil {
		return fmt.Errorf("crashing queue manager %s: %w", m.name, err)
	}
	return nil
}

// stop writes down how the queue manager has ended.
func (m *Manager) stop(state State) error {
	m.shown = nil
	ended := func(k *kept) { k.State, k.Suspended = state, false }
	err := m.change(ended)
	if errors.Is(err, syscall.ENOSPC) && m.disk().Remove(m.path(reserveFile)) == nil {
		return m.change(ended)
	}
	return err
}

// fall ends the queue manager if its own object is damaged (SEED 7.2.2.6). It
// is called with no lock held, by whoever has done work.
func (m *Manager) fall(ctx context.Context) {
	if !m.doomed.Load() {
		return
	}
	m.life.Lock()
	defer m.life.Unlock()
	if m.engine != nil && m.doomed.Load() {
		_ = m.fallNow(ctx) // it has ended; the next start says what is wrong
	}
}

// fallNow is a pre-emptive end: what is in the log is made durable, nothing
// else is done.
func (m *Manager) fallNow(ctx context.Context) error {
	e := m.engine
	err := e.Note(ctx, noteStopped, []byte("Preemptive"))
	if err == nil {
		err = e.Force(ctx, 0)
	}
	err = errors.Join(err, e.Crash())
	m.engine, m.owner = nil, nil
	return errors.Join(err, m.stop(EndedPreemptively), m.tell("AMQ8004", Inserts{C1: m.name}))
}
