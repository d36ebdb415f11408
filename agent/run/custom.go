package run

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
)

// custom has the plugin do its own action. One that meanwhile asks or sends what
// it may not is believed in nothing: the error ends the run.
func (a *applier) custom(ctx context.Context, action plugins.Action) (plugins.Result, error) {
	plugin, err := a.planner.plugin(a.job.task.Plugin)
	if err != nil {
		return plugins.Result{State: plugins.Failed, Evidence: err.Error()}, nil
	}
	if !plugin.Performs() {
		return plugins.Result{State: plugins.Failed, Evidence: "the plugin performs no actions itself"}, nil
	}
	within := cmp.Or(action.Within, commandWithin)
	step, cancel := context.WithTimeout(context.WithoutCancel(ctx), within)
	defer cancel()
	var result plugins.Result
	var failed error
	var refused []string
	err = a.observing(step, a.job.target, func(seen *observation) {
		view := seen.view()
		result, failed = plugin.Perform(step, action, view, a.handing(action, view), a.progress(a.job.target))
		refused = view.Refusals()
	})
	if len(refused) > 0 {
		why := stopped(finding.QuestionRefused, "%s: plugin %s, in action %s: %s", a.job.target.Name, a.job.task.Plugin, action.ID, strings.Join(refused, "; "))
		return plugins.Result{State: plugins.Unknown, Evidence: why.Why}, why
	}
	if err := errors.Join(err, failed); err != nil {
		return plugins.Result{State: plugins.Unknown, Evidence: err.Error()}, nil
	}
	return a.confirm(ctx, action, result, within), nil
}

// handing gives the way in which a plugin sends the command of its action, word
// for word as it was planned, and no other.
func (a *applier) handing(action plugins.Action, view *view) func(context.Context, plugins.Command) (observe.Answer, error) {
	return func(ctx context.Context, c plugins.Command) (observe.Answer, error) {
		if c == (plugins.Command{}) || c != action.Command {
			refused := &observe.Refused{Question: observe.Question{Language: c.Language, QueueManager: c.QueueManager, Text: c.Text}, Why: "it is not the action's own command"}
			view.Refused(refused)
			return observe.Answer{}, refused
		}
		answer, _, err := a.writer.Do(ctx, c)
		return answer, err
	}
}
