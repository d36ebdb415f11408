package observe

import (
	"strings"
	"time"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/recovery"
)

// notRemembered is the life of a log that was found put back just now: nothing
// that was copied is of it.
const notRemembered = "not remembered yet"

// farAhead is how far ahead of the current extent a copy may lie to show that the
// log was put back. One that seems to lie further ahead was made before the
// numbers began anew.
const farAhead = 1_000_000

// findLife finds out in which life the log is. A queue manager that is put back
// to an older state writes extents anew that were complete before, under the same
// numbers, and everything else that tells a log stays as it was: that it was put
// back is remembered, and of what was copied before nothing counts.
//
// The manifests remember it too, so that a ledger which was lost does not take
// the copies that were made since for those of another log.
func (g *extentGatherer) findLife() {
	last, _, ok := g.lastPutBack()
	var since time.Time
	if ok {
		since = last.at
	}
	log := sameLog{of: g.identity.String()}
	for _, c := range g.copies {
		if same, known := log.compare(withoutLife(c.Incarnation)); c.Verified && same && known {
			if began := lifeOf(c.Incarnation); began.After(since) {
				since = began
			}
		}
	}
	if !since.IsZero() {
		g.identity.life = since.UTC().Format(time.RFC3339Nano)
	}
	switch {
	case g.openPutBack():
		g.facts.PutBack = true
	case g.wentBack() || g.copiedAhead():
		g.facts.PutBack = true
		g.identity.life = notRemembered
	}
}

// lifeOf gives when the life began that extents belong to; zero: none, or it
// can't be read.
func lifeOf(incarnation string) time.Time {
	for part := range strings.SplitSeq(incarnation, "; ") {
		if text, ok := strings.CutPrefix(part, lifeWord); ok {
			began, _ := parseMoment(text)
			return began
		}
	}
	return time.Time{}
}

// withoutLife leaves out the life of what extents belong to.
func withoutLife(incarnation string) string {
	before, _, _ := strings.Cut(incarnation, "; "+lifeWord) // it is the last word
	if strings.HasPrefix(before, lifeWord) {
		return ""
	}
	return before
}

// wentBack holds the points against the newest places in which runs saw them:
// they only move forward within one log. One that went back says that the queue
// manager was put back to an older state, or is another one of the name. All
// runs since it was last put back count, so that one look does not end it.
func (g *extentGatherer) wentBack() bool {
	found := false
	for _, p := range []struct {
		kind recovery.NeedKind
		extentPoint
	}{{recovery.Restart, g.restart}, {recovery.Media, g.media}} {
		s, at, ok := g.furthestSeen(p.kind)
		if ok && p.known && g.distance(p.number) < at {
			g.open(finding.MarkWentBack, "the %s point was in %s at %s and is now in %s (%s)", p.kind, s.Segment, s.At.Format(rfc3339), p.name(), p.source)
			found = true
		}
	}
	return found
}

// copiedAhead finds copies of this very log of extents that are not complete
// yet: only what is complete was ever copied.
func (g *extentGatherer) copiedAhead() bool {
	log := sameLog{of: g.identity.String()}
	ahead := 0
	for _, c := range g.copies {
		_, number, _ := ParseExtent(c.Segment.Name) // extentCopies has read it
		same, known := log.compare(c.Incarnation)
		if at := g.distance(number); c.Verified && same && known && g.certain && at >= 0 && at < farAhead {
			ahead++
		}
	}
	if ahead > 0 {
		g.open(finding.MarkWentBack, "the stores have %s of this log that are not complete yet: it was put back to an older state since", counted(ahead, "extent"))
	}
	return ahead > 0
}

// lastSeen gives where the last run saw a recovery point of this log.
func (g *extentGatherer) lastSeen(kind recovery.NeedKind) (Sighting, int, bool) {
	for i := len(g.seen) - 1; i >= 0; i-- {
		s := g.seen[i]
		if s.Kind != kind || g.beforeLife(s.At) {
			continue
		}
		_, number, err := ParseExtent(s.Segment)
		return s, number, err == nil
	}
	return Sighting{}, 0, false
}

// furthestSeen gives the newest extent in which any run saw a recovery point of
// this log, with its distance.
func (g *extentGatherer) furthestSeen(kind recovery.NeedKind) (furthest Sighting, at int, ok bool) {
	for _, s := range g.seen {
		_, number, err := ParseExtent(s.Segment)
		if s.Kind != kind || err != nil || g.beforeLife(s.At) {
			continue
		}
		if d := g.distance(number); !ok || d >= at {
			furthest, at, ok = s, d, true
		}
	}
	return furthest, at, ok
}

// beforeLife tells whether a moment lies before this log began, or before it was
// last put back.
func (g *extentGatherer) beforeLife(at time.Time) bool {
	return g.beforeLog(at) || g.beforePutBack(at)
}
