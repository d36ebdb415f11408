package observe

import (
	"slices"

	"github.com/mqhk/mqhk/core/finding"
)

// olderPieces gives what the stores have of receivers older than the line. It
// goes back from the oldest receiver that is listed, each time to the one that
// joins; where none does there is a hole, and before it what lies there
// without a doubt.
func (g *gatherer) olderPieces(line []piece) []piece {
	if len(line) == 0 {
		return nil
	}
	next := g.chain.receivers[0].beginning()
	var older []piece // newest first
	for {
		k := g.shelf.before(next)
		if k == nil {
			if k = g.shelf.beyond(next); k == nil {
				slices.Reverse(older)
				return older
			}
			older = append(older, g.hole(next.link, life{start: k.end, end: next.at}))
		}
		older = append(older, g.absentPiece(k))
		next = k.beginning()
	}
}

// fillBreaks puts what is missing into the breaks of the chain.
func (g *gatherer) fillBreaks(line []piece) []piece {
	for i := len(g.chain.breaks) - 1; i >= 0; i-- {
		at := g.chain.breaks[i]
		before, after := g.chain.receivers[at-1], g.chain.receivers[at]
		g.open(finding.ChainBreak, "nothing is listed between %s and %s", before.ID, after.ID)
		line = slices.Insert(line, at, g.bridge(before.ending(), after.beginning())...)
	}
	return line
}

// bridge gives the pieces that lead from one receiver to another: what joins
// the newer one, and if that does not lead to the older one, what joins that
// and a hole between.
func (g *gatherer) bridge(from, to edge) []piece {
	var newer []piece // newest first
	for k := g.shelf.before(to); k != nil && !contradict(from, k.beginning()); k = g.shelf.before(to) {
		newer = append(newer, g.absentPiece(k))
		if to = k.beginning(); meet(from, to) {
			slices.Reverse(newer)
			return newer
		}
	}
	var older []piece
	for k := g.shelf.after(from); k != nil && !contradict(k.ending(), to); k = g.shelf.after(from) {
		older = append(older, g.absentPiece(k))
		from = k.ending()
	}
	missing := to.link
	if missing.Name == "" {
		missing = from.link
	}
	slices.Reverse(newer)
	return append(append(older, g.hole(missing, life{start: from.at, end: to.at})), newer...)
}

// contradict tells whether one receiver is the next one of another by its name,
// and is not by its times or its numbers: then it is another of that name.
func contradict(from, to edge) bool {
	named := from.link == to.id || to.link == from.id || isNeighbour(from.id.Name, to.id.Name, 1)
	return named && !meet(from, to)
}

// meet tells whether nothing is missing between the end of one receiver and
// the beginning of another.
func meet(from, to edge) bool {
	return joins(from.at, to.at) && (from.link.Name == "" || from.link == to.id) &&
		(from.number == 0 || to.number <= 1 || from.number+1 == to.number)
}
