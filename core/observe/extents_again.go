package observe

import (
	"github.com/mqhk/mqhk/core/errlog"
	"github.com/mqhk/mqhk/core/finding"
)

// readLoggedAgain reads after the listing what stood for DISPLAY QMSTATUS before
// it: dspmq and the error log, and whether the queue manager tells by now. Forward
// is fine, since the first reading decides.
func (g *extentGatherer) readLoggedAgain() {
	if word, _, why := g.processStatus(); why != "" || word != g.word {
		g.open(finding.NotThisHost, "after the listing dspmq says STATUS(%s), and said STATUS(%s) before%s", word, g.word, behindColon(why))
	}
	if g.status.kind != statusShown {
		second := g.readStatus(statusQuestion, statusOfLogQuestion)
		if second.kind != g.status.kind && second.kind != statusUnread && second.kind != statusFailed {
			g.open(finding.FactsUnreadable, "DISPLAY QMSTATUS did not tell the recovery points before the listing (%s), and is answered otherwise after it", g.whyNoPoints())
		}
	}
	again, why := g.trustedLogs()
	if why != "" {
		g.open(finding.MarkMissing, "after the listing the error log can't tell the recovery points: %s", why)
		return
	}
	for _, life := range [][2]*errlog.Sighting{{g.logged.Created, again.Created}, {g.logged.Started, again.Started}, {g.logged.Ended, again.Ended}} {
		if before, after := life[0], life[1]; after != nil && (before == nil || !after.Time.Equal(before.Time) || after.Date != before.Date) {
			g.open(finding.MarkWentBack, "%s was written while the extents were listed: it is not the same start of the queue manager", after)
		}
	}
	g.compareLogged("restart", g.logged.Restart, again.Restart)
	g.compareLogged("media", g.logged.Media, again.Media)
}

// compareLogged holds one point of the second reading against the first.
func (g *extentGatherer) compareLogged(kind string, before, after *errlog.Mark) {
	_, from, errFrom := ParseExtent(before.Extent)
	_, to, errTo := ParseExtent(after.Extent)
	switch {
	case errFrom != nil || errTo != nil: // errlog has found names of extents
	case ExtentDistance(from, to) < 0:
		g.open(finding.MarkWentBack, "the %s point of the error log went from %s (%s) back to %s (%s) while the extents were listed", kind, before.Extent, before.Seen, after.Extent, after.Seen)
	case from != to:
		g.open(finding.MarkMoved, "the %s point of the error log moved from %s to %s while the extents were listed", kind, before.Extent, after.Extent)
	}
}
