package run

import (
	"context"
	"errors"
	"fmt"

	"github.com/mqhk/mqhk/agent/host"
)

// mostLate is how often a plugin may let a run wait until a limit is over. Each
// time is as long as a call may last, and with a thousand targets a plugin that
// hangs would take the night.
const mostLate = 2

// LateError says that a plugin did not answer in time so often that it is not
// tried any more in the run.
type LateError struct{ Times int }

func (e *LateError) Error() string {
	return fmt.Sprintf("not tried on this target: in this run it did not answer in time %d times", e.Times)
}

// call has a job's plugin do something, and once more in a new process where the
// one that it was in dies of it. It gives the process that did it.
func (r *planner) call(ctx context.Context, j job, do func(*running) error) (*running, error) {
	name := j.task.Plugin
	plugin, err := r.plugin(name)
	if err != nil {
		return nil, err
	}
	if err := r.hangs(name); err != nil {
		return nil, &PluginError{name, err}
	}
	err = do(plugin)
	if ctx.Err() == nil && died(err) {
		r.Log.Warn("plugin died", "plugin", name, "target", j.target.String(), "policy", j.policy.Name, "err", err)
		if other, ok := r.restart(ctx, plugin, name); ok {
			plugin, err = other, do(other)
		}
	}
	if err == nil {
		return plugin, nil
	}
	if ctx.Err() == nil && errors.As(err, new(*host.DeadlineError)) {
		r.mu.Lock()
		r.late[name]++
		r.mu.Unlock()
	}
	return nil, &PluginError{name, err}
}

// hangs says why a plugin is not tried any more; nil: it is.
func (r *planner) hangs(name string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.late[name] < mostLate {
		return nil
	}
	return &LateError{r.late[name]}
}

// unusable gives why plugins of jobs can't be used, each reason once.
func unusable(jobs []job) []error {
	var list []error
	told := make(map[string]bool)
	for _, j := range jobs {
		if j.failed != nil && !told[j.failed.Error()] {
			told[j.failed.Error()] = true
			list = append(list, j.failed)
		}
	}
	return list
}

// noneUsable is the error of a run that could do nothing, as no job has a plugin
// that can be used; nil: there is one.
func noneUsable(jobs []job) error {
	for _, j := range jobs {
		if j.failed == nil {
			return nil
		}
	}
	return errors.Join(unusable(jobs)...)
}
