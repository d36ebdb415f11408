package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/report"
	"github.com/mqhk/mqhk/agent/run"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/policies"
)

// asked is what the flags of eligible ask for.
type asked struct {
	selection
	maxAge time.Duration
}

func (a *app) eligibleCommand() *cobra.Command {
	var s asked
	cmd := &cobra.Command{
		Use:   "eligible TARGET SEGMENT",
		Short: "May this one go? Exit 0 yes, 1 no or not known, with the reason",
		Long: `Eligible looks afresh and says whether one segment (NAME or LIBRARY/NAME) may
be deleted now under the policies that are named. Where none is they are the
configuration's own that have a task for the target, and the bundled conservative
where the configuration has none of its own. It is made for a delete journal
receiver exit program (docs/eligible.md), and for the script of a site that
removes log extents itself. Any doubt is a no.`,
		Example: `  mqhk eligible ORDERS QMORDERS/AMQA000031
  mqhk eligible QM1 S0000100.LOG`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.eligible(cmd.Context(), s, args[0], args[1])
		},
	}
	help := cmd.HelpFunc()
	cmd.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		a.noAnswer = true // who asks takes exit status 0 for a yes
		help(cmd, args)
	})
	cmd.Flags().StringArrayVar(&s.policies, "policy", nil, "policy by `NAME|FILE` that must allow it; may be given several times (default the configuration's own, else conservative)")
	s.source.flags(cmd, "look at the answers recorded in `FILE`")
	cmd.Flags().DurationVar(&s.maxAge, "max-age", 0, "no, when the answers are older than this `DURATION` or their age is not known (default any age)")
	return cmd
}

func (a *app) eligible(ctx context.Context, s asked, name, segment string) error {
	s.targets = []string{name}
	w, err := a.workOn(ctx, s.selection)
	if err != nil {
		return err
	}
	defer w.close()
	if err := w.look(ctx); err != nil {
		return err
	}
	found := w.found
	if len(found.targets) != 1 {
		return usage("%q is not one target but %s", name, names(found.targets))
	}
	target := found.targets[0]
	if extent, err := extentOf(strings.ToUpper(segment)); err == nil && target.Platform == observe.Multiplatforms {
		segment = extent // S0000123 too; any other name is not in the list
	}
	binding, silent := promises(w.chosen, target)
	if len(s.policies) == 0 {
		if binding, err = standing(w.configuration, target); err != nil {
			return err
		}
		silent = nil // a policy for other targets says nothing of this one
	}
	answer, err := run.Eligible(ctx, connect.New(connect.Plan, found.dial), target, binding, segment)
	if err != nil {
		return &exitError{exitFailed, err}
	}
	if len(silent) > 0 {
		answer.Eligible = false
		answer.Why = fmt.Sprintf("no task of policy %s speaks of %s", strings.Join(silent, ", "), target)
	}
	if s.maxAge > 0 && answer.Eligible && !found.simulated[target.Name] { // an estate stands still between commands
		answer.Eligible, answer.Why = fresh(answer, s.maxAge, time.Now())
	}
	if err := a.result(answer, func() string { return eligibilityText(answer) }); err != nil {
		return err
	}
	if !answer.Eligible {
		return &exitError{exitFailed, nil}
	}
	return nil
}

// clockSlack is how far the clock of a target may be ahead of this one's.
const clockSlack = time.Minute

// fresh takes a yes back that rests on answers older than asked for, of a time
// that is not known, or of the future.
func fresh(answer run.Eligibility, maxAge time.Duration, now time.Time) (bool, string) {
	age := now.Sub(answer.Observed)
	switch {
	case answer.Observed.IsZero():
		return false, "when the answers were given is not known"
	case age > maxAge:
		return false, fmt.Sprintf("the answers are too old: of %s", answer.Observed.Format(time.RFC3339))
	case age < -clockSlack:
		return false, fmt.Sprintf("the answers are of the future: of %s", answer.Observed.Format(time.RFC3339))
	}
	return answer.Eligible, answer.Why
}

func eligibilityText(answer run.Eligibility) string {
	word := "no"
	if answer.Eligible {
		word = "yes"
	}
	return fmt.Sprintf("%s: %s of %s: %s\n", word, report.Printable(answer.Segment), report.Printable(answer.Target), report.Printable(answer.Why))
}

// standing gives what binds a target where no policy is named: the configuration's
// own policies, as a plan takes them, or the bundled conservative where it has
// none. Where none of its own speaks of the target nothing lets a segment go.
func standing(configuration *policies.Configuration, target observe.Target) ([]run.Binding, error) {
	chosen := own(configuration)
	if len(chosen) == 0 {
		var err error
		if chosen, err = choose(configuration, []string{"conservative"}); err != nil {
			return nil, err
		}
	}
	all, _ := promises(chosen, target)
	return all, nil
}

// promises gives what the tasks of policies promise a target, and the
// policies that have no task for it: each that is named must allow.
func promises(chosen []policies.Policy, target observe.Target) (all []run.Binding, silent []string) {
	for _, p := range chosen {
		before := len(all)
		for _, t := range p.Tasks {
			if target.Matches(t.Targets) {
				all = append(all, run.Binding{Policy: p.Name, Promise: t.Promise()})
			}
		}
		if len(all) == before {
			silent = append(silent, p.Name)
		}
	}
	return all, silent
}
