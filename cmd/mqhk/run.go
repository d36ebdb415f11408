package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/mqhk/mqhk/agent"
	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/agent/run"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/policies"
)

// running is what the flags of run ask for.
type running struct {
	selection
	apply   bool
	kept    string
	verbose bool
	failOn  string
	lease   time.Duration // 0: that of agent/run
}

func (a *app) runCommand() *cobra.Command {
	var r running
	cmd := &cobra.Command{
		Use:         "run",
		Annotations: map[string]string{reported: ""},
		Short:       "One run now; without --apply it is a plan and recorded as one",
		Long: `Run carries out the tasks of policies on targets and records what was seen,
intended and done. Without --apply it changes nothing: it is a plan that is
recorded. The first run on a target is a plan in any case, since nothing is
known of it yet that what is seen could be held against.

With --plan it is the plan of a file in place of a new one. Without --apply that
is held against what is there now, and shows what it would do, or why it is
refused; it may be looked at as often as one likes.

A signal stops it after the action that it is at. See docs/apply.md.`,
		Example: `  mqhk run --policy conservative --target ORDERS
  mqhk run --policy conservative --target ORDERS --apply
  mqhk run --plan tonight.plan`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.run(cmd.Context(), r) },
	}
	r.flags(a, cmd)
	r.limitFlag(cmd)
	cmd.Flags().BoolVar(&r.apply, "apply", false, "do it: save, delete and whatever else the plan says")
	cmd.Flags().StringVar(&r.kept, "plan", "", "the plan that mqhk plan -o wrote to `FILE`, and nothing else: show what it would do now, or with --apply carry it out, once")
	cmd.Flags().BoolVarP(&r.verbose, "verbose", "v", false, "a line for each segment instead of one for each range")
	cmd.Flags().StringVar(&r.failOn, "fail-on", "critical", "exit with 3 on findings of this `SEVERITY` or worse: warning, critical or never")
	cmd.Flags().DurationVar(&r.lease, "lease", 0, "how long the claim on a target outlasts the last sign of life, at least 1s (default 2m)")
	_ = cmd.Flags().MarkHidden("lease") // the flag is there; it is for tests and rehearsals
	return cmd
}

func (a *app) run(ctx context.Context, r running) error {
	format, err := a.reportFormat()
	if err != nil {
		return err
	}
	if _, err := failing(r.failOn); err != nil {
		return err
	}
	record, err := a.runRecord(ctx, r)
	if err != nil && len(record.Targets) == 0 {
		return err
	}
	// What was done before an interruption is shown too.
	return errors.Join(a.writeReport(record, format, r.verbose), cmp.Or(err, applied(record, r.failOn)))
}

// runRecord runs what was selected.
func (a *app) runRecord(ctx context.Context, r running) (ledger.Record, error) {
	none := ledger.Record{}
	kept, err := r.prepare()
	if err != nil {
		return none, err
	}
	w, err := a.workOn(ctx, r.selection)
	if err != nil {
		return none, err
	}
	mode := connect.Plan
	if r.apply {
		mode = connect.Apply
		a.mayFinish(agent.DefaultStop)
		for _, t := range w.found.targets {
			if w.found.recorded[t.Name] && w.concerned(t) {
				return none, usage("%s is a recorded transcript: there is nothing to change there", t)
			}
		}
	}
	if err := w.write(ctx); err != nil {
		return none, err
	}
	defer w.close()
	order, err := w.order(mode)
	if err != nil {
		return none, err
	}
	order.Kept, order.Lease = kept, r.lease
	within := w.timeout()
	bounded, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	record, err := run.Run(bounded, order)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		err = fmt.Errorf("the run was ended after %s: %w", within, err)
	}
	return record, classify(err)
}

// prepare refuses what can't be meant, and reads the kept plan.
func (r *running) prepare() (*run.Kept, error) {
	switch {
	case r.lease != 0 && r.lease < time.Second:
		return nil, usage("--lease %s is less than 1s", r.lease)
	case r.apply && r.transcript != "":
		return nil, usage("--apply with --transcript: there is nothing to change in a transcript")
	case r.kept == "":
		return nil, nil
	}
	kept, err := run.ReadKept(r.kept)
	if err != nil {
		return nil, &exitError{exitFailed, err}
	}
	r.selectOf(kept)
	return &kept, nil
}

// selectOf takes policies and targets from the kept plan where none are named:
// it says itself what it is about.
func (r *running) selectOf(kept run.Kept) {
	byPlan := len(r.policies) == 0
	anywhere := len(r.targets) == 0
	for _, t := range kept.Tasks {
		if byPlan && !slices.Contains(r.policies, t.Policy) {
			r.policies = append(r.policies, t.Policy)
		}
		if name := t.Platform + "/" + t.Target; anywhere && !slices.Contains(r.targets, name) {
			r.targets = append(r.targets, name)
		}
	}
}

// concerned tells whether any task works on a target.
func (w *work) concerned(t observe.Target) bool {
	for _, p := range w.chosen {
		for _, task := range p.Tasks {
			if t.Matches(task.Targets) {
				return true
			}
		}
	}
	return false
}

// timeout gives how long a run by hand may take: as long as the slowest of its
// policies may on schedule.
func (w *work) timeout() time.Duration {
	longest := policies.DefaultTimeout
	for _, p := range w.chosen {
		for _, t := range p.Tasks {
			if s := p.ScheduleOf(t); s != nil {
				longest = max(longest, s.Timeout)
			}
		}
	}
	return longest
}

// applied gives the exit status of a run: 5 where a plugin failed, 1 where
// what was tried failed and nothing was done, 3 where it was done in part or
// a finding is critical.
func applied(record ledger.Record, failOn string) error {
	fails, err := failing(failOn)
	if err != nil {
		return err
	}
	if err := status(record, planned{failOn: failOn}); err != nil && errors.As(err, new(*exitError)) && exitOf(err) == exitPlugin {
		return err
	}
	var done, failed, open, critical bool
	for _, s := range record.Run.Skipped {
		failed, open = failed || !s.Fired, open || !s.Fired
	}
	for _, t := range record.Targets {
		failed, open = failed || t.Error != "", open || t.Error != ""
		for _, a := range t.Actions {
			switch plugins.State(a.Outcome) {
			case plugins.Done:
				done = true
			case plugins.Failed, plugins.Unknown:
				failed, open = true, true
			case plugins.Planned:
				open = open || !record.DryRun
			default:
				open = true
			}
		}
		for _, f := range t.Findings {
			critical = critical || fails(f.Severity)
		}
	}
	switch {
	case failed && !done:
		return &exitError{exitFailed, nil}
	case open || critical:
		return &exitError{exitCritical, nil}
	}
	return nil
}

// exitOf gives the status that an error ends with; 0: it has none.
func exitOf(err error) int {
	var exit *exitError
	if errors.As(err, &exit) {
		return exit.code
	}
	return 0
}
