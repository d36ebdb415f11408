package observe

import (
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/recovery"
)

// extentPoint is an extent that a source names.
type extentPoint struct {
	known  bool
	number int
	source string // where a person can check it
	logged bool   // only the error log tells it
}

// name gives the name of the extent; empty where none is known.
func (p extentPoint) name() string {
	if !p.known {
		return ""
	}
	return ExtentName(p.number)
}

// readPoints reads the recovery points: from DISPLAY QMSTATUS, and only where
// the queue manager is not asked, or is of a level that does not tell them, from
// the error log. A point that is blank, missing or torn is not known, and never
// "nothing is needed" (reference, Multiplatforms, trap 8).
func (g *extentGatherer) readPoints() {
	g.current = g.pointOf("CURRLOG")
	switch {
	case g.status.kind == statusDown, g.status.kind == statusUnread, g.status.kind == statusFailed:
	case g.status.tellsPoints():
		g.restart, g.media = g.pointOf("RECLOG"), g.pointOf("MEDIALOG")
		g.openMissing("CURRLOG", g.current, finding.AttachedUnknown)
		g.openMissing("RECLOG", g.restart, finding.MarkMissing)
		g.openMissing("MEDIALOG", g.media, finding.MarkMissing)
	case g.runs:
		g.readLogged()
	}
	g.checkAhead("RECLOG", &g.restart)
	g.checkAhead("MEDIALOG", &g.media)
	log := &g.facts.Log
	log.Current, log.Restart, log.Media = g.current.name(), g.restart.name(), g.media.name()
}

// pointOf reads one attribute of the first reading.
func (g *extentGatherer) pointOf(name string) extentPoint {
	value, _ := g.status.tells(name)
	if value == "" {
		return extentPoint{}
	}
	kind, number, err := ParseExtent(value)
	if err != nil || kind != LogExtent {
		g.open(finding.MarkUnreadable, "%s(%s) of DISPLAY QMSTATUS is no name of a log extent", name, value)
		return extentPoint{}
	}
	return extentPoint{known: true, number: number, source: name + ofQueueManagerStatus}
}

// openMissing says that a point is not known that the queue manager should have
// told.
func (g *extentGatherer) openMissing(name string, p extentPoint, code finding.Code) {
	value, told := g.status.tells(name)
	switch {
	case p.known || value != "": // a finding already, if it can't be read
	case told:
		g.open(code, "DISPLAY QMSTATUS leaves %s blank", name)
	default:
		g.open(code, "DISPLAY QMSTATUS does not show %s", name)
	}
}

// checkAhead refuses a point in an extent that is still to come.
func (g *extentGatherer) checkAhead(name string, p *extentPoint) {
	if !p.known || !g.current.known {
		return
	}
	if at := ExtentDistance(g.current.number, p.number); at > 0 || at < -farBack {
		g.open(finding.MarkUnreadable, "the point of %s (%s) can't lie in %s while %s is being written", p.source, name, p.name(), g.current.name())
		*p = extentPoint{}
	}
}

// extentNeed is a need with the distance of its extent from the current one.
type extentNeed struct {
	at int
	recovery.Need
}

// need adds a need that begins at a distance.
func (g *extentGatherer) need(kind recovery.NeedKind, at int, source string, logged bool) {
	g.needs = append(g.needs, extentNeed{at, recovery.Need{
		Kind: kind, From: positionAt(at), Name: ExtentName(g.zero + at), Source: source, Logged: logged,
	}})
}

// addPoints makes needs of the recovery points. One that is not known begins
// where an earlier run saw it: points only move forward, so that shows what a
// recovery may read; nothing goes by it, since that the point is not known is
// critical.
func (g *extentGatherer) addPoints() {
	overtaken := g.seenAhead()
	for _, p := range g.points() {
		if p.known {
			g.need(p.kind, g.distance(p.number), p.source, p.logged)
		} else if s, number, ok := g.lastSeen(p.kind); ok && !overtaken {
			g.need(p.kind, g.distance(number), "seen "+s.At.Format(rfc3339), false)
		}
	}
}

// kindPoint is a recovery point with its kind.
type kindPoint struct {
	kind recovery.NeedKind
	extentPoint
}

// points gives the two recovery points.
func (g *extentGatherer) points() []kindPoint {
	return []kindPoint{{recovery.Restart, g.restart}, {recovery.Media, g.media}}
}

// seenAhead finds out whether a point that only an earlier run tells lies ahead of
// every extent on the system. Then the log was put back to an older state since,
// and what it needs now none of those points tells: they are of a later one.
func (g *extentGatherer) seenAhead() bool {
	newest := g.zero
	if !g.certain && len(g.listed) == 0 {
		return false // nothing on the system speaks against them
	}
	found := false
	for _, p := range g.points() {
		s, number, ok := g.lastSeen(p.kind)
		if ok && !p.known && ExtentDistance(newest, number) > 0 {
			g.open(finding.MarkWentBack, "a run saw the %s point in %s at %s, which lies ahead of every extent on the system (the newest is %s): the log was put back to an older state, and what it needs is not known", p.kind, s.Segment, s.At.Format(rfc3339), ExtentName(newest))
			found = true
		}
	}
	return found
}

// distance says how many extents after the current one a number lies.
func (g *extentGatherer) distance(number int) int { return ExtentDistance(g.zero, number) }
