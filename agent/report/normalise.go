package report

import (
	"slices"

	"github.com/mqhk/mqhk/agent/ledger"
)

// Normalise makes every absent list of the record an empty one and every
// absent map an empty map, so that a reader of the JSON finds [] and {} where
// there is nothing, never null; and it names the schema where that is
// missing. What it changes it copies first: a record that shares lists with
// this one stays as it is.
func Normalise(record *ledger.Record) {
	if record.Schema == "" {
		record.Schema = ledger.Schema
	}
	record.Run.Plugins = filled(record.Run.Plugins)
	record.Targets = filled(record.Targets)
	for i := range record.Targets {
		normaliseTarget(&record.Targets[i])
	}
}

func normaliseTarget(target *ledger.Target) {
	target.Recovery.Needs = filled(target.Recovery.Needs)
	target.Segments = filled(target.Segments)
	target.Findings = filled(target.Findings)
	target.Unanswered = filled(target.Unanswered)
	target.Objects = filled(target.Objects)
	for i := range target.Objects {
		if target.Objects[i].Facts == nil {
			target.Objects[i].Facts = map[string]string{}
		}
	}
	target.Actions = filled(target.Actions)
	for i := range target.Actions {
		target.Actions[i].After = filled(target.Actions[i].After)
	}
	if target.Need != nil {
		need := *target.Need
		need.Steps, need.Rest, need.Hints = filled(need.Steps), filled(need.Rest), filled(need.Hints)
		target.Need = &need
	}
	target.Pictures = filled(target.Pictures)
	for i := range target.Pictures {
		target.Pictures[i].Points = filled(target.Pictures[i].Points)
		target.Pictures[i].Marks = filled(target.Pictures[i].Marks)
		target.Pictures[i].Rows = slices.Clone(target.Pictures[i].Rows)
		for j := range target.Pictures[i].Rows {
			target.Pictures[i].Rows[j].Spans = filled(target.Pictures[i].Rows[j].Spans)
		}
	}
}

// filled gives a copy that is never nil.
func filled[E any](list []E) []E {
	if len(list) == 0 {
		return []E{}
	}
	return slices.Clone(list)
}
