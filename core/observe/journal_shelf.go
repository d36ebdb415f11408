package observe

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/mqhk/mqhk/core/recovery"
)

// CopyKey tells the segments of a store apart. Names come again, and where a
// queue manager was put back to an older state so do attach times: only both
// times, to the second (case 2), and both sequence numbers together are one
// receiver. An extent has its number and the incarnation of the log.
type CopyKey struct {
	Segment        recovery.SegmentID
	Opened, Closed int64  // seconds of the wall clock, as if it were UTC; 0: not known
	First, Last    uint64 // 0: not known
	Incarnation    string
}

// KeyOf gives the key of a copy. A time or a number that can't be read is not
// known.
func KeyOf(c recovery.Copy) CopyKey {
	return CopyKey{c.Segment, secondOf(stampOf(c.Opened)), secondOf(stampOf(c.Closed)), number(c.From), number(c.To), c.Incarnation}
}

func secondOf(s Stamp) int64 {
	if s.IsZero() {
		return 0
	}
	return s.Unix()
}

// shelved is one receiver of which stores have copies.
type shelved struct {
	life
	key   CopyKey
	copy  recovery.Copy // a verified one, if any is
	whole bool          // one is verified; else all that is known is what there was
}

// edge is a receiver at whose beginning or end another one is looked for.
type edge struct {
	id     recovery.SegmentID
	at     Stamp              // when it was attached, or detached
	number uint64             // its first sequence number, or its last; 0: not known
	link   recovery.SegmentID // the neighbour that it names itself; empty: it names none
}

func (k *shelved) beginning() edge { return edge{id: k.key.Segment, at: k.start, number: k.key.First} }
func (k *shelved) ending() edge    { return edge{id: k.key.Segment, at: k.end, number: k.key.Last} }
func (r Receiver) beginning() edge { return edge{r.ID, r.Attach, r.First, r.Previous} }
func (r Receiver) ending() edge    { return edge{r.ID, r.Detach, r.Last, r.Next} }

// shelf holds the receivers that stores have copies of, and those names that
// stand for something else: what is listed, and what has a place already.
type shelf struct {
	all        []*shelved // by their attach times
	lives      map[recovery.SegmentID][]*shelved
	ends       seams // by detach time and last sequence number
	begins     seams // by attach time and first sequence number
	taken      map[recovery.SegmentID]bool
	unreserved int // behind it none is left to be looked at by beyond
}

// newShelf puts copies on a shelf: those with a detach time, since another may
// have been made while the receiver was attached, and is none.
func newShelf(copies []recovery.Copy, may func(recovery.SegmentID) bool) *shelf {
	s := &shelf{
		lives: make(map[recovery.SegmentID][]*shelved), taken: make(map[recovery.SegmentID]bool),
		ends: newSeams(), begins: newSeams(),
	}
	known := make(map[CopyKey]*shelved)
	for _, c := range copies {
		key := KeyOf(c)
		if key.Opened == 0 || key.Closed == 0 || !may(c.Segment) {
			continue
		}
		k := known[key]
		if k == nil {
			k = &shelved{life{start: stampOf(c.Opened), end: stampOf(c.Closed)}, key, c, false}
			known[key] = k
			s.all = append(s.all, k)
		}
		if c.Verified && !k.whole {
			k.copy, k.whole = c, true
		}
	}
	slices.SortStableFunc(s.all, func(a, b *shelved) int {
		return cmp.Or(cmp.Compare(a.key.Opened, b.key.Opened), cmp.Compare(a.key.First, b.key.First))
	})
	for _, k := range s.all {
		s.lives[k.key.Segment] = append(s.lives[k.key.Segment], k)
		s.ends.add(k.key.Closed, k.key.Last, k)
		s.begins.add(k.key.Opened, k.key.First, k)
	}
	s.unreserved = len(s.all) - 1
	return s
}

// seams finds receivers by a second and a sequence number, or by a second and
// the number in the name: in one second deep queues fill several receivers, and
// tests fill thousands.
type seams struct {
	numbered, named map[seam][]*shelved
	timed           map[int64][]*shelved
}

type seam struct {
	second int64
	number uint64
}

// odd stands for the number in a name that MQ does not give.
const odd = numbers

func newSeams() seams {
	return seams{make(map[seam][]*shelved), make(map[seam][]*shelved), make(map[int64][]*shelved)}
}

func (s seams) add(second int64, number uint64, k *shelved) {
	if number > 0 {
		s.numbered[seam{second, number}] = append(s.numbered[seam{second, number}], k)
	}
	in := seam{second, odd}
	if name, ok := readName(k.key.Segment.Name); ok {
		in.number = uint64(name.number)
	}
	s.named[in] = append(s.named[in], k)
	s.timed[second] = append(s.timed[second], k)
}

