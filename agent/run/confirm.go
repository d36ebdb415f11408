package run

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/mqhk/mqhk/plugins"
)

// leastWait is how long is waited before a plugin is asked again that names no
// time, or less.
const leastWait = time.Second

// confirm asks the plugin what became of an action, again and again while it
// is pending, until its time is over. What the system refused needs no
// confirming; a plugin that can't confirm leaves the word of the system.
func (a *applier) confirm(ctx context.Context, action plugins.Action, result plugins.Result, within time.Duration) plugins.Result {
	if result.State == plugins.Failed || !a.described.Confirms() {
		return settledResult(result)
	}
	deadline := a.Now().Add(within)
	for {
		said, err := a.confirmOnce(ctx, action, within)
		switch {
		case err != nil:
			return plugins.Result{State: plugins.Unknown, Evidence: fmt.Sprintf("%s; it could not be confirmed: %v", result.Evidence, err)}
		case said.State != plugins.Pending:
			return settledResult(said)
		case !a.Now().Before(deadline):
			return plugins.Result{State: plugins.Unknown, Evidence: fmt.Sprintf("still pending after %s: %s", within, said.Evidence)}
		}
		if !a.wait(ctx, min(said.After, deadline.Sub(a.Now()))) { // and is asked a last time at the deadline
			return plugins.Result{State: plugins.Unknown, Evidence: "interrupted while it was pending: " + said.Evidence}
		}
	}
}

// confirmOnce asks once, on a fresh observation.
func (a *applier) confirmOnce(ctx context.Context, action plugins.Action, within time.Duration) (plugins.Result, error) {
	step, cancel := context.WithTimeout(context.WithoutCancel(ctx), within)
	defer cancel()
	plugin, err := a.planner.plugin(a.job.task.Plugin)
	if err != nil {
		return plugins.Result{}, err
	}
	said, err := a.ask(step, plugin, action)
	if step.Err() == nil && died(err) {
		if other, ok := a.restart(step, plugin, a.job.task.Plugin); ok { // a question can be asked again
			return a.ask(step, other, action)
		}
	}
	return said, err
}

// ask has a plugin confirm an action on a fresh observation.
func (a *applier) ask(ctx context.Context, plugin *running, action plugins.Action) (plugins.Result, error) {
	var said plugins.Result
	var failed error
	err := a.observing(ctx, a.job.target, func(seen *observation) {
		view := seen.view()
		said, failed = plugin.Confirm(ctx, action, view, a.progress(a.job.target))
		if refused := view.Refusals(); len(refused) > 0 { // what it says then is not believed
			failed = &PluginError{a.job.task.Plugin, errors.New(strings.Join(refused, "; "))}
		}
	})
	return said, errors.Join(err, failed)
}

// settledResult makes anything that is no outcome unknown.
func settledResult(r plugins.Result) plugins.Result {
	switch r.State {
	case plugins.Done, plugins.Failed, plugins.Retry, plugins.Unknown:
		return r
	default:
		return plugins.Result{State: plugins.Unknown, Evidence: fmt.Sprintf("its outcome is %q: %s", r.State, r.Evidence)}
	}
}

// wait waits a while; false when the run was interrupted meanwhile.
func (a *applier) wait(ctx context.Context, d time.Duration) bool {
	after := a.After
	if after == nil {
		after = time.After
	}
	select {
	case <-ctx.Done():
		return false
	case <-after(max(d, leastWait)):
		return true
	}
}
