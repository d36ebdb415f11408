package observe

import (
	"cmp"
	"slices"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/recovery"
)

// farBack is how far behind the current extent one may lie to be older without
// a doubt. Half of the numbers are on either side, and what lies near the middle
// is surely on neither; at 3000 extents a day it is years away ("Determining
// superfluous log files").
const farBack = 4_000_000

// positionAt gives the position of an extent by its distance from the current
// one. Only distances count, so that the same goes before and after the numbers
// begin anew (case 17).
func positionAt(at int) recovery.Position { return recovery.Position(halfWay + at + 1) }

// placedExtent is an extent on the system, at its distance.
type placedExtent struct {
	at int
	Extent
}

// buildLine puts the extents into the order in which they were written, with
// what is missing between them, and finds each need in it.
func (g *extentGatherer) buildLine() {
	g.findZero()
	places := g.placeExtents()
	g.findLife()
	g.keepCopies()
	g.addPoints()
	g.addNotes()
	low, top := g.bounds()
	states := g.statesOf(places)
	places = g.setApart(places, states, low)
	ahead := len(places)
	if g.certain {
		ahead, _ = slices.BinarySearchFunc(places, 1, func(p placedExtent, at int) int { return cmp.Compare(p.at, at) })
	}
	inv := g.inventory
	inv.Incarnation = g.identity.String()
	inv.Segments = g.fillLine(places[:ahead], states, low, top)
	for _, p := range places[ahead:] {
		inv.Segments = append(inv.Segments, g.segmentOf(p, recovery.Empty))
	}
	inv.Copies = g.copiesOfLine(low)
	for _, n := range g.needs {
		inv.Needs = append(inv.Needs, n.Need)
	}
	g.facts.Extents = make([]Extent, len(places))
	for i, p := range places {
		g.facts.Extents[i] = p.Extent
	}
	g.checkPlaces(places, ahead)
	g.checkForeignNeeded(low, top)
	g.noteOthers(low, top)
	g.addHolds()
	g.addUnneeded()
}

// findZero finds the number from which distances are counted: that of the
// extent that is being written. Where only the error log tells the points it is
// the newest of the unbroken run from the restart point on, and everything from
// the points on stays in any case. Where nothing tells it, the newest: the one
// before the widest gap.
func (g *extentGatherer) findZero() {
	switch {
	case g.current.known:
		g.zero, g.certain = g.current.number, true
		if _, there := g.numbered[g.zero]; !there && g.facts.Log.Directory != "" && g.numbered != nil {
			g.open(finding.DirectoryNotProven, "%s is being written (CURRLOG), and is no file in %s", g.current.name(), g.facts.Log.Directory)
		}
	case g.restart.known:
		g.zero, g.certain = g.restart.number, true
		for next := ExtentNumber(g.zero + 1); g.isListed(next); next = ExtentNumber(g.zero + 1) {
			g.zero = next
		}
	case len(g.listed) > 0:
		g.zero = g.beforeWidestGap()
	default:
		for _, kind := range []recovery.NeedKind{recovery.Restart, recovery.Media} {
			if _, number, ok := g.lastSeen(kind); ok {
				g.zero = number
				return
			}
		}
	}
}

func (g *extentGatherer) isListed(number int) bool {
	_, ok := g.numbered[number]
	return ok
}

// beforeWidestGap gives the number after which the most are missing.
func (g *extentGatherer) beforeWidestGap() int {
	numbers := make([]int, len(g.listed))
	for i, e := range g.listed {
		numbers[i] = e.Number
	}
	slices.Sort(numbers)
	last := len(numbers) - 1
	newest, widest := numbers[last], numbers[0]+extentNumbers-numbers[last]
	for i := range last {
		if gap := numbers[i+1] - numbers[i]; gap > widest {
			newest, widest = numbers[i], gap
		}
	}
	return newest
}

// placeExtents puts the extents into order, by the distance of their numbers
// alone: their times say nothing of age (case 21).
func (g *extentGatherer) placeExtents() []placedExtent {
	places := make([]placedExtent, len(g.listed))
	for i, e := range g.listed {
		places[i] = placedExtent{g.distance(e.Number), e}
	}
	slices.SortFunc(places, func(a, b placedExtent) int { return cmp.Compare(a.at, b.at) })
	return places
}

// bounds gives the distances between which a recovery reads: the oldest need, and
// the newest extent that may be one of the log.
func (g *extentGatherer) bounds() (low, top int) {
	if !g.certain && len(g.kept) > 0 {
		top = max(top, g.kept[len(g.kept)-1].at)
	}
	low = top + 1
	for _, n := range g.needs {
		low = min(low, n.at)
		if !g.certain {
			top = max(top, n.at)
		}
	}
	return low, top
}

// fillLine gives the extents up to the current one as segments, with what is
// missing between them, and before them as far as a recovery reads.
func (g *extentGatherer) fillLine(places []placedExtent, states extentStates, low, top int) []recovery.Segment {
	line := make([]recovery.Segment, 0, len(places)+len(g.kept)+2)
	next := low
	if len(places) > 0 {
		next = min(next, places[0].at)
	}
	for _, p := range places {
		if p.at > next {
			line = g.fillGap(line, next, p.at-1, low)
		}
		line = append(line, g.segmentOf(p, states.of(p)))
		next = p.at + 1
	}
	if g.numbered != nil && next <= top {
		line = g.fillGap(line, next, top, low)
	}
	g.noteGaps()
	return line
}

// fillGap gives the segments for what is missing from one distance to another,
// both included. Below every need one stands for all. Above, each that a store
// has stands for itself, and the rest is lost: its ends are named.
func (g *extentGatherer) fillGap(line []recovery.Segment, from, to, low int) []recovery.Segment {
	if from < low {
		end := min(to, low-1)
		line = append(line, g.absent(from, end))
		g.gaps = append(g.gaps, extentRange{from, end})
		from = end + 1
	}
	at, _ := slices.BinarySearchFunc(g.kept, from, func(k keptExtent, at int) int { return cmp.Compare(k.at, at) })
	for ; at < len(g.kept) && g.kept[at].at <= to; at++ {
		kept := g.kept[at].at
		if kept < from {
			continue // another copy of the same
		}
		line = g.fillLost(line, from, kept-1)
		line = append(line, g.absent(kept, kept))
		from = kept + 1
	}
	return g.fillLost(line, from, to)
}

// fillLost gives segments for the first and the last of what is nowhere.
func (g *extentGatherer) fillLost(line []recovery.Segment, from, to int) []recovery.Segment {
	switch {
	case from > to:
		return line
	case from == to:
		return append(line, g.absent(from, to))
	}
	return append(line, g.absent(from, to-1), g.absent(to, to))
}

// absent stands for extents that are not on the system, with the name of the
// first.
func (g *extentGatherer) absent(from, to int) recovery.Segment {
	return recovery.Segment{ID: g.id(from), From: positionAt(from), To: positionAt(to), State: recovery.Absent}
}

func (g *extentGatherer) id(at int) recovery.SegmentID {
	return recovery.SegmentID{QueueManager: g.target.Name, Name: ExtentName(g.zero + at)}
}

func (g *extentGatherer) segmentOf(p placedExtent, state recovery.State) recovery.Segment {
	return recovery.Segment{
		ID:   recovery.SegmentID{QueueManager: g.target.Name, Name: p.Name},
		From: positionAt(p.at), To: positionAt(p.at),
		Bytes: p.Bytes, State: state, Fingerprint: p.Fingerprint(),
	}
}