// near gives what may lie at an edge, give or take the second that joins
// allows: what has the wanted number, or the number in its name that a
// neighbour has. One receiver may stand in it twice.
func (s seams) near(e edge, wanted uint64, step int) []*shelved {
	name, generated := readName(e.id.Name)
	number := uint64(name.number+step+numbers) % numbers
	if link, ok := readName(e.link.Name); ok {
		number = uint64(link.number)
	} else if e.link.Name != "" {
		generated = false
	}
	var found []*shelved
	for second := secondOf(e.at) - 1; second <= secondOf(e.at)+1; second++ {
		if !generated {
			found = append(found, s.timed[second]...)
			continue
		}
		if wanted > 0 {
			found = append(found, s.numbered[seam{second, wanted}]...)
		}
		found = append(found, s.named[seam{second, number}]...)
		found = append(found, s.named[seam{second, odd}]...)
	}
	return found
}

// before gives the receiver that goes before another one. It joins by its
// times, since the system detaches the one and attaches the other in one
// moment, and by its numbers, where both are known and do not begin again at
// 1. Both are needed: an older state of the queue manager that went another way
// numbers its receivers alike. Clocks that went back do not matter, as nothing
// is put in order by time (case 3). Of several that join equally none is
// certain: then there is none.
func (s *shelf) before(next edge) *shelved {
	wanted := uint64(0)
	if next.number > 1 {
		wanted = next.number - 1
	}
	return s.best(next, s.ends.near(next, wanted, -1), -1, func(k *shelved) join {
		return join{k.end, wanted > 0 && k.key.Last == wanted, wanted > 0 && k.key.Last > 0 && k.key.Last != wanted}
	})
}

// after gives the receiver that goes after another one, likewise.
func (s *shelf) after(previous edge) *shelved {
	wanted := uint64(0)
	if previous.number > 0 {
		wanted = previous.number + 1
	}
	return s.best(previous, s.begins.near(previous, wanted, 1), 1, func(k *shelved) join {
		return join{k.start, wanted > 0 && k.key.First == wanted, wanted > 0 && k.key.First > 1 && k.key.First != wanted}
	})
}

// join is how a receiver lies at an edge.
type join struct {
	at           Stamp
	byNumber     bool
	contradicted bool // by its number
}

// best gives the one of some candidates that joins best: by its numbers, in
// the very second, by the name that the system gives to a neighbour. The edge's
// own link, where it has one, is a must; a time with neither numbers nor a name
// to it is no join.
func (s *shelf) best(e edge, candidates []*shelved, step int, lies func(*shelved) join) *shelved {
	var found *shelved
	most, equal := -1, false
	for _, k := range candidates {
		id, j := k.key.Segment, lies(k)
		if k == found || j.contradicted || s.taken[id] || id == e.id || e.link.Name != "" && e.link != id {
			continue
		}
		neighbour := isNeighbour(e.id.Name, id.Name, step)
		if !neighbour && !j.byNumber && e.link != id && areAlike(e.id.Name, id.Name) {
			continue
		}
		fit := 0
		if j.byNumber {
			fit += 4
		}
		if secondOf(j.at) == secondOf(e.at) {
			fit += 2
		}
		if neighbour {
			fit++
		}
		if fit >= most {
			found, most, equal = k, fit, fit == most
		}
	}
	if equal {
		return nil
	}
	return found
}

// beyond takes the newest receiver of which it can be said that it lies before
// a hole: older by its times and its numbers, with room between for what is
// missing, and the only one of its name.
func (s *shelf) beyond(next edge) *shelved {
	for ; s.unreserved >= 0; s.unreserved-- {
		k := s.all[s.unreserved]
		id := k.key.Segment
		switch {
		case s.taken[id] || len(s.lives[id]) > 1:
		case id == next.link || isNeighbour(next.id.Name, id.Name, -1):
		case k.leavesRoom(next):
			return k
		}
	}
	return nil
}

// leavesRoom tells whether a receiver ended before another one began, and
// something lies between. What ended in the same moment leaves room only if
// the numbers say so: media images of deep queues fill several receivers in a
// second.
func (k *shelved) leavesRoom(next edge) bool {
	if k.key.Opened > secondOf(next.at) || k.key.Closed > secondOf(next.at)+1 {
		return false
	}
	if next.number > 1 && k.key.Last > 0 {
		return k.key.Last+1 < next.number
	}
	return !joins(k.end, next.at)
}

// take gives a name to a place of the line: nothing else gets it.
func (s *shelf) take(id recovery.SegmentID) { s.taken[id] = true }

// number reads a sequence number of a manifest; 0 where it gives none.
func number(text string) uint64 {
	n, _ := strconv.ParseUint(text, 10, 64) // what is none joins nothing
	return n
}
