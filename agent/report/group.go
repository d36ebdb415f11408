package report

import (
	"cmp"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/finding"
)

// group is one job on one target as several policies would do it: their plans
// are alternatives to each other, over one observation. Mostly it is one
// policy alone.
type group struct{ plans []ledger.Target }

// groups puts the plans of the same plugin for the same target together, in
// order of first appearance. Two plugins on one target do different jobs.
func groups(targets []ledger.Target) []group {
	type key struct{ name, platform, plugin string }
	var result []group
	index := map[key]int{}
	for _, target := range targets {
		k := key{target.Name, target.Platform, target.Plugin}
		at, seen := index[k]
		if !seen {
			at = len(result)
			index[k] = at
			result = append(result, group{})
		}
		result[at].plans = append(result[at].plans, target)
	}
	return result
}

// alternatives tells whether the plans exclude each other.
func (g group) alternatives() bool { return len(g.plans) > 1 }

// label names one plan of the group: by its policy, and by its task where the
// policy alone would not tell it from another.
func (g group) label(plan ledger.Target) string {
	same := 0
	for _, other := range g.plans {
		if other.Policy == plan.Policy {
			same++
		}
	}
	name := cmp.Or(plan.Policy, "(no policy)")
	if same > 1 {
		name += ", task " + plan.Task
	}
	return name
}

// critical counts the critical findings of a target. One is enough to keep
// everything there.
func critical(target ledger.Target) int {
	n := 0
	for _, f := range target.Findings {
		if f.Severity >= finding.Critical {
			n++
		}
	}
	return n
}
