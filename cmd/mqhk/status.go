package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/agent/report"
	"github.com/mqhk/mqhk/agent/schedule"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/policies"
)

// statusSchema names the form of what mqhk status writes as JSON.
const statusSchema = "mqhk.status/v1"

func (a *app) statusCommand() *cobra.Command {
	var s selection
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Last good run of each task on each target, and what is open",
		Long: `Status shows, from the ledger alone, when each task of the policies last did on
each target all that it should, how long ago that is, which firings were missed,
which actions have no known outcome, and what is held. No system is asked.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.status(cmd.Context(), s) },
	}
	cmd.Flags().StringArrayVar(&s.policies, "policy", nil, "policy by `NAME|FILE`; may be given several times (default the configuration's own, else the bundled ones)")
	cmd.Flags().StringArrayVar(&s.targets, "target", nil, "`PATTERN` platform/name or name of targets; may be given several times (default all)")
	s.estateFlag(cmd)
	return cmd
}

// statusResult is the result.
type statusResult struct {
	Schema  string         `json:"schema"`
	Targets []statusTarget `json:"targets"`
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
	Task    string      `json:"task"` // policy/task
	Good    *statusRun  `json:"last_good,omitempty"`
	Last    *statusRun  `json:"last,omitempty"`       // of any outcome
	Applied *statusRun  `json:"last_apply,omitempty"` // good, and no plan
	Missed  []statusDue `json:"missed"`               // since the last firing that was run
}

// statusRun is a run of the task.
type statusRun struct {
	Run     string    `json:"run"`
	Mode    string    `json:"mode"`
	Started time.Time `json:"started"`
	Age     string    `json:"age"`
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

func (a *app) status(ctx context.Context, s selection) error {
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
		result := statusResult{Schema: statusSchema, Targets: []statusTarget{}}
		for _, t := range found.targets {
			one := found
			one.targets = []observe.Target{t}
			target, err := statusOf(ctx, l, chosen, &one, now)
			if err != nil {
				return err
			}
			result.Targets = append(result.Targets, target)
		}
		return a.result(result, func() string { return statusLines(result.Targets) })
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
			if one.Missed, err = missedOf(ctx, l, t.Name, one.Task); err != nil {
				return status, err
			}
			status.Tasks = append(status.Tasks, one)
		}
	}
	return status, nil
}

// taskOf finds the runs of one task among those of its target, newest first.
func taskOf(runs []ledger.Summary, target, policy, task string, now time.Time) statusTask {
	status := statusTask{Task: schedule.Name(policy, task)}
	for _, r := range runs {
		for _, t := range r.Targets {
			if t.Target != target || t.Policy != policy || t.Task != task {
				continue
			}
			run := &statusRun{r.ID, r.Mode, r.Started, inDays(now.Sub(r.Started)), r.Outcome}
			if status.Last == nil {
				status.Last = run
			}
			if status.Good == nil && t.Good && !r.Finished.IsZero() {
				status.Good = run
			}
			if status.Applied == nil && t.Good && !r.Finished.IsZero() && !r.DryRun {
				status.Applied = run
			}
		}
		if status.Good != nil && status.Applied != nil {
			break
		}
	}
	return status
}

// shownMissed bounds how far back missed firings are looked for.
const shownMissed = 100

// missedOf gives the firings that nobody ran since the last one that was run,
// newest first.
func missedOf(ctx context.Context, l *ledger.Ledger, target, task string) ([]statusDue, error) {
	missed := []statusDue{}
	if l == nil {
		return missed, nil
	}
	fired, err := l.Firings(ctx, target, task, shownMissed)
	if err != nil {
		return nil, err
	}
	for _, f := range fired {
		if f.State != ledger.FiringMissed {
			break
		}
		missed = append(missed, statusDue{f.Key, f.Outcome})
	}
	return missed, nil
}

func openOf(ctx context.Context, l *ledger.Ledger, target string) ([]statusOpen, error) {
	open := []statusOpen{}
	intents, err := l.OpenIntents(ctx, target)
	if err != nil {
		return nil, err
	}
	for _, o := range intents {
		open = append(open, statusOpen{o.Task, o.Run, o.Action.ID, o.Action.Object, o.At, string(o.State), o.Live})
	}
	return open, nil
}

// inDays writes an age in its two largest units.
func inDays(d time.Duration) string {
	d = max(d, 0).Round(time.Second)
	switch {
	case d >= 24*time.Hour:
		return fmt.Sprintf("%dd%dh", d/(24*time.Hour), d%(24*time.Hour)/time.Hour)
	case d >= time.Hour:
		return fmt.Sprintf("%dh%dm", d/time.Hour, d%time.Hour/time.Minute)
	case d >= time.Minute:
		return fmt.Sprintf("%dm%ds", d/time.Minute, d%time.Minute/time.Second)
	}
	return fmt.Sprintf("%ds", d/time.Second)
}

func statusLines(targets []statusTarget) string {
	var b strings.Builder
	for _, t := range targets {
		fmt.Fprintf(&b, "%s\n", report.Printable(t.Name))
		if len(t.Tasks) == 0 {
			b.WriteString("  no task of the policies works on it\n")
		}
		for _, task := range t.Tasks {
			fmt.Fprintf(&b, "  %-32s last good %s, last apply %s\n", report.Printable(task.Task), statusRunText(task.Good), statusRunText(task.Applied))
			if task.Last != nil && (task.Good == nil || task.Last.Run != task.Good.Run) {
				fmt.Fprintf(&b, "    the last run ended %s: %s\n", task.Last.Outcome, statusRunText(task.Last))
			}
			for _, m := range task.Missed {
				fmt.Fprintf(&b, "    missed: %s, %s\n", report.Printable(m.Key), report.Printable(m.Why))
			}
		}
		for _, o := range t.Open {
			state := "outcome not known yet"
			switch {
			case o.Live:
				state = "being done"
			case o.State != "":
				state = o.State
			}
			fmt.Fprintf(&b, "  open: %s %s, %s (run %s)\n", report.Printable(o.Action), report.Printable(o.Object), state, report.Printable(o.Run))
		}
		for _, h := range t.Holds {
			fmt.Fprintf(&b, "  held: %s", holdText(h))
		}
	}
	return b.String()
}

func statusRunText(r *statusRun) string {
	if r == nil {
		return "never"
	}
	return fmt.Sprintf("%s ago (%s, %s)", r.Age, r.Mode, report.Printable(r.Run))
}
