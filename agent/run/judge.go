package run

import (
	"context"
	"errors"
	"time"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

// judge holds against a plan what the host itself sees: on the very answers
// that the plugin had, so that no question is asked twice. What may not be
// done is found in a dry run as well.
func (r *planner) judge(ctx context.Context, j job, p *jobPlan, seen *observation, refused []finding.Finding) error {
	var err error
	if !observe.Observable(j.target) { // whatever its plugin plans is shown
		r.block(p, refused)
		return nil
	}
	view := seen.view()
	if p.seen, err = lookAt(ctx, view, j.target); err != nil {
		return err
	}
	p.observed()
	if r.Gate.Mode() == connect.Apply { // a start between the plan and the first delete is noticed too
		p.seen.started = observe.ReadStart(ctx, view, j.target)
	}
	if err := r.remember(ctx, p.seen); err != nil {
		return err
	}
	if r.wasPutBack(j.target.Name, p.seen.putBack) {
		refused = append(refused, finding.New(finding.MarkWentBack, "%s: this run found that the log was put back to an older state; the next one goes on with it", j.target.Name))
	}
	unknown, err := r.ledgerFindings(ctx, j)
	if err != nil {
		return err
	}
	refused = append(refused, unknown...)
	if len(refused) == 0 {
		refused = astray(j, p)
	}
	if len(refused) == 0 {
		refused = r.disagreements(j, p)
	}
	if len(refused) == 0 && j.kept == nil { // a kept plan has no verdicts of its own
		refused = contradicted(j, p.plan)
	}
	r.block(p, refused)
	return nil
}

// observed writes down when the host saw the target, where the plugin's plan says
// nothing of its log: such a target is known by the next run all the same.
func (p *jobPlan) observed() {
	for _, inv := range p.seen.inventories {
		if p.record.Observed == "" && !inv.Observed.IsZero() {
			p.record.Observed = inv.Observed.Format(time.RFC3339)
		}
	}
}

// disagreements says what of a plan the second key does not let go. What the
// task's own policy keeps is a plugin's mistake or lie; what only another
// policy keeps is worth a warning where plans are compared, and ends an apply.
func (r *planner) disagreements(j job, p *jobPlan) []finding.Finding {
	all := r.bindings(j)
	if why := newSecondKey(j.target, all[:1], p.seen, r.Now, nil).disagrees(p.plan.Actions); why != nil {
		return []finding.Finding{finding.New(why.Code, "%s", why.Why)}
	}
	why := newSecondKey(j.target, all, p.seen, r.Now, nil).disagrees(p.plan.Actions)
	switch {
	case why == nil:
		return nil
	case r.Gate.Mode() == connect.Apply:
		return []finding.Finding{finding.New(why.Code, "%s", why.Why)}
	default:
		return []finding.Finding{finding.New(finding.OtherPolicyKeeps, "%s", why.Why)}
	}
}

// bindings are all promises that bind the second key: that of the task, and
// those of every task of the configuration that applies on this target.
func (r *planner) bindings(j job) []Binding {
	all := []Binding{{j.policy.Name, j.request.Promise}}
	if r.Binds == nil {
		return all
	}
	for _, b := range r.Binds(j.target) {
		if b != all[0] {
			all = append(all, b)
		}
	}
	return all
}

// remember notes what was seen, for later runs. That a log was put back ends one
// run that applies: a dry run, which nobody may have looked at, notes no more than
// that it was.
func (r *planner) remember(ctx context.Context, seen look) error {
	if !r.recorded {
		return nil
	}
	for _, inv := range seen.inventories {
		if inv.Observed.IsZero() {
			continue
		}
		sighting, note := ledger.SightingOf(inv), r.Ledger.See
		sighting.PutBack = seen.putBack
		if seen.putBack && r.Gate.Mode() != connect.Apply {
			note = r.Ledger.SeePutBack
		}
		if err := note(context.WithoutCancel(ctx), sighting); err != nil {
			return err
		}
	}
	return nil
}

// wasPutBack tells whether this run, which applies, has found before that the log
// of a target was put back. It has noted that, so that a second look finds all in
// order; but nothing more is done there in the same run.
func (r *planner) wasPutBack(target string, now bool) bool {
	if r.Gate.Mode() != connect.Apply {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	before := r.putBack[target]
	r.putBack[target] = before || now
	return before && !now
}

// known tells whether a run has seen the target before this one.
func (r *planner) known(ctx context.Context, j job) (bool, error) {
	if r.Ledger == nil {
		return false, nil
	}
	known, err := r.Ledger.Known(ctx, j.target.Name)
	if errors.Is(err, ledger.ErrNone) {
		return false, nil
	}
	return known, err
}

// block has nothing of a plan be done when there is a reason, and says so in
// everything that shows it: the verdicts, the actions and the findings.
func (r *planner) block(p *jobPlan, reasons []finding.Finding) {
	if len(reasons) == 0 {
		return
	}
	p.blocked = true
	t := &p.record
	t.Findings = append(append([]finding.Finding{}, reasons...), t.Findings...)
	for i := range t.Actions {
		t.Actions[i].Outcome, t.Actions[i].Evidence = string(plugins.Skipped), reasons[0].Text
	}
	t.Totals = ledger.Totals{}
	for i := range t.Segments {
		s := &t.Segments[i]
		kind := recovery.ParseVerdictKind(s.Verdict)
		if kind.Goes() || kind == recovery.Archive {
			s.Verdict, s.Reason, s.Why = recovery.HoldBack.String(), string(reasons[0].Code), "nothing goes: "+reasons[0].Text
		}
		count(&t.Totals, recovery.Segment{State: recovery.ParseState(s.State), Bytes: s.Bytes}, recovery.Verdict{Kind: recovery.ParseVerdictKind(s.Verdict)})
	}
	for _, inv := range p.seen.inventories {
		outlook := recovery.Decide([]recovery.Inventory{inv}, recovery.Promise{}).Managers[0].Outlook
		t.Recovery.Outlook = outlookOf(outlook)
	}
}

// critical tells whether a finding of a task is critical.
func critical(t ledger.Target) bool {
	worst, some := finding.Worst(t.Findings)
	return some && worst == finding.Critical
}
