package main

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/agent/report"
	"github.com/mqhk/mqhk/agent/run"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/policies"
)

// selection says which policies are meant, on which targets.
type selection struct {
	source
	policies  []string
	targets   []string
	unlimited bool // stores read the log as fast as it goes
}

func (s *selection) flags(a *app, cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&s.policies, "policy", nil, "policy by `NAME|FILE`; may be given several times (default the configuration's own, else the bundled ones)")
	cmd.Flags().StringArrayVar(&s.targets, "target", nil, "`PATTERN` platform/name or name of targets; may be given several times (default all)")
	s.source.flags(cmd, "take the answers recorded in `FILE`, without access to any system")
	_ = cmd.RegisterFlagCompletionFunc("policy", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return a.policyNames(), cobra.ShellCompDirectiveDefault
	}) // the flag is there
}

// limitFlag adds the flag that lets stores take the log as fast as it goes.
func (s *selection) limitFlag(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&s.unlimited, "no-limit", false, "save as fast as it goes, whatever rate the stores are given")
}

// planned is what the flags of plan ask for.
type planned struct {
	selection
	output   string
	verbose  bool
	detailed bool
	failOn   string
	need     string
}

func (a *app) planCommand() *cobra.Command {
	var p planned
	cmd := &cobra.Command{
		Use:         "plan",
		Annotations: map[string]string{reported: ""},
		Short:       "Dry run: what would be done, what is kept, and why",
		Long: `Plan shows what each policy would delete, save first, keep and hold on each
target, and why. It is a dry run: nothing can change. Several policies are
shown side by side, on one observation. With -o the plan is put away too, to be
read, approved and carried out once within a day: mqhk run --plan FILE --apply.
A plan that does nothing is not put away, and the exit status is 1.

With --need, when a disk is filling, the report says too what could go beyond the
policy, the least loss of promise first, and what would do it. Nothing of that is
planned.`,
		Example: `  mqhk plan --policy conservative --transcript orders.mqt
  mqhk plan --policy conservative --policy aggressive --target 'ibmi/*' --format markdown
  mqhk plan --policy conservative --target QM1 --need 20GiB`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.plan(cmd.Context(), p) },
	}
	p.flags(a, cmd)
	p.limitFlag(cmd)
	cmd.Flags().StringVarP(&p.output, "output", "o", "", "put the plan away in `FILE`, which must not exist yet, for mqhk run --plan")
	cmd.Flags().BoolVarP(&p.verbose, "verbose", "v", false, "a line for each segment instead of one for each range")
	cmd.Flags().BoolVar(&p.detailed, "detailed-exitcode", false, "exit with 2 when there is something to do")
	cmd.Flags().StringVar(&p.need, "need", "", "say what could go to free `SIZE`, as 20GiB, and what each step would give up")
	cmd.Flags().StringVar(&p.failOn, "fail-on", "critical", "exit with 3 on findings of this `SEVERITY` or worse: warning, critical or never")
	return cmd
}

func (a *app) plan(ctx context.Context, p planned) error {
	format, err := a.reportFormat()
	if err != nil {
		return err
	}
	if _, err := failing(p.failOn); err != nil {
		return err
	}
	need, err := needed(p.need)
	if err != nil {
		return err
	}
	record, err := a.planRecord(ctx, p, need)
	unusable := exitOf(err) == exitPlugin && len(record.Targets) > 0 // each with its error
	if err != nil && !unusable && !errors.Is(err, run.ErrNothingToKeep) {
		return err
	}
	if format == report.Script {
		a.warnOfAge(record)
	}
	if shown := a.writeReport(record, format, p.verbose); shown != nil {
		return shown
	}
	if ended := status(record, p); err == nil || exitOf(ended) == exitPlugin && !unusable {
		return ended
	}
	return err
}

// planRecord plans what was selected, and puts the plan away where it is to be
// kept. What earlier runs left is read; nothing else is written, not even where
// there is none yet.
func (a *app) planRecord(ctx context.Context, p planned, need int64) (ledger.Record, error) {
	w, err := a.workOn(ctx, p.selection)
	if err != nil {
		return ledger.Record{}, err
	}
	defer w.close()
	w.need = need
	if err := w.look(ctx); err != nil {
		return ledger.Record{}, err
	}
	if p.output == "" {
		return w.makePlan(ctx)
	}
	return w.keepPlan(ctx, p.output)
}

