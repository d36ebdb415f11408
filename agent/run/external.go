package run

import (
	"fmt"
	"slices"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

// externalStore is the kind of store of which the site takes care: mqhk saves
// nothing, and holds a segment until the system itself says that it was saved.
const externalStore = "external"

// awaitSite has all that a plan would save wait for the site's own save, and
// what goes after it behind that.
func awaitSite(j job, plan *plugins.Plan) {
	held := make(map[recovery.SegmentID]bool)
	for m := range plan.Decision.Managers {
		awaitManager(j.task.Store, &plan.Decision.Managers[m], held)
	}
	if len(held) == 0 {
		return
	}
	gone := make(map[string]bool)
	plan.Actions = slices.DeleteFunc(plan.Actions, func(a plugins.Action) bool {
		if held[a.Segment] || slices.ContainsFunc(a.After, func(id string) bool { return gone[id] }) {
			gone[a.ID] = true
			return true
		}
		return false
	})
	plan.Findings = append(plan.Findings, finding.New(finding.NotSaved, "%s: not deleted until the site has saved them, or those before them: %s; store %s is external",
		j.target.Name, j.target.Platform.Pieces(len(held)), j.task.Store))
}

func awaitManager(store string, m *recovery.ManagerDecision, held map[recovery.SegmentID]bool) {
	var first recovery.SegmentID
	m.Verdicts = slices.Clone(m.Verdicts)
	for i := range m.Verdicts {
		v, id := &m.Verdicts[i], m.Inventory.Segments[i].ID
		switch {
		case v.Kind == recovery.ArchiveDelete:
			*v = recovery.Verdict{Kind: recovery.HoldBack, Reason: string(finding.NotSaved), Why: fmt.Sprintf("store %s is external: it waits until the site has saved it", store)}
			held[id] = true
			if first.Name == "" {
				first = id
			}
		case v.Kind.Goes() && m.Inventory.Ordered && first.Name != "":
			*v = recovery.Verdict{Kind: recovery.HoldBack, Reason: "behind", Why: "waits behind " + first.String() + ": segments go oldest first"}
			held[id] = true
		}
	}
	if first.Name != "" { // what no recovery reads may go; all that one reads stays
		m.Outlook = recovery.Decide([]recovery.Inventory{m.Inventory}, recovery.Promise{}).Managers[0].Outlook
	}
}
