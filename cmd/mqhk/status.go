package main

import (
	"context"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/policies"
)

// statusSchema names the form of what mqhk status writes as JSON.
const statusSchema = "mqhk.status/v1"

// watching is what the flags of status ask for.
type watching struct {
	selection
	maxAge string
	failOn string
}

func (a *app) statusCommand() *cobra.Command {
	var s watching
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Last good run of each task on each target, and what is open",
		Long: `Status shows, from the ledger alone, when each task of the policies last did on
each target all that it should, how long ago that is, which firings were missed,
which actions have no known outcome, and what is held. No system is asked.

With --max-age and --fail-on it is made for a monitor: it ends with 3 and says
why in a line for each reason. Both look at every task that has a schedule, or,
where none has, at every task that was ever run. Of a schedule in mode "apply"
only a good apply counts as a good run.`,
		Example: `  mqhk status --max-age 26h --fail-on critical`,
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.status(cmd.Context(), s) },
	}
	cmd.Flags().StringArrayVar(&s.policies, "policy", nil, "policy by `NAME|FILE`; may be given several times (default the configuration's own, else the bundled ones)")
	cmd.Flags().StringArrayVar(&s.targets, "target", nil, "`PATTERN` platform/name or name of targets; may be given several times (default all)")
	s.estateFlag(cmd)
	cmd.Flags().StringVar(&s.maxAge, "max-age", "", "exit with 3 when the last good run of a task began longer than this `DURATION` ago, as 26h or 2d, or there was none")
	cmd.Flags().StringVar(&s.failOn, "fail-on", "never", "exit with 3 when the last run of a task failed or has findings of this `SEVERITY` or worse: warning, critical or never")
	return cmd
}

// statusResult is the result.
type statusResult struct {
	Schema  string         `json:"schema"`
	Ledger  string         `json:"ledger"`              // its folder
	None    bool           `json:"no_ledger,omitempty"` // there is none in it
	Targets []statusTarget `json:"targets"`
	Reasons []string       `json:"reasons"` // why the exit status is 3
}

// statusTarget is what the ledger says of a target.
type statusTarget struct {
	Name   string       `json:"name"`
	Tasks  []statusTask `json:"tasks"`
	Open   []statusOpen `json:"open"` // actions of which no outcome is known
	Holds  []holdListed `json:"holds"`
	Moment time.Time    `json:"now"` // on this machine
}

// statusTask is a task of a policy on the target.
type statusTask struct {
	Task    string      `json:"task"`           // policy/task
	Mode    string      `json:"mode,omitempty"` // of its schedule; empty: it has none
	Good    *statusRun  `json:"last_good,omitempty"`
	Last    *statusRun  `json:"last,omitempty"`       // of any outcome
	Applied *statusRun  `json:"last_apply,omitempty"` // good, and no plan
	Missed  []statusDue `json:"missed"`               // since the last firing that was run
	// Findings are those of the last run that ended, Error why it failed.
	Findings []statusFinding `json:"findings"`
	Error    string          `json:"error,omitempty"`
}

// statusFinding is a finding, without its text: mqhk history RUN has that.
type statusFinding struct {
	Severity finding.Severity `json:"severity"`
	Code     finding.Code     `json:"code"`
}

// statusRun is a run of the task.
type statusRun struct {
	Run     string    `json:"run"`
	Mode    string    `json:"mode"`
	Started time.Time `json:"started"`
	Age     string    `json:"age"`
	Seconds int64     `json:"age_seconds"`
	Outcome string    `json:"outcome"`
}

// statusDue is a firing that was not run.
type statusDue struct {
	Key string `json:"key"`
	Why string `json:"why"`
}

// statusOpen is an action that was intended and has no outcome.
type statusOpen struct {
	Task   string    `json:"task"`
	Run    string    `json:"run"`
	Action string    `json:"action"`
	Object string    `json:"object"`
	At     time.Time `json:"at"`
	State  string    `json:"state,omitempty"` // pending or unknown: it was looked at
	Live   bool      `json:"live"`            // somebody may be doing it now
}

func (a *app) status(ctx context.Context, s watching) error {
	limits, err := s.limits()
	if err != nil {
		return err
	}
	configuration, err := a.configuration()
	if err != nil {
		return err
	}
	chosen, err := choose(configuration, s.policies)
	if err != nil {
		return err
	}
	found, err := a.targets(ctx, configuration, s.source, s.targets)
	if err != nil {
		return err
	}
	return a.withKnown(ctx, func(l *ledger.Ledger) error {
		now := time.Now().Truncate(time.Second)
		result := statusResult{Schema: statusSchema, None: l == nil, Targets: []statusTarget{}}
		if result.Ledger, err = a.ledgerDir(); err != nil {
			return err
		}
		for _, t := range found.targets {
			one := found
			one.targets = []observe.Target{t}
			target, err := statusOf(ctx, l, chosen, &one, now)
			if err != nil {
				return err
			}
			result.Targets = append(result.Targets, target)
		}
		result.Reasons = limits.reasons(result.Targets)
		if err := a.result(result, func() string { return statusReport(result) }); err != nil {
			return err
		}
		if len(result.Reasons) > 0 {
			return &exitError{exitCritical, nil}
		}
		return nil
	})
}

// statusOf gives what the ledger says of one target; nil: there is none.
func statusOf(ctx context.Context, l *ledger.Ledger, chosen []policies.Policy, found *reachable, now time.Time) (statusTarget, error) {
	t := found.targets[0]
	status := statusTarget{Name: t.Name, Tasks: []statusTask{}, Open: []statusOpen{}, Holds: []holdListed{}, Moment: now}
	var runs []ledger.Summary
	var err error
	if l != nil {
		if runs, err = l.Runs(ctx, ledger.Filter{Target: t.Name}); err != nil {
			return status, err
		}
		if status.Open, err = openOf(ctx, l, t.Name); err != nil {
			return status, err
		}
		if status.Holds, err = holdsOf(ctx, l, found); err != nil {
			return status, err
		}
		status.Holds = slices.DeleteFunc(status.Holds, func(h holdListed) bool { return !h.Stands })
	}
	for _, p := range chosen {
		for _, task := range p.Tasks {
			if !t.Matches(task.Targets) {
				continue
			}
			one := taskOf(runs, t.Name, p.Name, task.Name, now)
			if s := p.ScheduleOf(task); s != nil {
				one.Mode = string(s.Mode)
			}
			if err := one.found(ctx, l, t.Name, p.Name, task.Name); err != nil {
				return status, err
			}
			if one.Missed, err = missedOf(ctx, l, t.Name, one.Task); err != nil {
				return status, err
			}
			status.Tasks = append(status.Tasks, one)
		}
	}
	return status, nil
}
