package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

// maxRounds is how often a plan is made in one run: images move the media
// point, and what then may go is planned anew. After that the next run is due.
const maxRounds = 3

// applier applies one task on one target.
type applier struct {
	*planner
	job       job
	described *running // the plugin at the beginning: what it said of itself holds for a later process of it
	claim     *claim   // of ApplyTask
	writer    connect.Writer
	key       *secondKey
	round     int
	record    *ledger.Target
	// results of all actions so far, by the IDs of the record.
	results map[string]plugins.Result
	// unclear are actions of earlier runs of which nobody knows what became, as
	// sameDeed names them.
	unclear map[string]string
	place   map[string]int                   // of an action in the record
	unheard []plugins.Result                 // of deletes, which the ledger has still to hear
	stopped string                           // why no more segments are deleted in this run; empty: they are
	savedBy map[recovery.SegmentID]time.Time // when this run made the copy of a segment, and read it back
	// What this run let go: how large it was, and how to know it again.
	deleted      map[recovery.SegmentID]int64
	fingerprints map[recovery.SegmentID]string
	extra        []finding.Finding // beside those of the plan
}

func (r *planner) newApplier(j job) *applier {
	return &applier{planner: r, job: j, results: map[string]plugins.Result{}, unclear: map[string]string{},
		place: map[string]int{}, savedBy: map[recovery.SegmentID]time.Time{}, deleted: map[recovery.SegmentID]int64{}, fingerprints: map[recovery.SegmentID]string{}}
}

// applyJob plans a task on a target, and does what was planned as far as the
// second key lets it.
func (r *planner) applyJob(ctx context.Context, j job) ledger.Target {
	t, err := r.newApplier(j).apply(ctx)
	var why *Stopped
	switch {
	case err == nil:
	case errors.As(err, &why):
		t.Findings = append([]finding.Finding{finding.New(why.Code, "%s", why.Why)}, t.Findings...)
	case ctx.Err() != nil && t.Name != "":
		if lost(ctx) {
			t.Findings = append([]finding.Finding{finding.New(finding.RunStopped, "%s: %v", j.target.Name, context.Cause(ctx))}, t.Findings...)
		}
	case t.Name == "":
		return r.failed(j, err)
	default:
		t.Error, t.Failure = err.Error(), failureOf(err)
	}
	return t
}

// apply goes through the rounds. The record is of no name when nothing could
// be planned; with an error it holds what was done before.
func (a *applier) apply(ctx context.Context) (t ledger.Target, err error) {
	if a.job.failed != nil {
		return ledger.Target{}, a.job.failed
	}
	known, err := a.known(ctx, a.job)
	if err != nil {
		return ledger.Target{}, err
	}
	if !known {
		return a.first(ctx)
	}
	a.claim, err = a.claimed(ctx, ledger.Firing{Target: a.job.target.Name, Task: ApplyTask, Policy: a.job.policy.Name})
	if err != nil {
		return ledger.Target{}, err
	}
	defer a.release(ctx, a.claim, Applied)
	ctx, end := a.claim.during(ctx)
	defer end()
	if a.described, err = a.planner.plugin(a.job.task.Plugin); err != nil {
		return ledger.Target{}, err
	}
	defer func() { err = errors.Join(err, a.close()) }()
	if err := a.settle(ctx); err != nil {
		return ledger.Target{}, err
	}
	first, err := a.plan(ctx)
	if err != nil {
		return ledger.Target{}, err
	}
	a.record = &first.record
	a.record.Findings = append(a.extra, a.record.Findings...)
	a.placeActions()
	return a.rounds(ctx, first)
}

// open opens the target for changes, once.
func (a *applier) open(ctx context.Context) error {
	if a.writer != nil {
		return nil
	}
	writer, err := a.Gate.Writer(ctx, a.job.target)
	if err != nil {
		return &ConnectionError{err}
	}
	a.writer = writer
	return nil
}

func (a *applier) close() error {
	if a.writer == nil {
		return nil
	}
	if err := a.writer.Close(); err != nil {
		return fmt.Errorf("closing the connection to %s: %w", a.job.target, err)
	}
	return nil
}

// placeActions notes where each action stands in the record.
func (a *applier) placeActions() {
	for i, action := range a.record.Actions {
		a.place[action.ID] = i
	}
}

