package archive

import (
	"context"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

// piece is what a segment is called on Multiplatforms.
const piece = "extent"

// planExtents plans the log of one queue manager on Multiplatforms.
func planExtents(ctx context.Context, request plugins.Request, host plugins.Host) (plugins.Plan, error) {
	host.Progress(0, 0, "reading the log of "+request.Target.Name)
	facts, err := observe.ReadExtents(ctx, host, request.Target)
	if err != nil {
		return plugins.Plan{}, err
	}
	host.Log().Debug("log read", "extents", len(facts.Extents), "reuse", len(facts.Reuse), "open", len(facts.Inventory.Open))
	facts.Inventory.Open = append(facts.Inventory.Open, logFindings(facts, request)...)
	decision := recovery.Decide([]recovery.Inventory{facts.Inventory}, request.Promise)
	manager := decision.Managers[0]
	v := view{facts: facts, manager: manager, request: request, host: host}
	images := v.planImages(ctx, decision)
	steps := v.actions()
	plan := plugins.Plan{
		Decision: decision,
		Actions:  append(images.actions, steps...),
		Again:    len(images.actions) > 0,
	}
	plan.Findings = append(plan.Findings, facts.Inventory.Open...)
	plan.Findings = append(plan.Findings, v.removerFindings()...)
	plan.Findings = append(plan.Findings, v.pointFindings(ctx)...)
	plan.Findings = append(plan.Findings, v.joinFindings()...)
	plan.Findings = append(plan.Findings, images.findings...)
	host.Progress(1, 1, "planned")
	return plan, ctx.Err()
}

// view is a log as it was read, and what was decided of it.
type view struct {
	facts   observe.ExtentFacts
	manager recovery.ManagerDecision
	request plugins.Request
	host    plugins.Host
}
