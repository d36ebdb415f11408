package run

import (
	"fmt"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

// missing is what is needed and nowhere: one segment, or a run of extents, of which
// every number between its ends is missing.
type missing struct {
	first, last recovery.SegmentID
	count       int // of extents
}

// appendMissing adds a segment to what is lost, newest first. An inventory has the
// ends of a run of lost extents; positions in it count extents.
func appendMissing(list []missing, s recovery.Segment) []missing {
	kind, number, err := observe.ParseExtent(s.ID.Name)
	if err != nil || kind != observe.LogExtent {
		return append(list, missing{s.ID, s.ID, 1})
	}
	run := missing{s.ID, s.ID, 1}
	if s.To > s.From {
		run.count = int(s.To-s.From) + 1
		run.last.Name = observe.ExtentName(number + run.count - 1)
	}
	if n := len(list); n > 0 {
		newer := &list[n-1]
		_, next, err := observe.ParseExtent(newer.first.Name)
		if err == nil && newer.first.QueueManager == s.ID.QueueManager && observe.ExtentDistance(number, next) == run.count {
			newer.first, newer.count = run.first, newer.count+run.count
			return list
		}
	}
	return append(list, run)
}

func (m missing) restored() Restored {
	one := Restored{Segment: m.first, State: plugins.Failed, Evidence: "it is needed, and neither on the system nor in a store"}
	if m.count > 1 {
		one.Last, one.Evidence = m.last, fmt.Sprintf("%d extents are needed, and neither on the system nor in a store", m.count)
	}
	return one
}

// Name names the segment, or the first and the last of several.
func (r Restored) Name() string {
	if r.Last == (recovery.SegmentID{}) {
		return r.Segment.String()
	}
	return r.Segment.String() + " .. " + r.Last.String()
}
