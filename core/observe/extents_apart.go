package observe

import (
	"slices"
	"strings"

	"github.com/mqhk/mqhk/core/finding"
)

// mostMissing is how many numbers may be missing below everything that is needed
// before what lies behind them counts as none of this log. At 3000 extents a day
// it is a month of which nothing is left.
const mostMissing = 100_000

// setApart takes what has the name of an extent, and is surely no part of this
// log, out of the line: nobody deletes it, since nobody knows whose it is. Below
// every need that is
//
//   - a file of another size: the queue manager makes all extents of one size;
//   - what lies behind a hole of more than mostMissing numbers. It may be left of
//     an earlier log in the same directory. No reading of the log makes it
//     needed, so it is no reason to keep the rest as well.
//
// What a recovery reads stays in the line, whatever its size: there it is damage.
func (g *extentGatherer) setApart(places []placedExtent, states extentStates, low int) []placedExtent {
	others := func(p placedExtent) bool { return p.at != 0 && p.Bytes == states.current.Bytes }
	if !states.certain || states.current == nil || !slices.ContainsFunc(places, others) {
		return places // nothing tells what is older, nor of which size extents are
	}
	var sized, far []Extent
	apart := make(map[int]bool)
	next := low
	for _, p := range slices.Backward(places) {
		switch {
		case p.at >= low || p.at < -farBack: // checkPlaces refuses the second
			continue
		case len(far) > 0 || next-p.at > mostMissing:
			far = append(far, p.Extent)
		case p.Bytes != states.current.Bytes:
			sized = append(sized, p.Extent)
		default:
			next = p.at
			continue
		}
		apart[p.at] = true
	}
	g.addApart(sized, "files with names of extents have another size than %s has (%d bytes), and are never touched: %s", states.current.Name, states.current.Bytes)
	g.addApart(far, "more than %d numbers are missing between these and the extents of this log, so that they may be of another one and are never touched: %s", mostMissing)
	return slices.DeleteFunc(slices.Clone(places), func(p placedExtent) bool { return apart[p.at] })
}

// addApart counts extents among the files that are not the queue manager's, and
// says why.
func (g *extentGatherer) addApart(files []Extent, format string, args ...any) {
	if len(files) == 0 {
		return
	}
	byName := func(a, b Extent) int { return strings.Compare(a.Name, b.Name) }
	slices.SortFunc(files, byName)
	g.open(finding.ForeignFiles, format, append(args, namesOf(files))...)
	for _, f := range files {
		delete(g.numbered, f.Number)
		f.Number = 0
		g.facts.Foreign = append(g.facts.Foreign, f)
	}
	slices.SortFunc(g.facts.Foreign, byName)
}
