package multi

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/amqerr"
	"github.com/mqhk/mqhk/core/sim/multi/qmgr"
)

var unitCommands = map[string]command{
	"dspmqtrn": {
		usage: "dspmqtrn [-a] [-e] [-i] [-q] -m QMgrName", takes: []string{"m=", "a", "e", "i", "q"}, badUse: badArguments, run: dspmqtrn,
		refuses: []string{"h"},
	},
	// Heuristic outcomes, and resource managers that are forgotten, are not
	// simulated.
	"rsvmqtrn": {
		usage: "rsvmqtrn -m QMgrName (-a | -b Transaction | -c Transaction)", takes: []string{"m=", "a", "b=", "c="}, badUse: badArguments, run: rsvmqtrn,
		refuses: []string{"f=", "r="},
	},
}

// running gives the queue manager that -m names, if it runs.
func (c *call) running() (*qmgr.Manager, int) {
	m, code := c.queueManager(c.flags.value("m"), "AMQ7048", nameError)
	if m == nil {
		return nil, code
	}
	if m.State() != qmgr.Running {
		return nil, c.refuse(notAvailable, "AMQ8146", amqerr.Inserts{C1: m.Name()})
	}
	return m, done
}

// dspmqtrn shows units of work: those in doubt of other coordinators with -e,
// those of the queue manager's own with -i, both without either, and with -a
// every one there is: who holds RECLOG is among them (reference, Multiplatforms
// 3.1 item 52). How they are printed is from memory.
func dspmqtrn(c *call) int {
	if len(c.words) > 0 {
		return c.wrong("dspmqtrn takes no name but behind -m")
	}
	m, code := c.running()
	if m == nil {
		return code
	}
	all := c.flags.has("a")
	ours, others := c.flags.has("i") || c.flags.has("q"), c.flags.has("e")
	if !all && !ours && !others {
		ours, others = true, true
	}
	shown := 0
	for _, t := range m.Transactions() {
		if all || t.Prepared && (t.Ours && ours || !t.Ours && others) {
			shown++
			c.transaction(t)
		}
	}
	if all || ours {
		more, err := m.Undelivered()
		if err != nil && !errors.Is(err, qmgr.ErrNotRunning) {
			return c.failed(err)
		}
		shown += len(more)
		c.undelivered(more)
	}
	if shown == 0 {
		c.print("There are no such transactions on queue manager '%s'.", m.Name())
	}
	return done
}

// transaction prints one.
func (c *call) transaction(t qmgr.Transaction) {
	state := "ACTIVE"
	if t.Prepared {
		state = "PREPARED"
	}
	c.print("%s", amqerr.Say(c.level, "AMQ7056", amqerr.Inserts{A1: int64(t.Number >> 32), A2: int64(uint32(t.Number))}))
	c.print("   Status(%s) ApplTag(%s)", state, t.Application)
	if !t.Started.IsZero() {
		c.print("   Started(%s) UOWLog(%s)", t.Started.Format("2006-01-02 15.04.05"), t.UOWLog)
	}
	if len(t.XID) > 0 {
		c.print("   XID(%X)", t.XID)
	}
}

// undelivered prints transactions that some resource manager has not heard of:
// the queue manager, number 0, has committed, the others have prepared.
func (c *call) undelivered(all []qmgr.Undelivered) {
	for _, u := range all {
		c.print("XID(%X)", u.XID)
		c.print("%s", amqerr.Say(c.level, "AMQ7107", amqerr.Inserts{A1: 0}))
		for _, r := range u.Resources {
			c.print("%s RMName(%s)", amqerr.Say(c.level, "AMQ7104", amqerr.Inserts{A1: int64(r.RMID)}), r.Name)
		}
	}
}

// unitName is the number of a unit of work as it is printed: its two halves.
func unitName(number uint64) string { return fmt.Sprintf("%d,%d", number>>32, uint32(number)) }

// parseUnit reads it; a number alone is the lower half.
func parseUnit(text string) (uint64, error) {
	high, low, both := strings.Cut(text, ",")
	if !both {
		high, low = "0", text
	}
	h, err := strconv.ParseUint(high, 10, 32)
	l, also := strconv.ParseUint(low, 10, 32)
	if err := errors.Join(err, also); err != nil {
		return 0, fmt.Errorf("%q is no number of a transaction", text)
	}
	return h<<32 | l, nil
}

// rsvmqtrn ends units of work that are in doubt: -c and -b one of another
// coordinator by its number, -a all of the queue manager's own, which a resource
// manager that was away has left.
func rsvmqtrn(c *call) int {
	how := c.flags.among("a", "b", "c")
	if len(c.words) > 0 || len(how) != 1 || !c.flags.has("m") {
		return c.wrong("rsvmqtrn takes -m and one of -a, -b and -c")
	}
	m, code := c.running()
	if m == nil {
		return code
	}
	if how[0] == "a" {
		return c.resolveAll(m)
	}
	number, err := parseUnit(c.flags.value(how[0]))
	if err != nil {
		return c.wrong("%v", err)
	}
	switch err := m.Resolve(c.ctx, number, how[0] == "c"); {
	case errors.Is(err, engine.ErrEnded), errors.Is(err, qmgr.ErrNotInDoubt):
		fmt.Fprintf(&c.err, "Transaction %s is not known to be in doubt.\n", unitName(number))
		return unknownUnit
	case err != nil:
		return c.failed(err)
	}
	return done
}

// resolveAll has the queue manager tell its resource managers once more.
func (c *call) resolveAll(m *qmgr.Manager) int {
	err := m.ResolveOurs(c.ctx)
	var left []qmgr.Undelivered
	if err == nil {
		left, err = m.Undelivered()
	}
	switch {
	case err != nil:
		return c.failed(err)
	case len(left) > 0:
		fmt.Fprintf(&c.err, "%d transactions could not be resolved.\n", len(left))
		return unresolved
	}
	return done
}
