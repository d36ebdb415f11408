package run

import (
	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
)

// mostDots is how many segments a picture shows at the most: beyond it the
// middle of long runs of one verdict is left out.
const mostDots = 60

// timeline draws the line of one queue manager's log: the segments in order,
// the recovery points among them, and the cut before which everything goes.
func timeline(manager recovery.ManagerDecision) (ledger.Picture, bool) {
	segments := manager.Inventory.Segments
	if len(segments) == 0 {
		return ledger.Picture{}, false
	}
	shown := choose(manager)
	picture := ledger.Picture{Kind: "timeline", Title: titleOf(manager.Inventory), Points: []ledger.Dot{}, Marks: []ledger.Mark{}}
	place := make(map[int]int, len(segments)) // index of a segment to index of its dot
	for i, s := range segments {
		if !shown[i] {
			picture.Hidden++
			continue
		}
		place[i] = len(picture.Points)
		picture.Points = append(picture.Points, ledger.Dot{Name: s.ID.Name, At: s.Opened, Verdict: manager.Verdicts[i].Kind.String(), State: s.State.String()})
	}
	for _, need := range manager.Inventory.Needs {
		if i := at(segments, need.From); i >= 0 {
			picture.Marks = append(picture.Marks, ledger.Mark{Kind: need.Kind.String(), Point: place[i], At: need.Entry})
		}
	}
	if manager.Cut > 0 && manager.Cut < len(segments) {
		picture.Cut = place[manager.Cut]
	}
	return picture, true
}

// titleOf says whose log it is, and where: of what a log of extents belongs to
// only that is of use to people.
func titleOf(inv recovery.Inventory) string {
	folder, ofExtents := observe.LogOf(inv.Incarnation)
	switch {
	case !ofExtents:
		return inv.Incarnation
	case folder == "":
		return inv.QueueManager
	default:
		return inv.QueueManager + ", log in " + folder
	}
}

func at(segments []recovery.Segment, p recovery.Position) int {
	for i := len(segments) - 1; i >= 0; i-- {
		if segments[i].From <= p {
			return i
		}
	}
	return -1
}

// choose picks the segments to show: the ends of each run of one verdict,
// those with a recovery point, the cut and its neighbour, and as much of the
// rest as there is room for, from the newest back.
func choose(manager recovery.ManagerDecision) []bool {
	segments := manager.Inventory.Segments
	shown := make([]bool, len(segments))
	left := mostDots
	show := func(i int) {
		if i >= 0 && i < len(shown) && !shown[i] {
			shown[i] = true
			left--
		}
	}
	show(0)
	show(len(segments) - 1)
	show(manager.Cut)
	show(manager.Cut - 1)
	for _, need := range manager.Inventory.Needs {
		show(at(segments, need.From))
	}
	for i := 1; i < len(segments) && left > 0; i++ {
		if manager.Verdicts[i].Kind != manager.Verdicts[i-1].Kind {
			show(i - 1)
			show(i)
		}
	}
	for i := len(segments) - 1; i >= 0 && left > 0; i-- {
		show(i)
	}
	return shown
}
