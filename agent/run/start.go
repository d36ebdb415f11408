package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/mqhk/mqhk/agent/host"
	"github.com/mqhk/mqhk/agent/ledger"
)

// PluginError says that a plugin could not be started, or failed.
type PluginError struct {
	Plugin string
	Err    error
}

func (e *PluginError) Error() string { return fmt.Sprintf("plugin %s: %v", e.Plugin, e.Err) }
func (e *PluginError) Unwrap() error { return e.Err }

// running is a plugin of this run. It is started once, and once more if it
// dies.
type running struct {
	Plugin
	again bool
}

// startAll starts each plugin of the jobs once, all at the same time: a start
// is mostly waiting. Where some can't be started, their jobs fail, and those of
// the others go on (case 72).
func (r *planner) startAll(ctx context.Context, jobs []job) {
	var names []string
	for _, j := range jobs {
		if !slices.Contains(names, j.task.Plugin) {
			names = append(names, j.task.Plugin)
		}
	}
	var wait sync.WaitGroup
	for _, name := range names {
		wait.Go(func() {
			p, err := r.Plugins.Start(ctx, name)
			r.mu.Lock()
			defer r.mu.Unlock()
			if err != nil {
				r.unstarted[name] = &PluginError{name, err}
				r.Log.Warn("plugin can't be started", "plugin", name, "err", err)
				return
			}
			r.started[name] = &running{Plugin: p}
		})
	}
	wait.Wait()
}

// plugin gives the run's process of a plugin, or why there is none.
func (r *planner) plugin(name string) (*running, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if p, ok := r.started[name]; ok {
		return p, nil
	}
	if err, ok := r.unstarted[name]; ok {
		return nil, err
	}
	return nil, &PluginError{name, errors.New("it was not started")}
}

// died tells whether an error of a call says that the plugin's process is gone.
// One that answers with an error, or too late, lives, and other targets have
// their calls in it.
func died(err error) bool {
	tooMuch := errors.As(err, new(*host.LimitError)) && !errors.As(err, new(*host.PluginError))
	return tooMuch || errors.As(err, new(*host.CrashError)) || errors.Is(err, host.ErrStopped)
}

// restart replaces a plugin that died, once a run.
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

// stop ends the plugins, all at the same time: each may take its time to go.
func (r *planner) stop() {
	var wait sync.WaitGroup
	for name, p := range r.started {
		wait.Go(func() {
			if err := p.Stop(); err != nil {
				r.Log.Warn("plugin did not stop as asked", "plugin", name, "err", err)
			}
		})
	}
	wait.Wait()
}

// plugins gives those that the run started, for its record.
func (r *planner) plugins() []ledger.Plugin {
	list := make([]ledger.Plugin, 0, len(r.started))
	for name, p := range r.started {
		list = append(list, pluginOf(name, p))
	}
	slices.SortFunc(list, func(a, b ledger.Plugin) int { return strings.Compare(a.Name, b.Name) })
	return list
}
