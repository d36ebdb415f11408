package archive

import (
	"fmt"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

// actions turns verdicts into steps, by who removes extents.
func (v view) actions() []plugins.Action {
	switch v.manager.Inventory.Remover {
	case recovery.ByHousekeeper:
		return v.removals()
	case recovery.OnceReported:
		if v.request.Store != "" {
			return v.reports()
		}
	}
	return nil
}

// removals has each extent go after its copy is made and the one before it has
// gone: never in another order, never past a failure. Copies wait for nothing,
// so that several may be made at a time.
func (v view) removals() []plugins.Action {
	var steps []plugins.Action
	previous := ""
	for i, verdict := range v.manager.Verdicts {
		if !verdict.Kind.Goes() {
			continue
		}
		segment := v.manager.Inventory.Segments[i]
		var after []string
		if verdict.Kind == recovery.ArchiveDelete {
			save := v.step(plugins.KindArchive, len(steps), segment, verdict.Why)
			save.Store = v.request.Store
			steps = append(steps, save)
			after = append(after, save.ID)
		}
		if previous != "" {
			after = append(after, previous)
		}
		remove := v.step(plugins.KindDelete, len(steps), segment, verdict.Why)
		remove.After = after
		steps = append(steps, remove)
		previous = remove.ID
	}
	return steps
}

// reports has each extent that the queue manager waits to hear of archived, and
// then reported to it. Any order is allowed (SET LOG, case 36), so that one
// which can't be copied keeps no other back; the oldest come first. One of which
// this incarnation has a verified copy already is only reported.
func (v view) reports() []plugins.Action {
	copied := v.copied()
	var steps []plugins.Action
	for i, verdict := range v.manager.Verdicts {
		if verdict.Kind != recovery.Archive {
			continue
		}
		segment := v.manager.Inventory.Segments[i]
		why := "the queue manager keeps it until it is told that it is archived"
		var after []string
		if store, there := copied[segment.ID]; there {
			why = fmt.Sprintf("it is in store %s; %s", store, why)
		} else {
			save := v.step(plugins.KindArchive, len(steps), segment, verdict.Why)
			save.Store = v.request.Store
			steps = append(steps, save)
			after = []string{save.ID}
		}
		mark := v.step(plugins.KindMarkArchived, len(steps), segment, why)
		mark.After = after
		steps = append(steps, mark)
	}
	return steps
}

// copied gives the stores of verified copies that belong to the log as it is
// now. One of which that is not known may be of an earlier life of the queue
// manager, and archiving once more harms nothing.
func (v view) copied() map[recovery.SegmentID]string {
	found := make(map[recovery.SegmentID]string)
	for _, c := range v.manager.Inventory.Copies {
		if same, known := observe.SameLog(v.manager.Inventory.Incarnation, c.Incarnation); c.Verified && same && known {
			found[c.Segment] = c.Store
		}
	}
	return found
}

// step makes an action of one extent. It names the whole path: that is what
// will be gone, and the host holds it against its own look.
func (v view) step(kind plugins.Kind, n int, segment recovery.Segment, why string) plugins.Action {
	return plugins.Action{
		ID:           fmt.Sprintf("%s-%d", kind, n+1),
		QueueManager: segment.ID.QueueManager,
		Kind:         kind,
		Object:       v.facts.Log.Directory + "/" + segment.ID.Name,
		Segment:      segment.ID,
		Fingerprint:  segment.Fingerprint,
		Reason:       why,
	}
}

// removerFindings says who removes extents where that is not the task.
func (v view) removerFindings() []finding.Finding {
	name, log := v.request.Target.Name, v.facts.Log
	if v.manager.Inventory.Remover == recovery.ByHousekeeper || log.Type != observe.Linear && log.Type != observe.Replicated {
		return nil
	}
	says, once := "LogManagement="+string(log.Management), ""
	switch {
	case log.Type == observe.Replicated:
		says = "the log is REPLICATED"
	case v.manager.Inventory.Remover == recovery.OnceReported:
		once = " once they are superfluous and reported to it as archived"
	}
	found := []finding.Finding{finding.New(finding.ManagerRemoves,
		"%s: %s: the queue manager removes and reuses extents itself%s, and the strategy %s changes nothing about that", name, says, once, v.request.Promise.Strategy)}
	waiting := 0
	for _, verdict := range v.manager.Verdicts {
		if verdict.Kind == recovery.Archive {
			waiting++
		}
	}
	if waiting > 0 && v.request.Store == "" {
		found = append(found, finding.New(finding.StoreNotConfigured,
			"%s: the queue manager waits for word that %d of its extents are archived, and the task names no store: none is archived, and none of them goes", name, waiting))
	}
	return found
}
