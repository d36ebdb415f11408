package observe

import (
	"strconv"
	"strings"
	"time"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/recovery"
)

// fillShelf puts on the shelf what may stand for a receiver of this journal.
// Names that are listed are those of the system: a copy of such a name is of
// that very receiver, or stands for nothing.
func (g *gatherer) fillShelf() {
	type family struct{ library, stem string }
	families := make(map[family]bool)
	for _, r := range g.chain.receivers {
		families[family{r.ID.Library, stem(r.ID.Name)}] = true
	}
	g.shelf = newShelf(g.copies, func(id recovery.SegmentID) bool {
		return families[family{id.Library, stem(id.Name)}]
	})
	for id := range g.listed {
		g.shelf.take(id)
	}
}

// stem is what names of one journal begin with: the system names the next
// receiver by raising the number at the end of the last.
func stem(name string) string { return strings.TrimRight(name, "0123456789") }

// CopiedBy tells whether a copy is one of this receiver as it is now: both
// times and both numbers are compared, but for those that either does not give.
// Of a receiver that is attached there is no copy yet.
func (r Receiver) CopiedBy(c recovery.Copy) bool { return r.isKept(KeyOf(c)) }

func (r Receiver) isKept(key CopyKey) bool {
	return r.ID == key.Segment && r.State != recovery.Current && secondOf(r.Attach) == key.Opened &&
		(r.Detach.IsZero() || secondOf(r.Detach) == key.Closed) &&
		sameNumber(key.First, r.First) && sameNumber(key.Last, r.Last)
}

// sameNumber compares a sequence number of a manifest with that of the list;
// one that either does not give is not compared.
func sameNumber(a, b uint64) bool { return a == 0 || b == 0 || a == b }

// provenCopies gives the verified copies that stand for something, in the order
// of the line: those of its absent receivers, and those of receivers on the
// system. Of the latter a recovery reads those from needed on: such a copy
// counts only if it is the one that will be found when the receiver is gone,
// for else the receiver would be deleted on the strength of it and lost.
func (g *gatherer) provenCopies(line []piece, needed int) []recovery.Copy {
	var copies []recovery.Copy
	var doubtful []string
	for i, p := range line {
		k := p.kept
		if p.present {
			k = g.keptOf(g.listed[p.segment.ID])
		}
		if k == nil || !k.whole {
			continue
		}
		if p.present && i >= needed && !g.findsAgain(k, line[i+1:]) {
			doubtful = append(doubtful, p.segment.ID.String())
			continue
		}
		copies = append(copies, k.copy)
	}
	if n := len(doubtful); n > 0 {
		text := doubtful[0]
		if n > 1 {
			text = strconv.Itoa(n) + " receivers from " + text + " to " + doubtful[n-1]
		}
		g.open(finding.CopyAmbiguous, "the copy of %s would not be found with certainty once it has gone, since others in the stores join the chain as well or it does not itself: it counts as none", text)
	}
	return copies
}

// keptOf gives what the stores have of a receiver that is listed.
func (g *gatherer) keptOf(r Receiver) *shelved {
	for _, k := range g.shelf.lives[r.ID] {
		if k.whole && r.isKept(k.key) {
			return k
		}
	}
	return nil
}

// findsAgain tells whether a copy would be found in front of what follows, if
// nothing were listed any more. In front of a hole nothing is found, and
// nothing goes.
func (g *gatherer) findsAgain(k *shelved, rest []piece) bool {
	if len(rest) == 0 {
		return false
	}
	next := rest[0]
	e := edge{id: next.segment.ID, at: next.start}
	switch {
	case next.present:
		r := g.listed[next.segment.ID]
		e.number = r.First
	case next.kept != nil:
		e = next.kept.beginning()
	default:
		return true
	}
	taken := g.shelf.taken
	g.shelf.taken = nil
	found := g.shelf.before(e)
	g.shelf.taken = taken
	return found == k
}

func stampOf(text string) Stamp {
	s, _ := ParseStamp(text)
	return s
}

// absentPiece is a place whose receiver is only in a store, or was there until
// its copy was damaged.
func (g *gatherer) absentPiece(k *shelved) piece {
	g.shelf.take(k.key.Segment)
	return piece{k.life, recovery.Segment{
		ID: k.key.Segment, State: recovery.Absent, Opened: k.start.String(),
	}, false, k}
}

// hole is a place of which nothing is known but that something was there, and
// its name where a neighbour gives it and nothing else in the line has it.
func (g *gatherer) hole(id recovery.SegmentID, l life) piece {
	if id.Name == "" || g.shelf.taken[id] {
		id = recovery.SegmentID{QueueManager: g.target.Name, Library: g.facts.Journal.Library, Name: goneName}
	} else {
		g.shelf.take(id)
	}
	return piece{l, recovery.Segment{ID: id, State: recovery.Absent, Opened: l.start.String()}, false, nil}
}

// joins tells whether a receiver that was attached at opened follows one that
// was detached at closed: the system does both in one moment.
func joins(closed, opened Stamp) bool {
	return opened.Second().Sub(closed.Second().Time).Abs() <= time.Second
}
