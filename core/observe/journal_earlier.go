package observe

import (
	"slices"
	"strings"
	"time"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/recovery"
)

// compareWithEarlier holds the recovery points against those that the last
// run saw: they only move forward, and one that went back is of another
// incarnation: a failover, a restore. What MQ names is compared, not what a
// tie or a doubtful time makes of it: where it has turned the name into
// asterisks since, the very same entry has not gone back.
func (g *gatherer) compareWithEarlier() {
	inv := &g.facts.Inventory
	if g.openPutBack() {
		g.facts.PutBack = true
		return
	}
	for _, kind := range []recovery.NeedKind{recovery.Restart, recovery.Media} {
		var last Sighting
		for _, s := range g.facts.Seen {
			if s.Kind == kind {
				last = s
			}
		}
		seen := slices.IndexFunc(inv.Segments, func(s recovery.Segment) bool { return s.ID.Name == last.Segment })
		if last.Segment == "" {
			continue
		}
		if seen < 0 {
			g.compareGone(kind, last)
			continue
		}
		g.compareListed(kind, last, inv.Segments[seen].From)
	}
}

// compareListed tells whether a point now lies before the place where an earlier
// run saw it. DISPLAY QMSTATUS says what is so now; where it says nothing any
// other source counts. A message may be an old one: after a clock that was put
// back the newest does not look so.
func (g *gatherer) compareListed(kind recovery.NeedKind, last Sighting, seen recovery.Position) {
	inv := &g.facts.Inventory
	ofStatus := func(n recovery.Need) bool { return n.Kind == kind && strings.HasSuffix(n.Source, ofQueueManagerStatus) }
	said := slices.ContainsFunc(inv.Needs, ofStatus)
	for i, need := range inv.Needs {
		if need.Kind != kind || said && !ofStatus(need) || i < len(g.marks) && g.marks[i].name == "" && g.sawEntry(last, need.Entry) {
			continue
		}
		if max(need.From, beginOf(inv.Segments, need.Name)) < seen {
			g.facts.PutBack = true
			g.open(finding.MarkWentBack, "the %s point was in %s at %s and is now in %s (%s)", kind, last.Segment, last.At.Format(time.RFC3339), need.Name, need.Source)
			return
		}
	}
}

// compareGone tells whether a point that an earlier run saw lies in a receiver
// that has not been attached yet: the queue manager was put back to an older
// state, or is another one of the name. Of those that have gone since nothing
// is said. Names tell, whatever somebody did to the clock; the time of that run
// counts only where they can't be compared.
func (g *gatherer) compareGone(kind recovery.NeedKind, last Sighting) {
	if len(g.chain.receivers) == 0 {
		return // a finding already
	}
	newest := g.chain.receivers[len(g.chain.receivers)-1]
	ahead, known := isAhead(last.Segment, newest.ID.Name)
	switch {
	case known && !ahead:
		return
	case known:
		g.facts.PutBack = true
		g.open(finding.MarkWentBack, "the %s point was in %s at %s, and the newest receiver is %s now", kind, last.Segment, last.At.Format(time.RFC3339), newest.ID.Name)
	case !g.observed.IsZero() && g.observed.Before(last.At):
		g.facts.PutBack = true
		g.open(finding.MarkWentBack, "the %s point was in %s at %s, which is still to come: %s shows %s", kind, last.Segment, last.At.Format(time.RFC3339), g.target.Name, g.observed.Format(time.RFC3339))
	}
}

// sawEntry tells whether the run of a sighting saw a point of its kind at this
// very entry.
func (g *gatherer) sawEntry(last Sighting, entry string) bool {
	return entry != "" && slices.ContainsFunc(g.facts.Seen, func(s Sighting) bool {
		return s.Kind == last.Kind && s.At.Equal(last.At) && s.Position == entry
	})
}

// beginOf gives where the segment of a name begins; 0 when there is none.
func beginOf(segments []recovery.Segment, name string) recovery.Position {
	if at := slices.IndexFunc(segments, func(s recovery.Segment) bool { return s.ID.Name == name }); at >= 0 {
		return segments[at].From
	}
	return 0
}
