// Package journal prunes the journal receivers of IBM i queue managers. It
// only plans: core/observe learns the facts, core/recovery decides, and this
// package turns verdicts into ordered actions and adds what a person should
// know beside them. Where a task wants it, it plans media images too, which
// move the media recovery point, and tells afterwards whether they did.
package journal

import (
	"context"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

// Name is the plugin as tasks name it.
const Name = "journal"

// Plugin is the journal plugin. The zero value is ready.
type Plugin struct{ Version string }

var (
	_ plugins.Plugin    = Plugin{}
	_ plugins.Confirmer = Plugin{}
)

// Describe says what the plugin needs and what it may plan.
func (p Plugin) Describe() plugins.Description {
	return plugins.Description{
		Name:      Name,
		Version:   p.Version,
		Doc:       "Prunes the journal receivers of IBM i queue managers that no recovery needs.",
		Platforms: []observe.Platform{observe.IBMi},
		Languages: []observe.Language{observe.SQL, observe.UsrSpc, observe.File, observe.MQSC, observe.Space, observe.Store, observe.HoldOn, observe.Note, observe.History},
		Actions:   []plugins.Kind{plugins.KindCommand, plugins.KindArchive, plugins.KindDelete},
		Schema:    settings(),
	}
}

// Plan reads the journal of the target, decides, and orders what may go. Where
// the task records media images, the first round of a run plans them before
// the deletes, which do not wait for them, and asks to be planned again; what
// the images let go is planned then, from facts read anew.
func (p Plugin) Plan(ctx context.Context, request plugins.Request, host plugins.Host) (plugins.Plan, error) {
	host.Progress(0, 0, "reading the journal of "+request.Target.Name)
	facts, err := observe.ReadJournal(ctx, host, request.Target)
	if err != nil {
		return plugins.Plan{}, err
	}
	host.Log().Debug("journal read", "receivers", len(facts.Receivers), "open", len(facts.Inventory.Open))
	facts.Inventory.Open = append(facts.Inventory.Open, journalFindings(facts, request)...)
	decision := recovery.Decide([]recovery.Inventory{facts.Inventory}, request.Promise)
	images := planImages(ctx, facts, decision, request, host)
	plan := plugins.Plan{
		Decision: decision,
		Actions:  append(images.actions, actions(decision.Managers[0], request)...),
		Again:    len(images.actions) > 0,
	}
	plan.Findings = append(plan.Findings, facts.Inventory.Open...)
	plan.Findings = append(plan.Findings, p.pointFindings(ctx, facts, decision.Managers[0], request, host)...)
	plan.Findings = append(plan.Findings, images.findings...)
	host.Progress(1, 1, "planned")
	return plan, ctx.Err()
}
