package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/report"
	"github.com/mqhk/mqhk/agent/run"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/policies"
)

func (a *app) eligibleCommand() *cobra.Command {
	var s selection
	cmd := &cobra.Command{
		Use:   "eligible TARGET SEGMENT",
		Short: "May this one go? Exit 0 yes, 1 no or not known, with the reason",
		Long: `Eligible looks afresh and says whether one segment (NAME or LIBRARY/NAME) may
be deleted now under the policies that are named (default conservative). It is
made for a delete journal receiver exit program: docs/eligible.md. Any doubt is
a no.`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.eligible(cmd.Context(), s, args[0], args[1])
		},
	}
	cmd.Flags().StringArrayVar(&s.policies, "policy", []string{"conservative"}, "policy by `NAME|FILE` that must allow it; may be given several times")
	cmd.Flags().StringVar(&s.transcript, "transcript", "", "look at the answers recorded in `FILE`")
	return cmd
}

func (a *app) eligible(ctx context.Context, s selection, name, segment string) error {
	format, err := a.reportFormat()
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
	found, err := a.targets(configuration, s.transcript, []string{name})
	if err != nil {
		return err
	}
	if len(found.targets) != 1 {
		return usage("%q is not one target but %s", name, names(found.targets))
	}
	target := found.targets[0]
	answer, err := run.Eligible(ctx, connect.New(connect.Plan, found.dial), target, promises(chosen, target), segment)
	if err != nil {
		return &exitError{exitFailed, err}
	}
	if err := a.writeEligibility(format, answer); err != nil {
		return &exitError{exitFailed, err}
	}
	if !answer.Eligible {
		return &exitError{exitFailed, nil}
	}
	return nil
}

func (a *app) writeEligibility(format report.Format, answer run.Eligibility) error {
	if format == report.JSON {
		return json.NewEncoder(a.stdout).Encode(answer)
	}
	word := "no"
	if answer.Eligible {
		word = "yes"
	}
	_, err := fmt.Fprintf(a.stdout, "%s: %s of %s: %s\n", word, answer.Segment, answer.Target, report.Printable(answer.Why))
	return err
}

// promises gives what the tasks of policies promise a target.
func promises(chosen []policies.Policy, target observe.Target) []recovery.Promise {
	var all []recovery.Promise
	for _, p := range chosen {
		for _, t := range p.Tasks {
			if target.Matches(t.Targets) {
				all = append(all, t.Promise())
			}
		}
	}
	return all
}
