package observe

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/recovery"
)

// wholeCopies gives the verified copies of whole receivers, oldest first: of
// what is on the system only those of that very receiver, told by its times,
// since names come again (case 5); of what is not, the newest of each name. A
// copy without a detach time may have been made while the receiver was
// attached: it is none.
func (g *gatherer) wholeCopies() []recovery.Copy {
	kept := make(map[recovery.SegmentID]recovery.Copy)
	for _, c := range g.copies {
		opened, closed := stampOf(c.Opened), stampOf(c.Closed)
		if !c.Verified || closed.IsZero() {
			continue
		}
		if r, present := g.listed[c.Segment]; present && !r.isCopied(c) || !present && !g.mayStandFor(c.Segment) {
			continue
		}
		if other, ok := kept[c.Segment]; !ok || stampOf(other.Opened).Before(opened.Time) {
			kept[c.Segment] = c
		}
	}
	copies := make([]recovery.Copy, 0, len(kept))
	for _, c := range kept {
		copies = append(copies, c)
	}
	slices.SortFunc(copies, compareCopies)
	return copies
}

// compareCopies puts copies in order by their attach times. Media images of
// deep queues fill several receivers in a second: of these the sequence numbers
// tell, and without numbers the names.
func compareCopies(a, b recovery.Copy) int {
	return cmp.Or(stampOf(a.Opened).Compare(stampOf(b.Opened).Time),
		cmp.Compare(number(a.From), number(b.From)), strings.Compare(a.Segment.String(), b.Segment.String()))
}

// isCopied tells whether a copy with such times is one of this receiver as it
// is now. A detach time that the list does not give is not compared.
func (r Receiver) isCopied(c recovery.Copy) bool {
	return r.Attach.Second().Equal(stampOf(c.Opened).Second().Time) &&
		(r.Detach.IsZero() || r.Detach.Second().Equal(stampOf(c.Closed).Second().Time)) &&
		sameNumber(c.From, r.First) && sameNumber(c.To, r.Last)
}

// sameNumber compares a sequence number of a manifest with that of the list;
// one that either does not give is not compared.
func sameNumber(text string, number uint64) bool {
	return text == "" || number == 0 || text == strconv.FormatUint(number, 10)
}

// mayStandFor tells whether a receiver that is not listed can have been one of
// this journal: in a library of it, and named as the system names the next
// one, by raising the number at the end of the last.
func (g *gatherer) mayStandFor(id recovery.SegmentID) bool {
	for _, r := range g.chain.receivers {
		if r.ID.Library == id.Library && stem(r.ID.Name) == stem(id.Name) {
			return true
		}
	}
	return false
}

func stem(name string) string { return strings.TrimRight(name, "0123456789") }

// placedCopies gives those copies that stand for something: for a receiver on
// the system, or for a place in the line. Any other copy of the same name must
// not pass for what is missing.
func (g *gatherer) placedCopies(line []piece, copies []recovery.Copy) []recovery.Copy {
	placed := make(map[recovery.SegmentID]bool, len(line))
	for _, p := range line {
		placed[p.segment.ID] = true
	}
	return slices.DeleteFunc(slices.Clone(copies), func(c recovery.Copy) bool { return !placed[c.Segment] })
}

func stampOf(text string) Stamp {
	s, _ := ParseStamp(text)
	return s
}

// absentPiece is a place whose receiver is only in a store.
func absentPiece(c recovery.Copy) piece {
	return piece{life{stampOf(c.Opened), stampOf(c.Closed)}, recovery.Segment{
		ID: c.Segment, State: recovery.Absent, Opened: stampOf(c.Opened).String(),
	}, false}
}

// hole is a place of which nothing is known but that something was there. It
// has no name that a copy has: that one stands for something else.
func (g *gatherer) hole(id recovery.SegmentID, l life) piece {
	copied := func(c recovery.Copy) bool { return c.Verified && c.Segment == id }
	if id.Name == "" || slices.ContainsFunc(g.copies, copied) {
		id = recovery.SegmentID{QueueManager: g.target.Name, Library: g.facts.Journal.Library, Name: goneName}
	}
	return piece{l, recovery.Segment{ID: id, State: recovery.Absent, Opened: l.start.String()}, false}
}

// fillBreaks puts what is missing into the breaks of the chain.
func (g *gatherer) fillBreaks(line []piece, copies []recovery.Copy) []piece {
	for i := len(g.chain.breaks) - 1; i >= 0; i-- {
		at := g.chain.breaks[i]
		before, after := g.chain.receivers[at-1], g.chain.receivers[at]
		g.open(finding.ChainBreak, "nothing is listed between %s and %s", before.ID, after.ID)
		missing := g.bridge(before, after, copies)
		line = slices.Insert(line, at, missing...)
	}
	return line
}

// bridge gives the pieces that lead from one receiver to another: copies that
// join without a gap and have the names that the links give, else what there
// is of them and a hole.
func (g *gatherer) bridge(before, after Receiver, copies []recovery.Copy) []piece {
	from, named, to := before.Detach, before.Next, after.Attach
	if from.IsZero() {
		return []piece{g.hole(named, life{from, to})}
	}
	var pieces []piece
	at := from
	for _, c := range copies {
		opened, closed := stampOf(c.Opened), stampOf(c.Closed)
		if g.isListed(c.Segment) || opened.Before(from.Second().Time) || closed.Second().After(to.Time) {
			continue
		}
		if len(pieces) == 0 && named.Name != "" && c.Segment != named {
			continue
		}
		if !joins(at, opened) {
			pieces = append(pieces, g.hole(recovery.SegmentID{}, life{at, opened}))
		}
		pieces = append(pieces, absentPiece(c))
		at = closed
	}
	if len(pieces) == 0 {
		return []piece{g.hole(named, life{from, to})}
	}
	if !joins(at, to) || !after.follows(pieces[len(pieces)-1].segment.ID) {
		pieces = append(pieces, g.hole(after.Previous, life{at, to}))
	}
	return pieces
}

// follows tells whether a receiver may be the one after another: where it
// names its previous one, that is it.
func (r Receiver) follows(id recovery.SegmentID) bool {
	return r.Previous.Name == "" || r.Previous == id
}

// joins tells whether a receiver that was attached at opened follows one that
// was detached at closed: the system does both in one moment.
func joins(closed, opened Stamp) bool {
	return opened.Second().Sub(closed.Second().Time).Abs() <= time.Second
}

func (g *gatherer) isListed(id recovery.SegmentID) bool {
	_, present := g.listed[id]
	return present
}
