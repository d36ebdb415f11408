package run

import (
	"context"
	"fmt"
	"strings"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
)

// look is what the host itself has seen of a target, whatever a plugin says.
type look struct {
	inventories []recovery.Inventory
	receivers   map[recovery.SegmentID]observe.Receiver
	there       map[recovery.SegmentID]recovery.Segment // those that are on the system
	started     string                                  // when the queue manager was started, as it says; empty: not asked, or not said
}

// lookAt observes a target. What could not be learned stands in the
// inventory, where it keeps everything; the error is that of the context, or
// says that nobody can observe such a platform yet.
func lookAt(ctx context.Context, asker observe.Asker, target observe.Target) (look, error) {
	if !observable(target) {
		return look{}, fmt.Errorf("target %s: on %s nothing can be applied", target, target.Platform)
	}
	facts, err := observe.ReadJournal(ctx, asker, target)
	if err != nil {
		return look{}, err
	}
	l := look{
		inventories: []recovery.Inventory{facts.Inventory},
		receivers:   make(map[recovery.SegmentID]observe.Receiver, len(facts.Receivers)),
		there:       make(map[recovery.SegmentID]recovery.Segment, len(facts.Receivers)),
	}
	for _, s := range facts.Inventory.Segments {
		if _, twice := l.there[s.ID]; s.State != recovery.Absent && !twice {
			l.there[s.ID] = s
		}
	}
	for _, r := range facts.Receivers {
		l.receivers[r.ID] = r
	}
	return l, nil
}

// observable tells whether the host itself can judge what may go on a target.
func observable(target observe.Target) bool { return target.Platform == observe.IBMi }

// whole says why the list of segments can't be relied on; empty: it can.
func (l look) whole() string {
	for _, inv := range l.inventories {
		for _, f := range inv.Open {
			if f.Severity == finding.Critical {
				return f.Text
			}
		}
	}
	return ""
}

// segment finds a segment that is on the system.
func (l look) segment(id recovery.SegmentID) (recovery.Segment, bool) {
	s, ok := l.there[id]
	return s, ok
}

// saved tells whether a verified copy of the segment is in a store.
func (l look) saved(id recovery.SegmentID) bool {
	_, ok := l.copyOf(id)
	return ok
}

// copyOf gives the verified copy of a segment.
func (l look) copyOf(id recovery.SegmentID) (recovery.Copy, bool) {
	for _, inv := range l.inventories {
		for _, c := range inv.Copies {
			if c.Segment == id && c.Verified {
				return c, true
			}
		}
	}
	return recovery.Copy{}, false
}

// present counts the segments on the system, and their bytes.
func (l look) present() (count int, bytes int64) {
	for _, inv := range l.inventories {
		for _, s := range inv.Segments {
			if s.State != recovery.Absent {
				count++
				bytes += s.Bytes
			}
		}
	}
	return count, bytes
}

// departed says why a later look is not at the same queue manager's log as an
// earlier one, going forward in time; empty: it is. Within one incarnation
// recovery points only move forward (design, The second key).
func departed(earlier, later look) string {
	if len(earlier.inventories) != len(later.inventories) {
		return "another number of queue managers answers"
	}
	if earlier.started != "" && later.started != "" && earlier.started != later.started {
		return fmt.Sprintf("the queue manager was started anew: it ran since %s, and since %s now", earlier.started, later.started)
	}
	for i, before := range earlier.inventories {
		after := later.inventories[i]
		switch {
		case before.QueueManager != after.QueueManager:
			return fmt.Sprintf("queue manager %s answers in place of %s", after.QueueManager, before.QueueManager)
		case before.Incarnation != after.Incarnation:
			return fmt.Sprintf("%s is not what it was: %q then, %q now", before.QueueManager, before.Incarnation, after.Incarnation)
		}
		if why := recovery.WentBack(before, after); why != "" {
			return strings.TrimSpace(before.QueueManager + ": " + why)
		}
	}
	return ""
}
