package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mqhk/mqhk/agent/host"
	"github.com/mqhk/mqhk/agent/roster"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/transcript"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/plugintest"
	"github.com/mqhk/mqhk/policies"
)

// trial is what mqhk plugin check was asked for.
type trial struct{ transcript, settings, tree string }

func (a *app) pluginCheckCommand() *cobra.Command {
	var c trial
	cmd := &cobra.Command{
		Use:   "check BINARY",
		Short: "Try whether a plugin does what every plugin must",
		Long: `Check starts a plugin again and again and tries it: whether it says what it is,
plans the same thing twice, survives questions without an answer, ends when it
is asked to. docs/plugins.md lists the checks and says what each one means.

BINARY is a file, locked or not: it is started, so try what you trust. A name
without a slash may be that of a built-in plugin. Plans are made on a transcript;
without one no question is answered, and some checks have nothing to look at.
Nothing is asked of any system.`,
		Example: `  mqhk plugin check bin/mqhk-plugin-depths --transcript testdata/queues.mqt
  mqhk plugin check journal --transcript examples/orders.mqt`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.pluginCheck(cmd.Context(), args[0], c) },
	}
	flags := cmd.Flags()
	flags.StringVar(&c.transcript, "transcript", "", "`FILE` with the answers that plans are made on")
	flags.StringVar(&c.settings, "settings", "", "`FILE` with the settings of a config block, one a line, where the defaults will not do")
	flags.StringVar(&c.tree, "tree", "", "`DIR` that no plan may change")
	return cmd
}

// checkedPlugin is the result.
type checkedPlugin struct {
	Plugin  string               `json:"plugin"`
	Version string               `json:"version"`
	SHA256  string               `json:"sha256"`
	Passed  bool                 `json:"passed"`
	Checks  []plugintest.Verdict `json:"checks"`
}

func (a *app) pluginCheck(ctx context.Context, binary string, c trial) error {
	subject, options := a.subject(binary), plugintest.Options{Tree: c.tree}
	if subject.source.Path != "" {
		options.Taken = builtinNames()
	}
	if c.transcript != "" {
		script, err := transcript.Open(c.transcript)
		if err != nil {
			return &exitError{exitUsage, err}
		}
		options.Transcript = script
	}
	var checked checkedPlugin
	if process, err := host.Start(ctx, subject.source, subject.settings); err == nil {
		checked.Plugin, checked.Version, checked.SHA256 = process.Describe().Name, process.Describe().Version, process.SHA256()
		options.Settings, err = settingsFrom(c.settings, process.Describe())
		stopped := process.Stop() //nolint:contextcheck // it is ended whatever ctx says
		if err != nil {
			return errors.Join(&exitError{exitUsage, err}, stopped)
		}
	} // else the first check says why not
	checked.Checks = plugintest.Try(ctx, subject, options)
	if err := ctx.Err(); err != nil {
		return &exitError{exitInterrupted, err}
	}
	checked.Passed = !slices.ContainsFunc(checked.Checks, func(v plugintest.Verdict) bool { return v.State == plugintest.Failed })
	if err := a.result(checked, func() string { return checkedText(checked) }); err != nil {
		return err
	}
	if !checked.Passed {
		return &exitError{code: exitPlugin}
	}
	return nil
}

// settingsFrom reads a file of settings with the schema of the plugin.
func settingsFrom(file string, description plugins.Description) (map[string]any, error) {
	if file == "" {
		return nil, nil
	}
	written, err := policies.ReadSettings(file)
	if err != nil {
		return nil, err
	}
	config, err := policies.DecodeConfig(written, description.Schema)
	return config.Settings(), err
}

// checkedText gives a line for each check, and below one that failed what it
// found and what that means.
func checkedText(checked checkedPlugin) string {
	var b strings.Builder
	if checked.Plugin != "" {
		fmt.Fprintf(&b, "%s %s, SHA-256 %s\n\n", checked.Plugin, checked.Version, checked.SHA256)
	}
	means := make(map[string]string)
	for _, check := range plugintest.Checks() {
		means[check.Name] = check.Fails
	}
	for _, v := range checked.Checks {
		fmt.Fprintf(&b, "%-20s %s", v.Check, v.State)
		if v.Why != "" {
			fmt.Fprintf(&b, ": %s", v.Why)
		}
		b.WriteString("\n")
		for _, problem := range v.Problems {
			fmt.Fprintf(&b, "    %s\n", strings.ReplaceAll(problem, "\n", "\n    "))
		}
		if v.State == plugintest.Failed {
			fmt.Fprintf(&b, "  What that means: %s\n", means[v.Check])
		}
	}
	return b.String()
}

// subject finds what is to be tried: a built-in plugin, or a file.
func (a *app) subject(binary string) hostSubject {
	s := hostSubject{settings: host.Settings{
		StopLimit: 2 * plugintest.EndLimit, // the checks see whether it was late
		Log:       a.log.Handler(),
	}}
	if slices.Contains(builtinNames(), binary) {
		s.source = host.SelfExec(binary)
		return s
	}
	s.source = host.Source{Path: binary}
	name := strings.TrimPrefix(strings.TrimSuffix(filepath.Base(binary), ".exe"), "mqhk-plugin-")
	if roster.FileName(name) == filepath.Base(binary) && plugins.CheckName(name) == "" {
		s.source.Name = name // as a host takes it from the file
	}
	return s
}

// hostSubject is a plugin's file, as the checks start it.
type hostSubject struct {
	source   host.Source
	settings host.Settings
}

// Start starts it as a process.
func (s hostSubject) Start(ctx context.Context, options plugintest.StartOptions) (plugintest.Running, error) {
	s.settings.Stdout = options.Stdout
	process, err := host.Start(ctx, s.source, s.settings)
	if err != nil {
		return nil, err
	}
	return checkedProcess{process}, nil
}

// checkedProcess is a process as the checks see it.
type checkedProcess struct{ *host.Process }

// Gone tells that the process has ended.
func (p checkedProcess) Gone() bool {
	select {
	case <-p.Exited():
		return true
	default:
		return false
	}
}

// Plan has the plugin plan.
func (p checkedProcess) Plan(ctx context.Context, request plugins.Request, asker observe.Asker, events plugintest.Events) (plugins.Plan, error) {
	return p.Process.Plan(ctx, request, asker, heard(events))
}

// Confirm asks whether an action was done.
func (p checkedProcess) Confirm(ctx context.Context, action plugins.Action, asker observe.Asker, events plugintest.Events) (plugins.Result, error) {
	return p.Process.Confirm(ctx, action, asker, heard(events))
}

// Perform has the plugin do its own action.
func (p checkedProcess) Perform(ctx context.Context, action plugins.Action, asker observe.Asker, do plugintest.Do, events plugintest.Events) (plugins.Result, error) {
	return p.Process.Perform(ctx, action, asker, host.Do(do), heard(events))
}

func heard(events plugintest.Events) host.Events {
	handler := events.Log
	if handler == nil {
		handler = slog.DiscardHandler
	}
	return host.Events{Progress: events.Progress, Log: handler}
}
