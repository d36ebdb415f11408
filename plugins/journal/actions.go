package journal

import (
	"fmt"

	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

// actions turns verdicts into steps: each receiver is saved before it goes,
// and goes after the one before it has gone (case 9: never in another order,
// never past a failure).
func actions(manager recovery.ManagerDecision, request plugins.Request) []plugins.Action {
	var steps []plugins.Action
	var previous string
	for i, verdict := range manager.Verdicts {
		segment := manager.Inventory.Segments[i]
		if !verdict.Kind.Goes() {
			continue
		}
		var after []string
		if verdict.Kind == recovery.ArchiveDelete {
			save := step(plugins.KindArchive, len(steps), segment, verdict)
			save.Store = request.Store
			steps = append(steps, save)
			after = append(after, save.ID)
		}
		if previous != "" {
			after = append(after, previous)
		}
		remove := step(plugins.KindDelete, len(steps), segment, verdict)
		remove.After = after
		steps = append(steps, remove)
		previous = remove.ID
	}
	return steps
}

func step(kind plugins.Kind, n int, segment recovery.Segment, verdict recovery.Verdict) plugins.Action {
	return plugins.Action{
		ID:           fmt.Sprintf("%s-%d", kind, n+1),
		QueueManager: segment.ID.QueueManager,
		Kind:         kind,
		Object:       segment.ID.String(),
		Segment:      segment.ID,
		Fingerprint:  segment.Fingerprint,
		Reason:       verdict.Why,
	}
}
