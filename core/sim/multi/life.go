package multi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"syscall"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/amqerr"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
	"github.com/mqhk/mqhk/core/sim/multi/objects"
	"github.com/mqhk/mqhk/core/sim/multi/qmgr"
)

var lifeCommands = map[string]command{
	"crtmqm": {
		usage:  "crtmqm [-z] [-q] [-c Text] [-d DefXmitQ] [-h MaxHandles] [-t TrigInt] [-x MaxUMsgs] [-u DeadQ] [-g Group] [-oa group | user] [-lc | -ll | -lla | -lln] [-lf Pages] [-lp Files] [-ls Files] [-ld LogPath] [-md DataPath] QMgrName",
		takes:  []string{"z", "q", "c=", "d=", "u=", "h=", "t=", "x=", "lc", "ll", "lla", "lln", "lf=", "lp=", "ls=", "ld=", "md="},
		badUse: badParameter, run: crtmqm, idle: []string{"g=", "oa="}, refuses: []string{"lr=", "p="},
	},
	"strmqm": {
		usage: "strmqm [-a | -c | -r] [-ns] [-z] [-d none | minimal | all] [QMgrName]",
		takes: []string{"a", "c", "r", "z", "d="}, badUse: badParameter, run: strmqm,
		idle: []string{"ns"}, refuses: []string{"x", "e=", "f"},
	},
	"endmqm": {
		usage: "endmqm [-z] [-c | -w | -i | -p] [-r] QMgrName",
		takes: []string{"z", "c", "w", "i", "p"}, badUse: badParameter, run: endmqm,
		idle: []string{"r"}, refuses: []string{"s", "x", "t=", "tp="},
	},
	"dltmqm": {usage: "dltmqm [-z] QMgrName", takes: []string{"z"}, badUse: badParameter, run: dltmqm},
}

// strmqm starts a queue manager and prints what the start did (reference,
// Multiplatforms 2.1).
func strmqm(c *call) int {
	name, ok := c.single()
	if !ok || len(c.flags.among("a", "r", "c")) > 1 {
		return c.wrong("strmqm takes one name of a queue manager and one of -a, -c and -r")
	}
	shown := cmp.Or(c.flags.value("d"), "all")
	if !slices.Contains([]string{"none", "minimal", "all"}, shown) {
		return c.wrong("-d %s shows nothing: none, minimal or all", shown)
	}
	if shown == "none" {
		defer c.out.Reset()
	}
	m, code := c.queueManager(name, "AMQ8118", noManager)
	switch {
	case m == nil:
		return code
	case len(c.flags.among("a", "r")) > 0:
		return c.backup(m)
	}
	if code := c.mayStart(m); code != done {
		return code
	}
	c.print("%s queue manager '%s' starting.", c.product(), m.Name())
	c.print("The queue manager is associated with installation '%s'.", installation)
	started, err := m.Start(c.ctx)
	if err != nil {
		return c.notStarted(m, err)
	}
	if err := c.setQuiescing(m.Name(), false); err != nil {
		fmt.Fprintln(&c.err, err)
	}
	if shown == "all" {
		c.replayed(m, started)
	}
	c.say("AMQ8003", amqerr.Inserts{C1: m.Name(), C2: c.level.String()})
	if c.flags.has("c") {
		return c.redefine(m)
	}
	return done
}

// mayStart refuses what ends at the moment, and a backup of another one.
func (c *call) mayStart(m *qmgr.Manager) int {
	if m.State() == qmgr.Running && slices.Contains(c.state.Quiescing, m.Name()) {
		fmt.Fprintf(&c.err, "%s queue manager '%s' is ending.\n", c.product(), m.Name())
		return stopping
	}
	if state, err := c.backupState(m); err != nil || state == isBackup {
		fmt.Fprintf(&c.err, "Queue manager '%s' is a backup queue manager that was not activated (strmqm -a).\n", m.Name())
		return unexpected
	}
	return done
}

// replayed prints what a start did.
func (c *call) replayed(m *qmgr.Manager, started engine.Restarted) {
	units := len(started.BackedOut) + len(started.InDoubt)
	c.say("AMQ7229", amqerr.Inserts{A1: int64(started.Records), C1: m.Name()})
	c.say("AMQ7230", amqerr.Inserts{C1: m.Name()})
	c.say("AMQ7231", amqerr.Inserts{A1: int64(started.Undone), C1: m.Name()})
	c.say("AMQ7232", amqerr.Inserts{C1: m.Name()})
	if units > 0 {
		c.say("AMQ7233", amqerr.Inserts{A1: int64(len(started.BackedOut)), A2: int64(units), C1: m.Name()})
	}
}

// redefine makes the default objects as crtmqm does, those that are there too,
// and ends the queue manager: strmqm -c.
func (c *call) redefine(m *qmgr.Manager) int {
	c.print("Creating or replacing default objects for queue manager '%s'.", m.Name())
	created, replaced, failed := 0, 0, 0
	for _, d := range objects.System(c.level) {
		count := &replaced
		o, err := m.Object(d.Ref)
		switch {
		case errors.Is(err, engine.ErrNoObject):
			count, err = &created, m.DefineObject(c.ctx, d.Ref, d.Attributes)
		case err == nil && o.Damaged:
			if err = m.DeleteObject(c.ctx, d.Ref, true); err == nil {
				err = m.DefineObject(c.ctx, d.Ref, d.Attributes)
			}
		case err == nil:
			err = m.AlterObject(c.ctx, d.Ref, d.Attributes)
		}
		if err != nil {
			fmt.Fprintf(&c.err, "%s: %v\n", d.Ref, err)
			count = &failed
		}
		*count++
	}
	c.print("Default objects statistics : %d created. %d replaced. %d failed.", created, replaced, failed)
	if err := m.End(c.ctx, qmgr.EndOptions{Immediate: true}); err != nil {
		return c.failed(err)
	}
	c.say("AMQ8004", amqerr.Inserts{C1: m.Name()})
	return done
}

