package run

import (
	"slices"

	"github.com/mqhk/mqhk/agent/store"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

// logHere gives where this machine has the log that a plan saves of; empty: it
// has not, or nothing is saved.
func (r *planner) logHere(j job, plan plugins.Plan) string {
	for _, a := range plan.Actions {
		if a.Kind == plugins.KindArchive {
			return r.Gate.LogHere(j.target, a.Object)
		}
	}
	return ""
}

// storeFindings says what is wrong with the store that a plan saves to, of a log
// at a path of this machine, or elsewhere.
func (r *planner) storeFindings(j job, log string) []finding.Finding {
	name := j.task.Store
	known, ok := r.Stores[name]
	one := func(code finding.Code, format string, args ...any) []finding.Finding {
		return []finding.Finding{finding.About(j.target.Name, code, format, args...)}
	}
	switch {
	case name == "":
		return one(finding.StoreNotConfigured, "the task names no store to save to; an apply would save nothing, and let go only what needs no copy")
	case !ok:
		return one(finding.StoreNotConfigured, "store %s is not configured; an apply would save nothing, and let go only what needs no copy", name)
	case j.target.Platform == observe.IBMi && known.Library == "":
		return one(finding.StoreUnfit, "store %s names no library for save files, and a receiver can only be read through one", name)
	}
	switch unfit := r.unfit(name, log); {
	case unfit != nil:
		return one(finding.StoreUnfit, "store %s takes no copies: %v; an apply would save nothing, and let go only what needs no copy", name, unfit)
	case known.Disk:
		return one(finding.StoreSameDisk, "store %s may lie on the file system of the log (same_filesystem = true): one failure takes both", name)
	}
	return nil
}

// unfit says why a store would take no copy of a log, as far as this machine can
// tell before it is tried.
func (r *planner) unfit(name, log string) error {
	if keeper, ok := r.Keepers[name].(*store.Directory); ok {
		return keeper.Fit(log)
	}
	return nil
}

// storeless tells whether no store takes what a plan saves.
func (r *planner) storeless(j job, plan plugins.Plan) bool {
	return slices.ContainsFunc(r.storeFindings(j, r.logHere(j, plan)), func(f finding.Finding) bool {
		return f.Code == finding.StoreNotConfigured || f.Code == finding.StoreUnfit
	})
}

// withoutArchives skips what a plan saves where no store takes it, with the
// reason once in the findings, and gives the other actions.
func (a *applier) withoutArchives(plan plugins.Plan) []plugins.Action {
	if !a.storeless(a.job, plan) {
		return plan.Actions
	}
	var archives, others []plugins.Action
	for _, action := range plan.Actions {
		if action.Kind == plugins.KindArchive {
			archives = append(archives, action)
		} else {
			others = append(others, action)
		}
	}
	a.skipAll(archives, "no store takes it")
	return others
}

// waiting gives what of a plan stays where no store takes what it saves: each
// segment that is saved first, and those behind it.
func waiting(plan plugins.Plan) (segments int, bytes int64) {
	sizes := make(map[recovery.SegmentID]int64)
	for _, manager := range plan.Decision.Managers {
		for _, s := range manager.Inventory.Segments {
			sizes[s.ID] = s.Bytes
		}
	}
	stays := make(map[string]bool)
	for _, a := range plan.Actions {
		if a.Kind != plugins.KindArchive && !slices.ContainsFunc(a.After, func(id string) bool { return stays[id] }) {
			continue
		}
		stays[a.ID] = true
		if a.Kind == plugins.KindDelete {
			segments++
			bytes += sizes[a.Segment]
		}
	}
	return segments, bytes
}
