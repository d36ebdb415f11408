package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/policies"
)

// ErrNoTarget says that no task of the policies matches any target.
var ErrNoTarget = errors.New("no task of the policies matches a target")

// ConfigError holds the mistakes of task configurations that only the
// plugins could find.
type ConfigError struct{ Diagnostics policies.Diagnostics }

func (e *ConfigError) Error() string { return e.Diagnostics.Error() }

// atOnce is how many targets are observed at the same time.
const atOnce = 8

// Plan plans every task of the order's policies on every target it matches.
//
// A target whose plugin fails, or can't be started, is in the record with its
// error; the others are planned all the same. The error is ErrNoTarget,
// *ConfigError, or that of the context; *PluginError, or several of them joined,
// where no task has a plugin that can be used.
func Plan(ctx context.Context, order Order) (ledger.Record, error) {
	r := newPlanner(order)
	defer r.stop()
	return r.plan(ctx)
}

func (r *planner) plan(ctx context.Context) (ledger.Record, error) {
	record := r.head(connect.Plan)
	jobs, err := r.ready(ctx)
	if err != nil {
		return record, err
	}
	record.Targets = r.each(ctx, jobs, r.planTarget)
	r.end(ctx, &record)
	return record, cmp.Or(ctx.Err(), noneUsable(jobs))
}

// ready gives what the order is to do, with its plugins started and all
// configuration read: ErrNoTarget when that is nothing. A job whose plugin can't
// be used says so. Of a kept plan there must be none: it is carried out once,
// and what could not be would have to be planned anew.
func (r *planner) ready(ctx context.Context) ([]job, error) {
	jobs, err := r.useKept(r.jobs())
	if err != nil {
		return nil, err
	}
	if len(jobs) == 0 {
		return nil, noTarget(r.Targets)
	}
	if err := r.prepare(ctx, jobs); err != nil {
		return nil, err
	}
	if r.Kept != nil {
		return jobs, errors.Join(unusable(jobs)...)
	}
	return jobs, nil
}

// noTarget names the targets that no task matches. A group is named with its
// members: tasks are for the group, never for one of them.
func noTarget(targets []observe.Target) error {
	if len(targets) == 0 {
		return ErrNoTarget
	}
	const most = 5
	names := make([]string, 0, most+1)
	for i, target := range targets {
		if i == most {
			names = append(names, fmt.Sprintf("%d more", len(targets)-most))
			break
		}
		name := target.String()
		if target.Group && len(target.Members) > 0 {
			name += " (" + strings.Join(target.Members, ", ") + ")"
		}
		names = append(names, name)
	}
	return fmt.Errorf("%w: %s", ErrNoTarget, strings.Join(names, "; "))
}

// planner is a run on its way.
type planner struct {
	Order
	recorded bool // what is seen is remembered in the ledger
	keeps    bool // plans are to be put away
	mu       sync.Mutex
	started  map[string]*running
	// unstarted says, by plugin, why it could not be started, and late how often
	// it did not answer in time.
	unstarted map[string]*PluginError
	late      map[string]int
	toKeep    []KeptTask
	// busyUntil says, by target, when the claim of others is over.
	busyUntil map[string]string
	putBack   map[string]bool // targets of which this run found that the log was put back
	taking    sync.Once       // of the kept plan
	takenErr  error
}

func newPlanner(order Order) *planner {
	return &planner{Order: order, started: make(map[string]*running), unstarted: make(map[string]*PluginError), late: make(map[string]int), busyUntil: make(map[string]string), putBack: make(map[string]bool)}
}

// prepare starts the plugins and reads the configuration of each task with
// its plugin's schema. All mistakes are found before anything is asked. A plugin
// that can't be used fails its own jobs and no others.
func (r *planner) prepare(ctx context.Context, jobs []job) error {
	r.startAll(ctx, jobs)
	var mistakes policies.Diagnostics
	for i := range jobs {
		found, err := r.configure(ctx, &jobs[i])
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.As(err, new(*PluginError)):
			jobs[i].failed = err
		case err != nil:
			return err
		}
		mistakes = append(mistakes, found...)
	}
	if len(mistakes) > 0 {
		return &ConfigError{unique(mistakes)}
	}
	return nil
}

// configure gives a job its request, and the mistakes of its configuration.
func (r *planner) configure(ctx context.Context, j *job) (policies.Diagnostics, error) {
	plugin, err := r.plugin(j.task.Plugin)
	if err != nil {
		return nil, err
	}
	config, err := policies.DecodeConfig(j.task.Config, plugin.Describe().Schema)
	if err != nil {
		var found policies.Diagnostics
		if errors.As(err, &found) {
			return found, nil
		}
		return nil, err
	}
	j.request = plugins.Request{
		Run: r.ID, Task: j.name(), Round: 1, Target: j.target,
		Config: config, Promise: j.task.Promise(), Store: j.task.Store,
	}
	var complaints []plugins.Complaint
	_, err = r.call(ctx, *j, func(p *running) error {
		complaints, err = p.Check(ctx, j.request)
		return err
	})
	return policies.Complain(j.task, asComplaints(complaints)), err
}

