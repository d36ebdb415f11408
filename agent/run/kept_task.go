package run

import (
	"slices"
	"sort"
	"time"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/policies"
)

// keepTask writes down what a plugin planned for a job, and on what.
func keepTask(j job, by ledger.Plugin, plan plugins.Plan) KeptTask {
	t := KeptTask{
		Target: j.target.Name, Platform: string(j.target.Platform),
		Policy: j.policy.Name, PolicyDigest: policies.Digest(j.policy), Task: j.task.Name,
		Plugin: by, Strategy: j.task.Strategy.String(), Promise: promise(j.task.Strategy),
		Findings: append(append([]finding.Finding{}, plan.Findings...), plan.Decision.Findings...),
		Managers: []KeptManager{}, Actions: []KeptAction{},
	}
	for _, manager := range plan.Decision.Managers {
		t.Managers = append(t.Managers, keepManager(manager.Inventory))
		for i, s := range manager.Inventory.Segments {
			count(&t.Totals, s, manager.Verdicts[i])
		}
	}
	unsaved := unsavedSegments(plan)
	for _, a := range plan.Actions {
		t.Actions = append(t.Actions, keepAction(a, a.Kind == plugins.KindDelete && unsaved[a.Segment]))
	}
	return t
}

// keepManager writes down the marks of an inventory, and the segments from the
// oldest of them on.
func keepManager(inv recovery.Inventory) KeptManager {
	m := KeptManager{Name: inv.QueueManager, Incarnation: inv.Incarnation, Marks: []KeptMark{}, Line: []string{}}
	if !inv.Observed.IsZero() {
		m.Observed = inv.Observed.Format(time.RFC3339)
	}
	written := writtenOf(inv.Segments)
	oldest := len(written)
	for _, n := range inv.Needs {
		if isMark(n.Kind) {
			at := placeOf(written, n)
			oldest = min(oldest, max(at, 0))
			m.Marks = append(m.Marks, KeptMark{n.Kind.String(), n.Name, n.Entry, n.Source, at})
		}
	}
	for i := range m.Marks {
		m.Marks[i].Position -= oldest
	}
	for _, s := range written[oldest:] {
		m.Line = append(m.Line, lineName(s.ID))
	}
	return m
}

// isMark tells whether a need is a recovery point of the queue manager itself.
// Holds, notes and units of work come and go; these only move forward.
func isMark(k recovery.NeedKind) bool {
	switch k {
	case recovery.Restart, recovery.Media, recovery.Published, recovery.PageSet, recovery.Structure:
		return true
	default:
		return false
	}
}

// writtenOf leaves out the segments that hold no entries: they stand behind
// the newest, in no order.
func writtenOf(segments []recovery.Segment) []recovery.Segment {
	return slices.DeleteFunc(slices.Clone(segments), func(s recovery.Segment) bool {
		return s.State == recovery.Empty || s.State == recovery.Reuse
	})
}

// placeOf gives the index of the segment that a need names. Its range may
// begin in an older one, after a tie; where it names none, that one counts. -1
// when it lies before all of them.
func placeOf(segments []recovery.Segment, n recovery.Need) int {
	from := sort.Search(len(segments), func(i int) bool { return segments[i].From > n.From }) - 1
	if n.Name != "" {
		for i := max(from, 0); i < len(segments); i++ {
			if segments[i].ID.Name == n.Name {
				return i
			}
		}
	}
	return from
}

func lineName(id recovery.SegmentID) string {
	if id.Name == "" {
		return ""
	}
	return id.String()
}
