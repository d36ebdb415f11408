package main

import (
	"context"
	"log/slog"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"github.com/mqhk/mqhk/agent/host"
	"github.com/mqhk/mqhk/agent/roster"
	"github.com/mqhk/mqhk/agent/run"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/archive"
	"github.com/mqhk/mqhk/plugins/cfbackup"
	"github.com/mqhk/mqhk/plugins/journal"
	"github.com/mqhk/mqhk/plugins/schema"
	"github.com/mqhk/mqhk/plugins/serve"
	"github.com/mqhk/mqhk/plugins/smdsexpand"
)

// builtins are the plugins that ship in this binary. They go through the same
// path as anyone's: the binary starts itself.
func builtins() map[string]plugins.Plugin {
	return map[string]plugins.Plugin{
		archive.Name:    archive.Plugin{Version: version()},
		cfbackup.Name:   cfbackup.Plugin{Version: version()},
		journal.Name:    journal.Plugin{Version: version()},
		smdsexpand.Name: smdsexpand.Plugin{Version: version()},
	}
}

func builtinNames() []string { return slices.Sorted(maps.Keys(builtins())) }

func builtinSchemas() map[string]schema.Schema {
	schemas := make(map[string]schema.Schema)
	for name, plugin := range builtins() {
		schemas[name] = plugin.Describe().Schema
	}
	return schemas
}

// pluginServeCommand is how the host starts a built-in; nobody calls it by
// hand.
func (a *app) pluginServeCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "plugin-serve NAME",
		Short:  "Serve a built-in plugin to the mqhk that started it",
		Hidden: true,
		Args:   cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			plugin, ok := builtins()[args[0]]
			if args[0] == nothingName {
				plugin, ok = nothing{}, true
			}
			if !ok {
				return usage("there is no built-in plugin %q", args[0])
			}
			serve.Plugin(plugin)
			return nil
		},
	}
}

// starter starts plugins for a run: the built-in ones, and those of others that
// are locked.
type starter struct {
	roster *roster.Roster
	log    slog.Handler
}

// Start starts a plugin by name.
func (s starter) Start(ctx context.Context, name string) (run.Plugin, error) {
	process, err := s.roster.Start(ctx, name, s.log)
	if err != nil {
		return nil, err
	}
	return started{process, s.log}, nil
}

// started is a plugin process as a run sees it.
type started struct {
	*host.Process
	log slog.Handler
}

// Plan plans with the plugin's log records and progress going to the host's.
func (s started) Plan(ctx context.Context, request plugins.Request, asker observe.Asker, progress func(string)) (plugins.Plan, error) {
	return s.Process.Plan(ctx, request, asker, s.events(progress))
}

// Confirm likewise asks whether an action was done.
func (s started) Confirm(ctx context.Context, action plugins.Action, asker observe.Asker, progress func(string)) (plugins.Result, error) {
	return s.Process.Confirm(ctx, action, asker, s.events(progress))
}

// Perform likewise has the plugin do its own action.
func (s started) Perform(ctx context.Context, action plugins.Action, asker observe.Asker,
	do func(context.Context, plugins.Command) (observe.Answer, error), progress func(string)) (plugins.Result, error) {
	return s.Process.Perform(ctx, action, asker, do, s.events(progress))
}

func (s started) events(progress func(string)) host.Events {
	return host.Events{Log: s.log, Progress: func(_, _ int64, what string) { progress(what) }}
}
