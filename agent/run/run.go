package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/plugins"
)

// ErrNoLedger says that a run was asked for without a place to record it.
var ErrNoLedger = errors.New("a run needs a ledger")

// The outcomes of a run, and of a task on a target in the claims of the
// ledger.
const (
	Planned     = "planned"     // a plan, as asked for
	Applied     = "done"        // all actions were done
	InPart      = "partial"     // some were not, or a finding is critical
	Failed      = "failed"      // a plugin or a connection failed
	Interrupted = "interrupted" // by a signal, or the time that it may take
	LeftAlone   = "skipped"     // others had claimed all of it
)

// Run carries out an order and records it in the ledger: a plan, or an apply
// where the gate's mode says so. What others have claimed is left to them and
// stands in the record.
//
// The error is ErrNoLedger, ErrNoTarget, *ConfigError, *PlanRefused,
// ledger.ErrTaken of a kept plan, or one of the ledger; that of the context comes
// with a record of what was done before, and *PluginError, or several of them
// joined, with a record in which every target failed by it.
func Run(ctx context.Context, order Order) (ledger.Record, error) {
	if order.Ledger == nil {
		return ledger.Record{}, ErrNoLedger
	}
	order.Lease = cmp.Or(order.Lease, defaultLease)
	order.By = cmp.Or(order.By, order.Host, "mqhk")
	r := newPlanner(order)
	r.recorded = true
	defer r.stop()
	record := r.head(order.Gate.Mode())
	jobs, err := r.ready(ctx)
	if err != nil {
		return record, err
	}
	jobs, claims, err := r.claimAll(ctx, jobs, &record)
	if err == nil && r.Gate.Mode() == connect.Apply {
		err = r.keepKept(ctx, &record)
	}
	if err == nil {
		for _, j := range jobs { // whoever looks meanwhile, or after its death, sees what it was about
			record.Targets = append(record.Targets, r.blank(j))
		}
		err = order.Ledger.Begin(ctx, record)
	}
	if err == nil {
		record.Targets = r.each(ctx, jobs, r.target)
		jobs, claims = r.leave(ctx, jobs, claims, &record)
		r.end(ctx, &record)
		err = order.Ledger.Finish(context.WithoutCancel(ctx), record)
		if errors.As(err, new(*ledger.Broken)) { // what was done is recorded; the record says that something is wrong
			r.Log.Error("the ledger is not as it was left; mqhk history verify says more", "err", err)
			err = nil
		}
	}
	for i, c := range claims {
		outcome := Failed
		if err == nil {
			outcome = outcomeOf(record.Targets[i], record.DryRun)
		}
		if ctx.Err() != nil && outcome != Applied && outcome != Planned {
			outcome = Interrupted
		}
		if jobs[i].failed != nil { // nothing was tried: the firing can be claimed again
			outcome = Interrupted
		}
		r.release(ctx, c, outcome)
	}
	if err != nil {
		return record, fmt.Errorf("recording the run: %w", err)
	}
	return record, cmp.Or(ctx.Err(), noneUsable(jobs))
}

// head begins the record.
func (r *planner) head(mode connect.Mode) ledger.Record {
	word := "plan"
	if mode == connect.Apply {
		word = "apply"
	}
	return ledger.Record{Schema: ledger.Schema, DryRun: mode != connect.Apply, Targets: []ledger.Target{}, Run: ledger.Run{
		ID: r.ID, Mode: word, Host: r.Host, Started: r.Now().Format(time.RFC3339), Outcome: ledger.Unfinished,
		Simulated: r.Simulated, Key: r.Key, Late: r.Late, Plugins: []ledger.Plugin{},
	}}
}

// end completes the record.
func (r *planner) end(ctx context.Context, record *ledger.Record) {
	record.Run.Plugins = r.plugins()
	record.Run.Finished = r.Now().Format(time.RFC3339)
	finish(record)
	if record.Run.Outcome == LeftAlone {
		for _, s := range record.Run.Skipped {
			if !s.Fired {
				return
			}
		}
	}
	if ctx.Err() != nil {
		record.Run.Outcome = Interrupted
	}
}

// claimAll claims the jobs, each for this firing, and notes those that others
// have.
func (r *planner) claimAll(ctx context.Context, jobs []job, record *ledger.Record) ([]job, []*claim, error) {
	var mine []job
	var claims []*claim
	for _, j := range jobs {
		c, err := r.claimed(ctx, ledger.Firing{Target: j.target.Name, Task: j.name(), Policy: j.policy.Name, Key: r.Key})
		var held *ledger.Held
		switch {
		case errors.As(err, &held):
			record.Run.Skipped = append(record.Run.Skipped, ledger.Skipped{Target: j.target.Name, Task: j.name(), Why: held.Error(), Until: held.Until.UTC().Format(time.RFC3339)})
		case errors.Is(err, ledger.ErrFired):
			record.Run.Skipped = append(record.Run.Skipped, ledger.Skipped{Target: j.target.Name, Task: j.name(), Why: ledger.ErrFired.Error(), Fired: true})
		case err != nil:
			return mine, claims, err
		default:
			j.claim = c
			mine, claims = append(mine, j), append(claims, c)
		}
	}
	return mine, claims, nil
}

// leave takes out of a record the targets on which others were at work: they
// are left to them, and the firing can be claimed again. It gives the rest of the
// jobs, and the claims of these.
func (r *planner) leave(ctx context.Context, jobs []job, claims []*claim, record *ledger.Record) ([]job, []*claim) {
	var targets []ledger.Target
	var rest []job
	var mine []*claim
	for i, t := range record.Targets {
		if t.Failure != FailedClaim {
			targets, rest, mine = append(targets, t), append(rest, jobs[i]), append(mine, claims[i])
			continue
		}
		record.Run.Skipped = append(record.Run.Skipped, ledger.Skipped{Target: t.Name, Task: jobs[i].name(), Why: t.Error, Until: r.busyUntil[t.Name]})
		r.release(ctx, claims[i], Interrupted)
	}
	record.Targets = append([]ledger.Target{}, targets...)
	return rest, mine
}

// target carries out the jobs of one target: planned on one observation, or
// applied one after the other.
func (r *planner) target(ctx context.Context, jobs []job, out []ledger.Target) {
	if r.Gate.Mode() != connect.Apply {
		r.planTarget(ctx, jobs, out)
		return
	}
	for i, j := range jobs {
		held, end := j.claim.during(ctx)
		out[i] = r.applyJob(held, j)
		end()
	}
}

// outcomeOf says what came of one task on one target.
func outcomeOf(t ledger.Target, dry bool) string {
	if t.Error != "" {
		return Failed
	}
	if dry {
		return Planned
	}
	for _, a := range t.Actions {
		if a.Outcome != string(plugins.Done) {
			return InPart
		}
	}
	if critical(t) {
		return InPart
	}
	return Applied
}