// first plans on a target that the ledger knows nothing of: whatever its state
// folder, its holds and its notes were, this ledger does not have them.
func (a *applier) first(ctx context.Context) (ledger.Target, error) {
	p, err := a.plan(ctx)
	if err != nil {
		return ledger.Target{}, err
	}
	a.block(&p, []finding.Finding{finding.New(finding.FirstRun, "%s: the ledger knows nothing of it yet: this run is a plan", a.job.target.Name)})
	return p.record, nil
}

// plan plans once: with the plugin, or what was kept.
func (a *applier) plan(ctx context.Context) (jobPlan, error) {
	var p jobPlan
	var failed error
	err := a.observing(ctx, a.job.target, func(seen *observation) {
		p, failed = a.planOrKept(ctx, a.job, seen)
	})
	return p, errors.Join(err, failed)
}

// rounds does what was planned, and plans again where the plan asks for it.
func (a *applier) rounds(ctx context.Context, p jobPlan) (ledger.Target, error) {
	var err error
	for a.round = 1; !p.blocked && len(p.plan.Actions) > 0; a.round++ {
		if err = a.do(ctx, p); err != nil || !p.plan.Again || a.round == maxRounds || a.job.kept != nil {
			break
		}
		if p, err = a.again(ctx); err != nil {
			break
		}
	}
	if a.key != nil {
		if read := a.readBack(context.WithoutCancel(ctx)); err == nil {
			err = read
		}
	}
	return *a.record, err
}

// do carries out one plan.
func (a *applier) do(ctx context.Context, p jobPlan) error {
	if err := a.open(ctx); err != nil {
		a.skip(p.plan.Actions, err.Error())
		return err
	}
	if a.key == nil {
		a.key = newSecondKey(a.job.target, a.bindings(a.job), p.seen, a.Now, a.look)
	}
	began := time.Now()
	// Before anything is done, all of it is held against a fresh observation.
	a.key.changed()
	err := a.key.refresh(ctx)
	if err == nil {
		if why := a.key.disagrees(p.plan.Actions); why != nil {
			err = why
		}
	}
	if err == nil {
		err = a.takeKept(ctx)
	}
	if err != nil {
		a.skip(p.plan.Actions, err.Error())
		return err
	}
	err = a.perform(ctx, a.withoutArchives(p.plan))
	a.Log.Info("carried out", "run", a.ID, "target", a.job.target.Name, "policy", a.job.policy.Name, "task", a.job.task.Name,
		"round", a.round, "actions", len(p.plan.Actions), "dur", time.Since(began))
	return err
}

// lookWithin is how long an observation may take.
const lookWithin = 10 * time.Minute

// look observes the target anew, with the host's own questions.
func (a *applier) look(ctx context.Context) (look, error) {
	ctx, cancel := context.WithTimeout(ctx, lookWithin)
	defer cancel()
	var seen look
	var looked error
	err := a.observing(ctx, a.job.target, func(o *observation) {
		view := o.view()
		if seen, looked = lookAt(ctx, view, a.job.target); looked == nil {
			seen.started = observe.ReadStart(ctx, view, a.job.target)
		}
	})
	return seen, errors.Join(err, looked)
}

// again plans the next round. Its actions get IDs of their own.
func (a *applier) again(ctx context.Context) (jobPlan, error) {
	a.job.request.Round = a.round + 1
	a.job.request.Earlier = a.job.request.Earlier[:0]
	for _, action := range a.record.Actions {
		a.job.request.Earlier = append(a.job.request.Earlier, a.results[action.ID])
	}
	p, err := a.plan(ctx)
	if err != nil {
		return p, err
	}
	prefix := fmt.Sprintf("%d:", a.round+1)
	for i := range p.plan.Actions {
		action := &p.plan.Actions[i]
		action.ID = prefix + action.ID
		action.After = slices.Clone(action.After)
		for k := range action.After {
			action.After[k] = prefix + action.After[k]
		}
		p.record.Actions[i].ID, p.record.Actions[i].After = action.ID, append([]string{}, action.After...)
	}
	a.merge(p.record)
	return p, nil
}

// merge adds a later round to the record: what may go is judged by the newest
// round, what was done stays.
func (a *applier) merge(later ledger.Target) {
	later.Actions = append(a.record.Actions, later.Actions...)
	for _, f := range a.record.Findings {
		if !slices.Contains(later.Findings, f) {
			later.Findings = append(later.Findings, f)
		}
	}
	*a.record = later
	a.placeActions()
}
