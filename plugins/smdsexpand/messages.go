package smdsexpand

import (
	"time"

	"github.com/mqhk/mqhk/core/observe/qsg"
)

// The messages about the growth of data sets (csq_e).
const (
	expanded  = "CSQE217I" // by the owner: so many pages added
	refused   = "CSQE218E" // an expansion failed; DSEXPAND is NO from then on
	exhausted = "CSQE215I" // no expansion is possible: the most extents
	refreshed = "CSQE219I" // a reader noticed that the owner expanded: never growth (case 49)
	full      = "CSQE239I" // large messages can't be stored any more
)

// grown is what a data set's owner said of its growth.
type grown struct {
	expansions []qsg.Event
	failures   []qsg.Event
	full       []qsg.Event
}

// messages gives what the owners said within the last time, by data set, and the
// readers' messages that say that nothing was added.
func messages(g *qsg.Group, recent time.Duration) (map[string]*grown, []qsg.Event) {
	found := map[string]*grown{}
	var empty []qsg.Event
	for _, e := range g.Log {
		if old(g, e, recent) {
			continue
		}
		if e.ID == refreshed {
			if pages := e.Number("PAGES"); pages.Known && pages.Value <= 0 {
				empty = append(empty, e)
			}
			continue
		}
		if e.Structure == "" || e.Owner == "" || e.Member != e.Owner {
			continue
		}
		name := e.Structure + "/" + e.Owner
		if found[name] == nil {
			found[name] = &grown{}
		}
		found[name].take(e)
	}
	return found, empty
}

func (m *grown) take(e qsg.Event) {
	switch e.ID {
	case expanded:
		if pages := e.Number("PAGES"); !pages.Known || pages.Value > 0 {
			m.expansions = append(m.expansions, e)
		}
	case refused, exhausted:
		m.failures = append(m.failures, e)
	case full:
		m.full = append(m.full, e)
	}
}

// old tells whether a message was written before the time that is looked at. One
// without a time, or on a system without a clock, never is.
func old(g *qsg.Group, e qsg.Event, recent time.Duration) bool {
	return !e.At.IsZero() && !g.Now.IsZero() && g.Now.Sub(e.At.Time) > recent
}

// at says when a message was written.
func at(e qsg.Event) string {
	if e.At.IsZero() {
		return "at a time that was not printed"
	}
	return "at " + e.At.String()
}