func asComplaints(list []plugins.Complaint) []policies.Complaint {
	complaints := make([]policies.Complaint, len(list))
	for i, c := range list {
		complaints[i] = policies.Complaint{Path: c.Path, Text: c.Text}
	}
	return complaints
}

// unique drops mistakes that were found once for each target.
func unique(list policies.Diagnostics) policies.Diagnostics {
	var kept policies.Diagnostics
	for _, d := range list {
		if !slices.ContainsFunc(kept, func(k policies.Diagnostic) bool { return k.String() == d.String() }) {
			kept = append(kept, d)
		}
	}
	return kept
}

// each hands the jobs of one target after the other to do, several targets at
// a time, and gives what became of each job.
func (r *planner) each(ctx context.Context, jobs []job, do func(context.Context, []job, []ledger.Target)) []ledger.Target {
	results := make([]ledger.Target, len(jobs))
	slots := make(chan struct{}, atOnce)
	var wait sync.WaitGroup
	for from := 0; from < len(jobs); {
		to := from + 1
		for to < len(jobs) && jobs[to].target.String() == jobs[from].target.String() {
			to++
		}
		part, out := jobs[from:to], results[from:to]
		slots <- struct{}{}
		wait.Go(func() {
			defer func() { <-slots }()
			do(ctx, part, out)
		})
		from = to
	}
	wait.Wait()
	return results
}

// planTarget plans all policies of one target on one observation.
func (r *planner) planTarget(ctx context.Context, jobs []job, out []ledger.Target) {
	if !slices.ContainsFunc(jobs, func(j job) bool { return j.failed == nil }) {
		for i, j := range jobs {
			out[i] = r.failed(j, j.failed)
		}
		return // nobody would ask the target anything
	}
	err := r.observing(ctx, jobs[0].target, func(seen *observation) {
		for i, j := range jobs {
			planned, err := r.planOrKept(ctx, j, seen)
			if err != nil {
				out[i] = r.failed(j, err)
				continue
			}
			out[i] = planned.record
		}
	})
	if err != nil {
		for i, j := range jobs {
			out[i] = r.failed(j, cmp.Or(j.failed, err))
		}
	}
}

// observing opens a target for questions, for as long as do takes.
func (r *planner) observing(ctx context.Context, target observe.Target, do func(*observation)) error {
	reader, err := r.Gate.Reader(ctx, target)
	if err != nil {
		return &ConnectionError{err}
	}
	defer func() {
		if err := reader.Close(); err != nil {
			r.Log.Warn("closing the connection", "target", target.String(), "err", err)
		}
	}()
	do(newObservation(reader))
	return nil
}

// jobPlan is what one job is to do: the plan, how it is written down, and what
// the host itself saw at that moment.
type jobPlan struct {
	plan    plugins.Plan
	record  ledger.Target
	seen    look
	blocked bool // nothing of it may be done
}

// planOrKept plans a job, unless there is a kept plan of it. Holds that a start
// has ended are lifted before.
func (r *planner) planOrKept(ctx context.Context, j job, seen *observation) (jobPlan, error) {
	if j.failed != nil {
		return jobPlan{}, j.failed
	}
	if err := r.lift(ctx, j.target, seen); err != nil {
		return jobPlan{}, err
	}
	if j.kept != nil {
		return r.planKept(ctx, j, seen)
	}
	return r.planJob(ctx, j, seen)
}

// planJob has the plugin plan, and holds the second key against it.
func (r *planner) planJob(ctx context.Context, j job, seen *observation) (jobPlan, error) {
	var asker *view
	var plan plugins.Plan
	plugin, err := r.call(ctx, j, func(p *running) error {
		var err error
		asker = seen.view()
		plan, err = p.Plan(ctx, j.request, asker, r.progress(j.target))
		return err
	})
	if err != nil {
		return jobPlan{}, err
	}
	if r.Stores[j.task.Store].Kind == externalStore {
		awaitSite(j, &plan)
	}
	p := jobPlan{plan: plan, record: r.record(j, plan, asker.Unanswered())}
	// A plan on z/OS may speak of no log; elsewhere a target counts as seen once its log was.
	if p.record.Observed == "" && j.target.Platform == observe.ZOS {
		p.record.Observed = instant(asker.Newest())
	}
	if err := r.judge(ctx, j, &p, seen, refusals(j, plugin.Describe(), plan, asker.Refusals())); err != nil {
		return jobPlan{}, err
	}
	r.room(j, &p)
	r.keep(j, pluginOf(j.task.Plugin, plugin), p)
	return p, nil
}

func (r *planner) progress(target observe.Target) func(string) {
	return func(what string) {
		if r.Progress != nil {
			r.Progress(target.String(), what)
		}
	}
}
