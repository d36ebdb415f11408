package observe

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/recovery"
)

// extentCopies are the copies of extents: they have no library, and R extents
// are never archived (case 13).
var extentCopies = copyRules{func(id recovery.SegmentID) bool {
	kind, _, err := ParseExtent(id.Name)
	return id.Library == "" && err == nil && kind == LogExtent && id.Name == strings.ToUpper(id.Name)
}, "a log extent"}

// keptExtent is a verified copy of an extent of this log.
type keptExtent struct {
	at int
	recovery.Copy
}

// keepCopies finds the copies that count: those that were read back, of this very
// log. Where nothing tells of which log one is, it counts by its name, and a
// person should know.
//
// Only what is complete was ever copied: one from ahead of the current extent
// stands for none.
func (g *extentGatherer) keepCopies() {
	log := sameLog{of: g.identity.String()}
	doubtful := 0
	former := sameLog{of: withoutLife(g.identity.String())}
	for _, c := range g.copies {
		if !c.Verified {
			continue
		}
		same, known := log.compare(c.Incarnation)
		_, number, _ := ParseExtent(c.Segment.Name) // extentCopies has read it
		at := g.distance(number)
		if c.From != "" && c.From != strconv.Itoa(number) {
			g.open(finding.FactsUnreadable, "the manifest of %s in store %s is of the extent with number %s", c.Segment, c.Store, c.From)
			continue
		}
		if !same {
			if once, _ := former.compare(withoutLife(c.Incarnation)); once {
				g.former = append(g.former, at)
			} else {
				g.others = append(g.others, at)
			}
			continue
		}
		if g.certain && at >= 0 {
			continue
		}
		if !known {
			doubtful++
		}
		g.kept = append(g.kept, keptExtent{at, c})
	}
	slices.SortStableFunc(g.kept, func(a, b keptExtent) int { return cmp.Compare(a.at, b.at) })
	if doubtful > 0 {
		g.doubt("whether %s in the stores %s of this log (INCARNATION)", counted(doubtful, "copy"), map[bool]string{true: "is", false: "are"}[doubtful == 1])
	}
}

// noteOthers says that copies which a person would expect to be of use are of
// another log of the name: the queue manager was made anew, and its extents are
// numbered from the beginning again.
func (g *extentGatherer) noteOthers(low, top int) {
	useful := func(all []int) (count int) {
		for _, at := range all {
			number := ExtentNumber(g.zero + at)
			if at >= low && at <= top && !g.isListed(number) && !g.isKept(at) {
				count++
			}
		}
		return count
	}
	if count := useful(g.former); count > 0 {
		g.open(finding.CopiesOfAnother, "of extents that a recovery reads and that are not on the system the stores have %s from before the log was put back to an older state, which are of no use here (this one: %s)",
			counted(count, "copy"), g.identity)
	}
	if count := useful(g.others); count > 0 {
		g.open(finding.CopiesOfAnother, "of extents that a recovery reads and that are not on the system the stores have %s of another log of this name, which are of no use here: the queue manager was made anew, or begins another log (this one: %s)",
			counted(count, "copy"), g.identity)
	}
}

// isKept tells whether a store has a copy of this log of an extent.
func (g *extentGatherer) isKept(at int) bool {
	_, found := slices.BinarySearchFunc(g.kept, at, func(k keptExtent, at int) int { return cmp.Compare(k.at, at) })
	return found
}

// copiesOfLine gives the copies that stand for something: for an extent on the
// system, or for one that a recovery reads.
func (g *extentGatherer) copiesOfLine(low int) []recovery.Copy {
	var copies []recovery.Copy
	size := int64(0)
	if at, ok := g.numbered[g.zero]; ok {
		size = g.listed[at].Bytes
	}
	for _, k := range g.kept {
		at, listed := g.numbered[ExtentNumber(g.zero+k.at)]
		switch {
		case !listed && k.at < low:
		case listed && g.listed[at].Bytes == size && !g.listed[at].copiedBy(k.Copy):
		default:
			copies = append(copies, k.Copy)
		}
	}
	return copies
}

// copiedBy tells whether a copy may be one of this very file: of its size, and of
// its time of change where the manifest has it, by UTC, to the second. Numbers
// come again when a queue manager is put back to an older state.
func (e Extent) copiedBy(c recovery.Copy) bool {
	closed := stampOf(c.Closed)
	sameTime := closed.IsZero() || e.Modified.IsZero() || closed.Second().Equal(LocalStamp(e.Modified.UTC()).Second().Time)
	return sameTime && (c.Bytes == 0 || c.Bytes == e.Bytes)
}
