package archive

import (
	"fmt"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/points"
)

// actions turns verdicts into steps, by who removes extents.
func (v view) actions() []plugins.Action {
	switch v.manager.Inventory.Remover {
	case recovery.ByHousekeeper:
		return v.removals()
	default:
		if v.request.Store != "" {
			return v.copies()
		}
		return nil
	}
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
			save := v.save(len(steps), segment, verdict.Why)
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

// copies has each extent archived that is to be, where the queue manager removes
// extents itself: those that it waits to hear of are then reported to it, and
// those that only the site needs, or that the promise keeps, are not. Any order is allowed (SET LOG, case 36), so that one which can't
// be copied keeps no other back; the oldest come first. One of which this
// incarnation has a verified copy already is only reported.
func (v view) copies() []plugins.Action {
	copied := v.copied()
	var steps []plugins.Action
	for i, verdict := range v.manager.Verdicts {
		if verdict.Kind != recovery.Archive {
			continue
		}
		segment := v.manager.Inventory.Segments[i]
		if !v.manager.ToReport(i) {
			steps = append(steps, v.save(len(steps), segment, verdict.Why))
			continue
		}
		why := "the queue manager keeps it until it is told that it is archived"
		var after []string
		if store, there := copied[segment.ID]; there {
			why = fmt.Sprintf("it is in store %s; %s", store, why)
		} else {
			save := v.save(len(steps), segment, verdict.Why)
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

// save makes the action that archives an extent to the store of the task.
func (v view) save(n int, segment recovery.Segment, why string) plugins.Action {
	save := v.step(plugins.KindArchive, n, segment, why)
	save.Store = v.request.Store
	return save
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
	if v.manager.Inventory.Remover == recovery.ByHousekeeper || log.Type != observe.Linear && log.Type != observe.Replicated || log.Type == observe.Linear && log.Management == "" {
		return nil // it does not, or nobody knows, and a finding says so
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
	return append(found, v.storeMissing(name)...)
}

// storeMissing says what a task without a store leaves undone where the queue
// manager removes extents itself.
func (v view) storeMissing(name string) []finding.Finding {
	if v.request.Store != "" {
		return nil
	}
	waiting := 0
	var unkept []recovery.SegmentID // that nothing keeps but the queue manager, which knows nothing of what needs them
	why := ""
	for i, verdict := range v.manager.Verdicts {
		switch {
		case v.manager.ToReport(i):
			waiting++
		case verdict.Kind == recovery.Archive:
			unkept, why = append(unkept, v.manager.Inventory.Segments[i].ID), verdict.Why
		}
	}
	var found []finding.Finding
	if len(unkept) > 0 {
		which := points.Pieces(len(unkept), piece) + ", " + unkept[0].Name
		if len(unkept) > 1 {
			which += " to " + unkept[len(unkept)-1].Name
		}
		found = append(found, finding.New(finding.BackupNotKept, "%s: %s: %s; the task names no store, so that no copy is made", name, which, why))
	}
	if waiting > 0 {
		found = append(found, finding.New(finding.StoreNotConfigured,
			"%s: the queue manager waits for word that %d of its extents are archived, and the task names no store: none is archived, and none of them goes", name, waiting))
	}
	return found
}
