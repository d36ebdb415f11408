package runmqsc

import (
	"slices"
	"strconv"

	"github.com/mqhk/mqhk/core/mqsc"
	"github.com/mqhk/mqhk/core/sim/multi/amqerr"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
)

// set is SET LOG ARCHIVED(name), since 9.0.2 (reference, Multiplatforms 3.2
// item 53). Which message says yes is not known: it is that of ALTER QMGR, as for
// RESET QMGR. Who asks for authorities is told that there are none.
func (p *performer) set(command mqsc.Command) (string, error) {
	if kind := command.Object(); kind == "AUTHREC" || kind == "CHLAUTH" {
		return "", p.unsimulated("keeps no authorities")
	}
	if command.Object() != "LOG" || command.Params[0].Values != nil || !p.level.AtLeast(9, 0, 2) {
		return "", &syntaxError{0}
	}
	if err := only(command, "ARCHIVED"); err != nil {
		return "", err
	}
	name, at, given := one(command, "ARCHIVED")
	if !given || name == "" {
		return "", &syntaxError{max(at, 0)}
	}
	if err := p.m.SetArchived(name); err != nil {
		return "", err
	}
	return p.says("AMQ8005", amqerr.Inserts{}), nil
}

// unsimulated refuses what the simulator can't do, rather than say that it did.
func (p *performer) unsimulated(what string) error {
	return &refusal{p.says("AMQ8404", amqerr.Inserts{}) + "   The simulated queue manager " + what + ".\n"}
}

// reset is RESET QMGR (reference, Multiplatforms 3.2 items 54 to 57).
func (p *performer) reset(command mqsc.Command) (string, error) {
	if command.Object() != "QMGR" || command.Params[0].Values != nil {
		return "", &syntaxError{0}
	}
	kind, at, given := one(command, "TYPE")
	if !given {
		return "", &syntaxError{0}
	}
	var err error
	switch {
	case kind == "ADVANCELOG":
		if err = only(command, "TYPE"); err == nil {
			err = p.m.AdvanceLog(p.ctx)
		}
	case kind == "STATISTICS":
		// It ends an interval and writes what was counted in it as messages.
		if err = only(command, "TYPE"); err == nil {
			err = p.unsimulated("writes no statistics")
		}
	case kind == "PUBSUB":
		if err = only(command, "TYPE", "CHILD", "PARENT"); err == nil {
			err = p.unsimulated("is in no hierarchy of publish/subscribe")
		}
	case kind == "ARCHLOG" && p.level.AtLeast(9, 0, 2):
		err = p.archiveLog(command)
	case kind == "REDUCELOG" && p.level.AtLeast(9, 0, 2):
		err = p.reduceLog(command)
	default:
		return "", &syntaxError{at}
	}
	if err != nil {
		return "", err
	}
	return p.says("AMQ8005", amqerr.Inserts{}), nil
}

func (p *performer) archiveLog(command mqsc.Command) error {
	if err := only(command, "TYPE", "ARCHIVED"); err != nil {
		return err
	}
	name, at, given := one(command, "ARCHIVED")
	if !given || name == "" {
		return &syntaxError{max(at, 1)}
	}
	return p.m.ArchiveUpTo(name)
}

func (p *performer) reduceLog(command mqsc.Command) error {
	if err := only(command, "TYPE", "REDUCE"); err != nil {
		return err
	}
	word, at, given := one(command, "REDUCE")
	how := extents.ReduceAuto
	switch {
	case !given || word == "AUTO":
	case word == "ONE":
		how = extents.ReduceOne
	case word == "MAX":
		how = extents.ReduceMax
	default:
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 || n > 999999999 {
			return &syntaxError{at}
		}
		how = extents.Reduction(n)
	}
	_, err := p.m.ReduceLog(p.ctx, how)
	return err
}

func (p *performer) ping(command mqsc.Command) (string, error) {
	if command.Object() != "QMGR" || command.Params[0].Values != nil || len(command.Params) > 1 {
		return "", &syntaxError{min(1, len(command.Params)-1)}
	}
	return p.says("AMQ8415", amqerr.Inserts{}), nil
}

// refresh is REFRESH SECURITY, which has nothing to read anew.
func (p *performer) refresh(command mqsc.Command) (string, error) {
	if command.Object() != "SECURITY" {
		return "", &syntaxError{0}
	}
	if err := only(command, "TYPE"); err != nil {
		return "", err
	}
	kinds := []string{"AUTHSERV", "SSL", "CONNAUTH", "CLASSES"}
	if kind, at, given := one(command, "TYPE"); given && !slices.Contains(kinds, kind) {
		return "", &syntaxError{at}
	}
	return p.says("AMQ8560", amqerr.Inserts{}), nil
}
