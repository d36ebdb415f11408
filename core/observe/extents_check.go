package observe

import (
	"fmt"
	"strings"
	"time"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/recovery"
)

// extentRange is a run of distances, both ends included.
type extentRange struct{ from, to int }

// extentStates tells the states of the extents of one log.
type extentStates struct {
	current   *Extent // what the others are compared with; nil: not on the system
	certain   bool    // distance 0 is being written
	archiving bool
	waiting   int               // the distance from which on extents wait to be archived
	saved     map[int]time.Time // by number: when the site last said that it has saved it
}

// statesOf prepares what the states of extents depend on.
func (g *extentGatherer) statesOf(places []placedExtent) extentStates {
	s := extentStates{certain: g.certain, archiving: g.inventory.Remover == recovery.OnceReported, waiting: 1, saved: g.notedSaved()}
	if at, ok := g.numbered[g.zero]; ok {
		s.current = &g.listed[at]
	}
	g.checkOwners(s, places)
	g.checkSize(s, places)
	name := g.facts.Log.Waiting
	if name == "" || !g.certain {
		return s
	}
	_, number, _ := ParseExtent(name) // it was read before
	s.waiting = g.distance(number)
	switch {
	case s.waiting > 0:
		g.open(finding.FactsUnreadable, "ARCHLOG(%s) lies ahead of %s, which is being written", name, ExtentName(g.zero))
	case !g.isListed(number):
		g.open(finding.ExtentGap, "the queue manager waits for word that %s is archived (ARCHLOG), and it is not there", name)
	}
	return s
}

// of gives the state of an extent. The queue manager makes all of one size: one
// of another is not whole, whoever made it (APAR IT24871: a start that missed an
// extent made an empty one of its name). Whom the current one belongs to, so do
// the others: a file that somebody else put there is never touched.
func (s extentStates) of(p placedExtent) recovery.State {
	switch {
	case s.certain && p.at == 0:
		return recovery.Current
	case s.foreign(p):
		return recovery.StateUnknown
	case p.Bytes == 0 || s.current != nil && p.Bytes != s.current.Bytes:
		return recovery.Partial
	case s.archiving && p.at < s.waiting || s.savedSince(p):
		return recovery.Saved
	}
	return recovery.Online
}

// savedSince tells whether the site has said that it saved this very extent: it
// was not written since. Where its time is not told nothing shows that, and
// names come again.
func (s extentStates) savedSince(p placedExtent) bool {
	at, noted := s.saved[p.Number]
	return noted && !p.Modified.IsZero() && !at.Before(p.Modified)
}

// foreign tells whether an extent belongs to another user than the current one.
func (s extentStates) foreign(p placedExtent) bool {
	if s.current == nil || s.current.Owner == "" || p.Owner == "" {
		return false
	}
	return userOf(p.Owner) != userOf(s.current.Owner)
}

func userOf(owner string) string {
	user, _, _ := strings.Cut(owner, ":")
	return user
}

// checkOwners names the extents that belong to somebody else, and says whether
// it could be seen.
func (g *extentGatherer) checkOwners(s extentStates, places []placedExtent) {
	var foreign []Extent
	for _, p := range places {
		if s.foreign(p) {
			foreign = append(foreign, p.Extent)
		}
	}
	if len(foreign) > 0 {
		g.open(finding.ForeignFiles, "extents belong to another user than %s does (%s), and are never touched: %s", s.current.Name, s.current.Owner, namesOf(foreign))
	}
	if s.current != nil && s.current.Owner == "" {
		g.doubt("whether the extents belong to the queue manager's user (LOGDIR without owners)")
	}
}

// checkSize refuses a current extent of a size that no other has: what is
// compared with it would be compared with nothing. Where it is alone, as after
// images on a quiet queue manager, there is nothing to compare and nothing to
// let go.
func (g *extentGatherer) checkSize(s extentStates, places []placedExtent) {
	if s.current == nil || !s.certain {
		return
	}
	others := 0
	for _, p := range places {
		if p.at == 0 {
			continue
		}
		if p.Bytes == s.current.Bytes {
			return
		}
		others++
	}
	if others > 0 || s.current.Bytes == 0 {
		g.open(finding.DirectoryNotProven, "%s is being written and has a size that no other extent has: %d bytes", s.current.Name, s.current.Bytes)
	}
}

// checkPlaces refuses extents that are neither surely older than the current one
// nor formatted ahead of it, which are the next ones without a gap.
func (g *extentGatherer) checkPlaces(places []placedExtent, ahead int) {
	var astray []Extent
	for _, p := range places[:ahead] {
		if p.at < -farBack {
			astray = append(astray, p.Extent)
		}
	}
	for i, p := range places[ahead:] {
		if p.at != i+1 {
			astray = append(astray, p.Extent)
		}
	}
	if len(astray) > 0 {
		g.open(finding.ChainOrderUnknown, "by their numbers these are neither surely older than %s nor formatted ahead of it: %s", ExtentName(g.zero), namesOf(astray))
	}
}

// checkForeignNeeded refuses a directory in which a link or a folder stands for
// an extent that a recovery reads.
func (g *extentGatherer) checkForeignNeeded(low, top int) {
	for _, f := range g.facts.Foreign {
		kind, number, named := g.facts.Log.named(f.Name)
		if at := g.distance(number); named && kind == LogExtent && at >= low && at <= top {
			g.open(finding.DirectoryNotProven, "%s, which a recovery reads, is no file (%s)", f.Name, f.Mode)
		}
	}
}

// noteGaps says what is missing below every need.
func (g *extentGatherer) noteGaps() {
	if len(g.gaps) == 0 {
		return
	}
	count := 0
	for _, gap := range g.gaps {
		count += gap.to - gap.from + 1
	}
	first, last := g.gaps[0].from, g.gaps[len(g.gaps)-1].to
	where := ExtentName(g.zero + first)
	if last > first {
		where = fmt.Sprintf("from %s to %s", where, ExtentName(g.zero+last))
	}
	g.open(finding.ExtentGap, "missing, and no recovery needs them: %s in %s, %s", counted(count, "extent"), counted(len(g.gaps), "place"), where)
}

// beforeLog tells whether a moment lies before this log began.
func (g *extentGatherer) beforeLog(at time.Time) bool {
	return !g.identity.start.IsZero() && !g.observed.IsZero() && g.wall(at).Before(g.identity.start.Time)
}

// addUnneeded notes since when each extent has been known to be unneeded. What
// was written after that is another of its name, or was needed again.
func (g *extentGatherer) addUnneeded() {
	since := make(map[string]time.Time)
	for _, h := range g.history {
		if other, ok := since[h.name]; h.kind == "unneeded" && !g.beforeLife(h.at) && (!ok || h.at.Before(other)) {
			since[h.name] = h.at
		}
	}
	if len(since) == 0 {
		return
	}
	segments := g.inventory.Segments
	for i := range segments {
		at, ok := since[segments[i].ID.Name]
		_, number, err := ParseExtent(segments[i].ID.Name)
		index, listed := g.numbered[number]
		if ok && err == nil && listed && !at.Before(g.listed[index].Modified) {
			segments[i].Unneeded = at
		}
	}
}
