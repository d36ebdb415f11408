package observe

import (
	"time"

	"github.com/mqhk/mqhk/core/finding"
)

// The kinds of rows of HISTORY that say that a log was put back to an older
// state (docs/transcript.md).
const (
	PutBackKind     = "put-back"      // a run that applies found it, and stopped
	PutBackSeenKind = "put-back-seen" // a run that changes nothing found it; one that applies has still to stop
)

// lastPutBack gives the newest row that says that the log was put back to an
// older state, and whether no run that applies has stopped for it yet. False: no
// row says so.
func (g *gathering) lastPutBack() (last historyRow, waits, ok bool) {
	return g.putBack, g.putBack.kind == PutBackSeenKind, !g.putBack.at.IsZero()
}

// beforePutBack tells whether a moment lies before the log was last found put
// back: what was seen then is of another life of the queue manager.
func (g *gathering) beforePutBack(at time.Time) bool {
	last, _, ok := g.lastPutBack()
	return ok && at.Before(last.at)
}

// openPutBack says that a run has found the log put back, and that none has
// stopped for it yet which applies. A dry run that was looked at by nobody must
// not take the alarm away.
func (g *gathering) openPutBack() bool {
	last, waits, _ := g.lastPutBack()
	if waits {
		g.open(finding.MarkWentBack, "a run that changed nothing saw at %s that a recovery point had gone back, when the log was in %s; the next run that applies stops here once, and those after it go on with the log as it is",
			last.at.Format(rfc3339), last.name)
	}
	return waits
}
