package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

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

// PluginError says that a plugin could not be started.
type PluginError struct {
	Plugin string
	Err    error
}

func (e *PluginError) Error() string { return fmt.Sprintf("plugin %s: %v", e.Plugin, e.Err) }
func (e *PluginError) Unwrap() error { return e.Err }

// atOnce is how many targets are observed at the same time.
const atOnce = 8

// Plan plans every task of the order's policies on every target it matches.
//
// A target whose plugin fails is in the record with its error; the others
// are planned all the same. The error is ErrNoTarget, *ConfigError,
// *PluginError, or that of the context.
func Plan(ctx context.Context, order Order) (ledger.Record, error) {
	r := &planner{Order: order, started: make(map[string]*running)}
	defer r.stop()
	record := ledger.Record{Schema: ledger.Schema, DryRun: true, Run: ledger.Run{
		ID: order.ID, Mode: "plan", Host: order.Host, Started: order.Now().Format(time.RFC3339), Simulated: order.Simulated,
	}}
	jobs := order.jobs()
	if len(jobs) == 0 {
		return record, ErrNoTarget
	}
	if err := r.prepare(ctx, jobs); err != nil {
		return record, err
	}
	record.Targets = r.planAll(ctx, jobs)
	record.Run.Plugins = r.plugins()
	record.Run.Finished = order.Now().Format(time.RFC3339)
	finish(&record)
	return record, ctx.Err()
}

// planner is a run on its way.
type planner struct {
	Order
	mu      sync.Mutex
	started map[string]*running
}

// running is a plugin of this run. It is started once, and once more if it
// dies.
type running struct {
	Plugin
	again bool
}

// prepare starts the plugins and reads the configuration of each task with
// its plugin's schema. All mistakes are found before anything is asked.
func (r *planner) prepare(ctx context.Context, jobs []job) error {
	var mistakes policies.Diagnostics
	for i := range jobs {
		j := &jobs[i]
		plugin, err := r.plugin(ctx, j.task.Plugin)
		if err != nil {
			return err
		}
		config, err := policies.DecodeConfig(j.task.Config, plugin.Describe().Schema)
		if err != nil {
			var found policies.Diagnostics
			if !errors.As(err, &found) {
				return err
			}
			mistakes = append(mistakes, found...)
			continue
		}
		j.request = plugins.Request{
			Run: r.ID, Task: j.policy.Name + "/" + j.task.Name, Round: 1, Target: j.target,
			Config: config, Promise: j.task.Promise(), Store: j.task.Store,
		}
		complaints, err := plugin.Check(ctx, j.request)
		if err != nil {
			return &PluginError{j.task.Plugin, err}
		}
		mistakes = append(mistakes, policies.Complain(j.task, asComplaints(complaints))...)
	}
	if len(mistakes) > 0 {
		return &ConfigError{unique(mistakes)}
	}
	return nil
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

// plugin gives the run's process of a plugin, starting it the first time.
func (r *planner) plugin(ctx context.Context, name string) (*running, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if p, ok := r.started[name]; ok {
		return p, nil
	}
	p, err := r.Plugins.Start(ctx, name)
	if err != nil {
		return nil, &PluginError{name, err}
	}
	r.started[name] = &running{Plugin: p}
	return r.started[name], nil
}

// restart replaces a plugin that failed, once a run.
func (r *planner) restart(ctx context.Context, failed *running, name string) (*running, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if current := r.started[name]; current != failed {
		return current, true // another target found it dead before
	}
	if failed.again {
		return nil, false
	}
	_ = failed.Stop() // it is dead; why is in the error of the plan
	p, err := r.Plugins.Start(ctx, name)
	if err != nil {
		r.Log.Warn("plugin can't be started again", "plugin", name, "err", err)
		failed.again = true
		return nil, false
	}
	r.started[name] = &running{Plugin: p, again: true}
	return r.started[name], true
}

func (r *planner) stop() {
	for name, p := range r.started {
		if err := p.Stop(); err != nil {
			r.Log.Warn("plugin did not stop as asked", "plugin", name, "err", err)
		}
	}
}

func (r *planner) plugins() []ledger.Plugin {
	list := make([]ledger.Plugin, 0, len(r.started))
	for name, p := range r.started {
		list = append(list, ledger.Plugin{Name: name, Version: p.Describe().Version, SHA256: p.SHA256()})
	}
	slices.SortFunc(list, func(a, b ledger.Plugin) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// planAll plans the jobs, several targets at a time, one policy of a target
// after the other.
func (r *planner) planAll(ctx context.Context, jobs []job) []ledger.Target {
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
			r.planTarget(ctx, part, out)
		})
		from = to
	}
	wait.Wait()
	return results
}

// planTarget plans all policies of one target on one observation.
func (r *planner) planTarget(ctx context.Context, jobs []job, out []ledger.Target) {
	target := jobs[0].target
	reader, err := r.Gate.Reader(ctx, target)
	if err != nil {
		for i := range jobs {
			out[i] = r.failed(jobs[i], err)
		}
		return
	}
	defer func() {
		if err := reader.Close(); err != nil {
			r.Log.Warn("closing the connection", "target", target.String(), "err", err)
		}
	}()
	seen := newObservation(reader)
	for i, j := range jobs {
		out[i] = r.planJob(ctx, j, seen.view())
	}
}

func (r *planner) planJob(ctx context.Context, j job, asker *view) ledger.Target {
	plugin, err := r.plugin(ctx, j.task.Plugin)
	if err != nil {
		return r.failed(j, err)
	}
	plan, err := plugin.Plan(ctx, j.request, asker, r.progress(j.target))
	if err != nil && ctx.Err() == nil {
		r.Log.Warn("plugin failed", "plugin", j.task.Plugin, "target", j.target.String(), "policy", j.policy.Name, "err", err)
		if other, ok := r.restart(ctx, plugin, j.task.Plugin); ok {
			asker = asker.observation.view()
			plan, err = other.Plan(ctx, j.request, asker, r.progress(j.target))
		}
	}
	if err != nil {
		return r.failed(j, err)
	}
	return r.record(j, plan, asker.Unanswered())
}

func (r *planner) progress(target observe.Target) func(string) {
	return func(what string) {
		if r.Progress != nil {
			r.Progress(target.String(), what)
		}
	}
}
