package points

import (
	"slices"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

// AfterImages says what may go now and the most that could go after the images.
// The piece is what the platform calls a piece of the log: receiver, extent.
func AfterImages(manager recovery.ManagerDecision, request plugins.Request, piece string) finding.Finding {
	present, now, later := 0, Goes(manager), Goes(WithImages(manager.Inventory, request.Promise))
	bytes := [2]int64{}
	for _, s := range manager.Inventory.Segments {
		if s.State != recovery.Absent && holdsEntries(s) {
			present++
		}
		if now[s.ID] {
			bytes[0] += s.Bytes
		}
		if later[s.ID] {
			bytes[1] += s.Bytes
		}
	}
	return finding.New(finding.AfterImages, "%s: of %s at most %d (%s) could go after the images; %d (%s) may go as it is",
		request.Target.Name, Pieces(present, piece), len(later), SizeUp(bytes[1]), len(now), SizeDown(bytes[0]))
}

// WithImages decides as if the images lay in a piece that is still to come and
// every recovery began there: a recording of images takes a checkpoint too, which
// moves the restart point as far as units of work allow (reference, IBM i 3.1,
// 3.2; "Checkpoints in WebSphere MQ logging"), and those may have ended by then.
// Holds stay, and so does what could not be learned. As long as no more of them
// are saved, no later plan lets one of these pieces go that this one keeps,
// wherever the points are then.
//
// Limits are left out, since they hold for a run and not for good; the counts of
// pieces to keep too, since images may fill more than one. So is, but under
// conservative, that an unsaved piece waits: while a recovery still needs it, it
// is saved first and goes.
func WithImages(inventory recovery.Inventory, promise recovery.Promise) recovery.ManagerDecision {
	inventory.Segments = slices.Clone(inventory.Segments)
	inventory.Needs = slices.Clone(inventory.Needs)
	next := recovery.Segment{ID: recovery.SegmentID{QueueManager: inventory.QueueManager}, State: recovery.Current, From: 1, To: 1}
	for i := range inventory.Segments {
		s := &inventory.Segments[i]
		next.From, next.To = s.To+1, s.To+1
		if s.State == recovery.Current {
			s.State = recovery.Online // another is written by then
		}
	}
	inventory.Segments = append(inventory.Segments, next)
	for i := range inventory.Needs {
		if need := &inventory.Needs[i]; need.Kind != recovery.Hold {
			need.From, need.Name = next.From, ""
		}
	}
	promise.MaxDeletes, promise.MaxPercent = 0, 0
	promise.Margin, promise.KeepNewest = 0, 0
	if promise.Strategy != recovery.Conservative && promise.Unsaved == recovery.HoldUnsaved {
		promise.Unsaved = recovery.SaveUnsaved
	}
	return recovery.Decide([]recovery.Inventory{inventory}, promise).Managers[0]
}

// Goes gives the segments that leave the system.
func Goes(manager recovery.ManagerDecision) map[recovery.SegmentID]bool {
	found := make(map[recovery.SegmentID]bool)
	for i, v := range manager.Verdicts {
		if v.Kind.Goes() {
			found[manager.Inventory.Segments[i].ID] = true
		}
	}
	return found
}
