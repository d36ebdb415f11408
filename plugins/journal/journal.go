// Package journal prunes the journal receivers of IBM i queue managers. It
// only plans: core/observe learns the facts, core/recovery decides, and this
// package turns verdicts into ordered actions and adds what a person should
// know beside them.
package journal

import (
	"context"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/schema"
)

// Name is the plugin as tasks name it.
const Name = "journal"

// Plugin is the journal plugin. The zero value is ready.
type Plugin struct{ Version string }

// Describe says what the plugin needs and what it may plan.
func (p Plugin) Describe() plugins.Description {
	return plugins.Description{
		Name:      Name,
		Version:   p.Version,
		Doc:       "Prunes the journal receivers of IBM i queue managers that no recovery needs.",
		Platforms: []observe.Platform{observe.IBMi},
		Languages: []observe.Language{observe.SQL, observe.UsrSpc, observe.File, observe.MQSC, observe.Store, observe.HoldOn, observe.Note, observe.History},
		Actions:   []plugins.Kind{plugins.KindArchive, plugins.KindDelete},
		Schema: schema.Schema{
			Doc: "Thresholds of the findings; they keep and delete nothing.",
			Fields: []schema.Field{
				{Name: "behind", Kind: schema.Int, Default: int64(20), Min: 1, Max: 1000000,
					Doc: "Receivers that a recovery point may lie behind the attached one before that is a finding."},
				{Name: "not_moving", Kind: schema.Duration, Default: defaultNotMoving, Min: int64(minute), Max: int64(366 * day),
					Doc: "How old the entry at a recovery point may be before that is a finding."},
				{Name: "long_chain", Kind: schema.Int, Default: int64(200), Min: 2, Max: 1000000,
					Doc: "Receivers in the chain above which its length is a finding."},
			},
		},
	}
}

// Plan reads the journal of the target, decides, and orders what may go.
func (p Plugin) Plan(ctx context.Context, request plugins.Request, host plugins.Host) (plugins.Plan, error) {
	host.Progress(0, 0, "reading the journal of "+request.Target.Name)
	facts, err := observe.ReadJournal(ctx, host, request.Target)
	if err != nil {
		return plugins.Plan{}, err
	}
	host.Log().Debug("journal read", "receivers", len(facts.Receivers), "open", len(facts.Inventory.Open))
	facts.Inventory.Open = append(facts.Inventory.Open, journalFindings(facts, request)...)
	decision := recovery.Decide([]recovery.Inventory{facts.Inventory}, request.Promise)
	plan := plugins.Plan{Decision: decision, Actions: actions(decision.Managers[0], request)}
	plan.Findings = append(plan.Findings, facts.Inventory.Open...)
	plan.Findings = append(plan.Findings, p.pointFindings(ctx, facts, decision.Managers[0], request, host)...)
	host.Progress(1, 1, "planned")
	return plan, nil
}
