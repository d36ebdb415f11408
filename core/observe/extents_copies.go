package observe

import (
	"cmp"
	"slices"
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

// putBack is how far ahead of the current extent a copy may lie to show that the
// log was put back. One that seems to lie further ahead was made before the
// numbers began anew.
const putBack = 1_000_000

// keepCopies finds the copies that count: those that were read back, of this very
// log. Where nothing tells of which log one is, it counts by its name, and a
// person should know.
//
// Only what is complete was ever copied, so that a copy from ahead of the current
// extent is of another life of the queue manager.
func (g *extentGatherer) keepCopies() {
	log := sameLog{of: g.identity.String()}
	doubtful, ahead := 0, 0
	for _, c := range g.copies {
		if !c.Verified {
			continue
		}
		same, known := log.compare(c.Incarnation)
		if !same {
			continue
		}
		_, number, _ := ParseExtent(c.Segment.Name) // extentCopies has read it
		at := g.distance(number)
		if g.certain && at >= 0 {
			if known && at < putBack {
				ahead++
			}
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
	if ahead > 0 {
		g.open(finding.MarkWentBack, "the stores have %s of this log that are not complete yet: it was put back to an older state since", counted(ahead, "extent"))
	}
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
