package multi

import (
	"errors"
	"fmt"
	"path"
	"slices"

	"github.com/mqhk/mqhk/core/sim/multi/amqerr"
	"github.com/mqhk/mqhk/core/sim/multi/qmgr"
)

// lostManager is a queue manager of mqs.ini whose files can't be read, since
// its folder is gone, say.
type lostManager struct {
	place
	why error
}

// lostOf gives the one of a name; nil: there is none.
func (h *Host) lostOf(name string) *lostManager {
	for i := range h.lost {
		if h.lost[i].name == name {
			return &h.lost[i]
		}
	}
	return nil
}

// Lost gives the queue managers of mqs.ini whose files can't be read, with the
// reason. With their files put back they are there again, as after [Host.Reopen].
func (h *Host) Lost() map[string]error {
	all := map[string]error{}
	for _, l := range h.lost {
		all[l.name] = l.why
	}
	return all
}

// Reopen reads a queue manager again whose files somebody has put back.
func (h *Host) Reopen(name string) error {
	for i, m := range h.managers {
		if m.Name() != name {
			continue
		}
		if m.Engine() != nil {
			return fmt.Errorf("reading queue manager %s again: %w", name, qmgr.ErrRunning)
		}
		again, err := qmgr.Open(h.site(), name, m.DataDir())
		if err == nil {
			h.managers[i] = again
		}
		return err
	}
	if l := h.lostOf(name); l != nil {
		again, err := qmgr.Open(h.site(), name, l.folder)
		if err != nil {
			return err
		}
		h.managers = append(h.managers, again)
		h.lost = slices.DeleteFunc(h.lost, func(other lostManager) bool { return other.name == name })
		return nil
	}
	return fmt.Errorf("%w: %s", errNoManager, name)
}

var errNoManager = errors.New("the host has no queue manager of this name")

// gone says that the folder of a queue manager is not there, or holds nothing
// that can be read.
func (c *call) gone(l *lostManager) int {
	code := c.refuse(unexpected, "AMQ7018", amqerr.Inserts{C1: c.real(l.folder)})
	fmt.Fprintf(&c.err, "   %v\n", l.why)
	return code
}

// forget deletes the definition of a queue manager whose files can't be read,
// and what is left of its data. Where its log was nobody can say.
func (c *call) forget(l *lostManager) int {
	err := c.undefine(l.name)
	if err == nil {
		err = c.removeTree(l.folder)
	}
	if err != nil {
		return c.failed(err)
	}
	fmt.Fprintf(&c.err, "The log of queue manager '%s' is not known: look for it in %s.\n", l.name, c.real(path.Join(dataFolder, "log")))
	c.say("AMQ8002", amqerr.Inserts{C1: l.name})
	c.lost = slices.DeleteFunc(c.lost, func(other lostManager) bool { return other.name == l.name })
	return done
}
