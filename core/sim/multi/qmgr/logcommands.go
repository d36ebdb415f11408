package qmgr

import (
	"context"
	"errors"
	"fmt"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
)

// SetArchived takes the word that an extent was archived: SET LOG
// ARCHIVED(name). One that was reported before is accepted. That the error log
// says so there (reference, Multiplatforms 3.2 item 53) is left out: no source
// has the id of the message. The errors are those of package extents.
func (m *Manager) SetArchived(name string) error {
	return m.use("SET LOG", func(*engine.Engine) error {
		return m.logCommand(m.owner.log.Archived(name))
	})
}

// ArchiveUpTo takes the word that an extent and all older ones were archived:
// RESET QMGR TYPE(ARCHLOG) ARCHIVED(name).
func (m *Manager) ArchiveUpTo(name string) error {
	return m.use("RESET QMGR TYPE(ARCHLOG)", func(*engine.Engine) error {
		return m.logCommand(m.owner.log.ArchivedUpTo(name))
	})
}

// AdvanceLog goes on in the next extent, so that the one before can be copied:
// RESET QMGR TYPE(ADVANCELOG), for linear logs (reference, Multiplatforms 3.2
// item 55).
func (m *Manager) AdvanceLog(ctx context.Context) error {
	const what = "RESET QMGR TYPE(ADVANCELOG)"
	if !m.linear() {
		return fmt.Errorf("%s: %w", what, ErrLogType)
	}
	return m.work(ctx, what, m.extentBytes(), func(e *engine.Engine) error { return e.Rotate(ctx) })
}

// ReduceLog removes extents that are not in use: RESET QMGR TYPE(REDUCELOG). It
// gives how many were removed; fewer than asked for is extents.ErrNotReduced.
func (m *Manager) ReduceLog(_ context.Context, how extents.Reduction) (int, error) {
	removed := 0
	err := m.use("RESET QMGR TYPE(REDUCELOG)", func(*engine.Engine) (err error) {
		removed, err = m.owner.log.Reduce(how)
		return m.logCommand(err)
	})
	return removed, err
}

// logCommand makes the wrong kind of log the error that all commands have for
// it.
func (m *Manager) logCommand(err error) error {
	if errors.Is(err, extents.ErrLogType) {
		return fmt.Errorf("%w: %w", ErrLogType, err)
	}
	return err
}