// needed reads --need: how many bytes of room are wanted; none where it is not
// given.
func needed(text string) (int64, error) {
	if text == "" {
		return 0, nil
	}
	bytes, err := policies.ParseSize(text)
	switch {
	case err != nil:
		return 0, usage("--need: %w", err)
	case bytes == 0:
		return 0, usage("--need %s asks for nothing", text)
	}
	return bytes, nil
}

// oldAnswers is the age from which on the answers that a plan was made on are
// worth a warning: receivers and recovery points move every day.
const oldAnswers = 24 * time.Hour

// warnOfAge warns of statements that were planned on old answers. It is no
// part of the record: the same observation gives the same record at any time.
func (a *app) warnOfAge(record ledger.Record) {
	warned := make(map[string]bool)
	for _, t := range record.Targets {
		if slices.Contains(record.Run.Simulated, t.Name) {
			continue // its clock is its own
		}
		observed, err := time.Parse(time.RFC3339, t.Observed)
		if age := time.Since(observed); err == nil && age > oldAnswers && !warned[t.Name] {
			warned[t.Name] = true
			a.log.Warn("planned on old answers: record them again before you submit anything", "target", t.Name, "observed", t.Observed, "days", int(age/oldAnswers))
		}
	}
}

// progress says in the log how far a plan is, for who asks for that level.
func (a *app) progress() func(target, what string) {
	return func(target, what string) { a.log.Debug("planning", "target", target, "doing", what) }
}

// classify gives an error of a run its exit status.
func classify(err error) error {
	var (
		config *run.ConfigError
		plugin *run.PluginError
	)
	switch {
	case err == nil:
		return nil
	case errors.As(err, &config):
		return &exitError{exitUsage, config.Diagnostics}
	case errors.Is(err, run.ErrNoTarget):
		return &exitError{exitUsage, err}
	case errors.As(err, &plugin):
		return &exitError{exitPlugin, err}
	default:
		return &exitError{exitFailed, err}
	}
}

// choose gives the policies that were named; where none was, the
// configuration's own, and where it has none the bundled ones.
func choose(configuration *policies.Configuration, named []string) ([]policies.Policy, error) {
	if len(named) > 0 {
		chosen, err := configuration.Find(named...)
		if err != nil {
			return nil, &exitError{exitUsage, err}
		}
		return chosen, nil
	}
	if list := own(configuration); len(list) > 0 {
		return list, nil
	}
	return configuration.Policies, nil
}

// own gives the policies that are the configuration's own.
func own(configuration *policies.Configuration) []policies.Policy {
	var list []policies.Policy
	for _, p := range configuration.Policies {
		if !p.Bundled {
			list = append(list, p)
		}
	}
	return list
}

// failing reads --fail-on.
func failing(word string) (func(finding.Severity) bool, error) {
	if word == "never" {
		return func(finding.Severity) bool { return false }, nil
	}
	least, err := finding.ParseSeverity(word)
	if err != nil || least == finding.Info {
		return nil, usage("--fail-on %q is none of warning, critical, never", word)
	}
	return func(s finding.Severity) bool { return s >= least }, nil
}

// status gives the exit status of a plan.
func status(record ledger.Record, p planned) error {
	fails, err := failing(p.failOn)
	if err != nil {
		return err
	}
	failed, plugin, critical, actions := false, false, false, false
	for _, t := range record.Targets {
		if t.Error != "" {
			failed = true
			plugin = plugin || t.Failure == run.FailedPlugin
		}
		actions = actions || len(t.Actions) > 0
		for _, f := range t.Findings {
			critical = critical || fails(f.Severity)
		}
	}
	switch {
	case plugin:
		return &exitError{exitPlugin, nil}
	case failed:
		return &exitError{exitFailed, nil}
	case critical:
		return &exitError{exitCritical, nil}
	case actions && p.detailed:
		return &exitError{exitActions, nil}
	}
	return nil
}
