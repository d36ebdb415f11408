package ibmi

import (
	"context"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
	"github.com/mqhk/mqhk/core/sim/ibmi/qmgr"
)

// startManager is STRMQM. Before its completion it tells what the restart did
// that somebody may have to know.
func startManager(ctx context.Context, c *call) error {
	manager, err := c.manager()
	if err != nil {
		return err
	}
	if running(manager) {
		return escape("AMQ8010", os400.ID{Name: manager.Name()}, manager.Name())
	}
	crashed := manager.Status().State == string(qmgr.Crashed)
	restarted, err := manager.Start(ctx)
	if err != nil {
		return mqEscape(err, manager.Name(), manager.Name())
	}
	c.restarted(manager.Name(), &restarted)
	if crashed {
		c.note(Info, "SIM0014")
	}
	c.done("AMQ8003", manager.Name())
	return nil
}

func (c *call) restarted(manager string, r *engine.Restarted) {
	if n := len(r.BackedOut); n > 0 {
		c.note(Info, "SIM0012", unitsOfWork(n), manager)
	}
	if n := len(r.InDoubt); n > 0 {
		c.note(Info, "SIM0013", unitsOfWork(n), manager)
	}
	for _, ref := range r.Rebuilt {
		c.pass(Info, qmgr.Recreated(ref))
	}
	for _, ref := range r.Damaged {
		c.pass(Diagnostic, qmgr.Damaged(ref))
	}
}

func unitsOfWork(n int) string {
	if n == 1 {
		return "1 unit of work"
	}
	return os400.Counted(n, "unit") + " of work"
}