// notStarted says why a queue manager did not start.
func (c *call) notStarted(m *qmgr.Manager, err error) int {
	var refused *qmgr.Error
	var missing *engine.FileError
	switch {
	case errors.As(err, &refused) && (refused.ID == "AMQ7017" || refused.ID == "AMQ6767"):
		defer fmt.Fprintf(&c.err, "   %v\n", refused.Err) // which file it is, for a person
		return c.refuse(logNotAvailable, refused.ID, refused.Inserts)
	case errors.As(err, &missing):
		return c.refuse(unexpected, "AMQ7018", amqerr.Inserts{C1: c.real(path.Join(m.DataDir(), missing.Name))})
	case errors.Is(err, engine.ErrNotRecoverable), errors.Is(err, engine.ErrDamaged):
		return c.refuse(objectDamaged, "AMQ7084", amqerr.Inserts{C1: m.Name(), C2: "qmgr"})
	case errors.Is(err, fs.ErrNotExist): // qm.ini
		return c.refuse(unexpected, "AMQ7018", amqerr.Inserts{C1: m.DataPath()})
	}
	return c.failed(err)
}

// endmqm ends a queue manager. A controlled end waits for units of work that
// are open: the queue manager quiesces, and ends once they have.
func endmqm(c *call) int {
	name, ok := c.single()
	how := c.flags.among("c", "w", "i", "p")
	if !ok || name == "" || len(how) > 1 {
		return c.wrong("endmqm takes the name of a queue manager and one of -c, -w, -i and -p")
	}
	m, code := c.queueManager(name, "AMQ8118", noManager)
	if m == nil {
		return code
	}
	if m.State() != qmgr.Running {
		return c.refuse(notAvailable, "AMQ8146", amqerr.Inserts{C1: name})
	}
	opts := qmgr.EndOptions{Immediate: c.flags.has("i"), Preemptive: c.flags.has("p")}
	wait, quiesce := c.flags.has("w"), !opts.Immediate && !opts.Preemptive
	switch {
	case wait:
		c.print("Waiting for queue manager '%s' to end.", name)
	case quiesce:
		c.print("Quiesce request accepted. The queue manager will stop when all outstanding work is complete.")
	default:
		c.print("%s queue manager '%s' ending.", c.product(), name)
	}
	err := m.End(c.ctx, opts)
	switch {
	case errors.Is(err, qmgr.ErrUnits):
		return c.quiesces(m, wait)
	case err != nil:
		return c.failed(err)
	}
	if err := c.setQuiescing(name, false); err != nil {
		fmt.Fprintln(&c.err, err)
	}
	if !quiesce || wait {
		c.say("AMQ8004", amqerr.Inserts{C1: name})
	}
	return done
}

// quiesces has a queue manager end once its work is done. Nobody can wait for
// that within a command, since no time passes in one.
func (c *call) quiesces(m *qmgr.Manager, wait bool) int {
	if err := c.setQuiescing(m.Name(), true); err != nil {
		return c.failed(err)
	}
	if wait {
		fmt.Fprintf(&c.err, "%s queue manager '%s' is still ending: units of work are open.\n", c.product(), m.Name())
		return stopping
	}
	return done
}

// quiesce ends the queue managers whose work is done.
func (h *Host) quiesce(ctx context.Context) error {
	var failed error
	for _, name := range slices.Clone(h.state.Quiescing) {
		m := h.Manager(name)
		if m != nil && m.Engine() != nil {
			err := m.End(ctx, qmgr.EndOptions{})
			if errors.Is(err, qmgr.ErrUnits) {
				continue
			}
			failed = errors.Join(failed, err)
		}
		if m == nil || !m.Suspended() {
			failed = errors.Join(failed, h.setQuiescing(name, false))
		}
	}
	return failed
}

// dltmqm deletes a queue manager that has ended: its definition first, then its
// log and its data.
func dltmqm(c *call) int {
	name, ok := c.single()
	if !ok || name == "" {
		return c.wrong("dltmqm takes the name of a queue manager")
	}
	if l := c.lostOf(name); l != nil {
		return c.forget(l)
	}
	m, code := c.queueManager(name, "AMQ8118", noManager)
	if m == nil {
		return code
	}
	if m.State() == qmgr.Running {
		return c.refuse(alreadyRuns, "AMQ7005", amqerr.Inserts{})
	}
	if err := c.undefine(name); err != nil {
		return c.failed(err)
	}
	c.managers = slices.DeleteFunc(c.managers, func(other *qmgr.Manager) bool { return other == m })
	if err := errors.Join(c.removeTree(m.LogDir()), c.removeTree(m.DataDir())); err != nil {
		fmt.Fprintln(&c.err, err)
		return badFolder
	}
	c.say("AMQ8002", amqerr.Inserts{C1: name})
	return done
}

// undefine takes a queue manager out of mqs.ini.
func (h *Host) undefine(name string) error {
	ini, err := h.readIni()
	if err == nil {
		ini, err = ini.withoutManager(name)
	}
	if err != nil {
		return err
	}
	return h.write(mqsIni, ini.content)
}

// removeTree removes a folder with all that is in it. The disk has files and
// empties folders; the folders themselves go where it is a real one.
func (h *Host) removeTree(name string) error {
	names, err := h.disk.List(name)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		names = nil
	} else if err != nil {
		return err
	}
	for _, n := range names {
		if err := h.removeTree(path.Join(name, n)); err != nil {
			return err
		}
	}
	if err := h.disk.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// isFull tells whether a disk or a log has no room.
func isFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, extents.ErrFull)
}
