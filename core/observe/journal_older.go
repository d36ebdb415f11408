package observe

import (
	"slices"
	"strconv"

	"github.com/mqhk/mqhk/core/recovery"
)

// olderPieces gives what the store has of receivers older than the line, with
// a hole wherever they do not join. It goes back from the oldest receiver that
// is listed: each time to the copy that joins by its numbers and its times,
// else to the newest that is older by its time.
func (g *gatherer) olderPieces(line []piece, copies []recovery.Copy) []piece {
	if len(line) == 0 {
		return nil
	}
	shelf := newShelf(slices.DeleteFunc(slices.Clone(copies), func(c recovery.Copy) bool { return g.isListed(c.Segment) }))
	oldest := g.chain.receivers[0]
	next := follower{life: line[0].life, first: oldest.First, previous: oldest.Previous, listed: true}
	var older []piece // newest first
	for {
		c, ok := shelf.before(next)
		if !ok {
			slices.Reverse(older)
			return older
		}
		p := absentPiece(c)
		named := next.previous.Name == "" || next.previous == c.Segment
		if !joins(p.end, next.start) || !named {
			older = append(older, g.hole(next.previous, life{p.end, next.start}))
		}
		older = append(older, p)
		next = follower{life: p.life, first: number(c.From)}
	}
}

// follower is a receiver before which another one is looked for.
type follower struct {
	life
	first    uint64 // its first sequence number; 0: not known
	previous recovery.SegmentID
	listed   bool
}

// shelf holds copies, oldest first, of which each is taken once.
type shelf struct {
	copies []recovery.Copy
	taken  []bool
	newest int              // none behind it is left that is older by its time
	ending map[uint64][]int // indexes by the last sequence number
}

func newShelf(copies []recovery.Copy) *shelf {
	s := &shelf{copies: copies, taken: make([]bool, len(copies)), newest: len(copies) - 1, ending: make(map[uint64][]int)}
	for i, c := range copies {
		if last := number(c.To); last > 0 {
			s.ending[last] = append(s.ending[last], i)
		}
	}
	return s
}

// before takes the copy of the receiver before another one. Numbers that join
// decide where a wall clock that went back, or one second for several
// receivers, leaves it open (cases 2 and 3); numbers begin again at a reset, so
// that those which do not join say nothing.
func (s *shelf) before(next follower) (recovery.Copy, bool) {
	if next.first > 1 {
		for _, i := range s.ending[next.first-1] {
			if !s.taken[i] && joins(stampOf(s.copies[i].Closed), next.start) {
				return s.take(i), true
			}
		}
	}
	for ; s.newest >= 0; s.newest-- {
		if !s.taken[s.newest] && olderByTime(s.copies[s.newest], next) {
			return s.take(s.newest), true
		}
	}
	return recovery.Copy{}, false
}

func (s *shelf) take(i int) recovery.Copy {
	s.taken[i] = true
	return s.copies[i]
}

// olderByTime tells whether a copy is of a receiver that was attached before
// another one, or in the same second. Where that one is on the system and was
// detached in that second too, the copy may be of one that came after it.
func olderByTime(c recovery.Copy, next follower) bool {
	opened, start := stampOf(c.Opened).Second(), next.start.Second()
	if opened.Equal(start.Time) {
		return !next.listed || !next.end.Second().Equal(start.Time)
	}
	return opened.Before(start.Time)
}

// number reads a sequence number of a manifest; 0 where it gives none.
func number(text string) uint64 {
	n, _ := strconv.ParseUint(text, 10, 64) // what is none joins nothing
	return n
}
