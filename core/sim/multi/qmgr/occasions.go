package qmgr

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mqhk/mqhk/core/sim/due"
	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/logged"
	"github.com/mqhk/mqhk/core/wal"
)

// Tick does what is due by the passing of time: checkpoints, automatic images,
// the word about file systems. What changes messages or objects does it itself;
// a queue manager that does not run has nothing due.
func (m *Manager) Tick(ctx context.Context) error {
	err := m.use("housekeeping", func(e *engine.Engine) error {
		m.working.Lock()
		err := unlessLogFull(m.refused(e, m.catchUp(ctx, e)))
		m.working.Unlock()
		if err == nil {
			err = unlessLogFull(m.refused(e, m.imageAutomatically(ctx, e)))
		}
		m.eventIfDue(ctx, e)
		return errors.Join(err, m.tellFileSystems(false))
	})
	m.fall(ctx)
	if errors.Is(err, ErrNotRunning) {
		return nil
	}
	return err
}

// unlessLogFull drops the error of a log without room, which was told: what is due
// by time stays due, and time goes on.
func unlessLogFull(err error) error {
	if isLogFull(err) {
		return nil
	}
	return err
}

// catchUp takes the checkpoint that is due. When it fails it stays due. The
// caller has the lock of the work and shares that of the life.
func (m *Manager) catchUp(ctx context.Context, e *engine.Engine) error {
	if !m.due(e) {
		return nil
	}
	return m.checkpoint(ctx, e)
}

// due tells whether a checkpoint is. What counts towards it are persistent puts
// and gets (reference, Multiplatforms 4.1 item 76).
func (m *Manager) due(e *engine.Engine) bool {
	last, _ := m.owner.published()
	return m.filling(e) || due.Checkpoint(uint64(m.operations.Load()), last.Published, m.site.Now()) != due.Never
}

// filling tells whether the log fills: an extent was begun, less than half of
// the log is left, and a checkpoint would free some of it (reference,
// Multiplatforms 4.1 items 76 and 77).
func (m *Manager) filling(e *engine.Engine) bool {
	if !m.owner.begun.Swap(false) {
		return false
	}
	return m.owner.room(e) < m.wholeLog()/2 && m.checkpointFrees(e)
}

// checkpoint takes one and tells of the damage that it finds.
func (m *Manager) checkpoint(ctx context.Context, e *engine.Engine) error {
	_, err := e.Checkpoint(ctx)
	m.noticeDamage(e)
	if err != nil {
		return fmt.Errorf("taking a checkpoint: %w", err)
	}
	return m.owner.failure()
}

// Checkpoint takes one now. Nobody can ask a real queue manager for it but with
// rcdmqimg.
func (m *Manager) Checkpoint(ctx context.Context) error {
	err := m.use("taking a checkpoint", func(e *engine.Engine) error {
		m.working.Lock()
		defer m.working.Unlock()
		return m.refused(e, m.checkpoint(ctx, e))
	})
	m.fall(ctx)
	return err
}

// LSN is a position in the log as MQ prints it: <0:0:8:65136>, four decimal
// words of sixteen bits (reference, Multiplatforms 1.4 item 26).
func LSN(at wal.LSN) string { return logged.LSN(at) }

// stamp is a time as messages print it.
func stamp(t time.Time) string { return t.Format("Mon Jan 2 15:04:05 2006") }
