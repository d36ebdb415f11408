package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/mqhk/mqhk/agent"
	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/agent/run"
	"github.com/mqhk/mqhk/agent/schedule"
)

func (a *app) agentCommand() *cobra.Command {
	var s selection
	cmd := &cobra.Command{
		Use:   "agent",
		Short: "Stay and run on schedule",
		Long: `Agent stays and runs each task of the policies on its schedule, in the mode
that the schedule says: a plan where it does not say "apply". At its start it
says in the log what it will run and when; mqhk next shows more.

SIGTERM, SIGINT or SIGHUP stops it: what goes on finishes the action it is at
and is recorded, and the exit status is 0. After a minute, or at a second
signal, it ends at once. See docs/agent.md.`,
		Example: `  mqhk agent --config /etc/mqhk --state /var/lib/mqhk --log-format json`,
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.stay(cmd.Context(), s) },
	}
	cmd.Flags().StringArrayVar(&s.policies, "policy", nil, "policy by `NAME|FILE`; may be given several times (default the configuration's own, else the bundled ones)")
	cmd.Flags().StringArrayVar(&s.targets, "target", nil, "`PATTERN` platform/name or name of targets; may be given several times (default all)")
	_ = cmd.RegisterFlagCompletionFunc("policy", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return a.policyNames(), cobra.ShellCompDirectiveDefault
	}) // the flag is there
	return cmd
}

// stay runs what was selected until a signal comes.
func (a *app) stay(ctx context.Context, s selection) error {
	w, err := a.workOn(ctx, s)
	if err != nil {
		return err
	}
	tasks, err := agent.Tasks(w.chosen, w.found.targets)
	if err != nil {
		return &exitError{exitUsage, err}
	}
	if err := w.changeable(tasks); err != nil {
		return err
	}
	if err := a.checkOthers(ctx, a.roster(w.configuration), w.chosen); err != nil {
		return err
	}
	if err := w.write(ctx); err != nil {
		return err
	}
	defer w.close()
	a.staysUntilSignal()
	a.mayFinish(agent.DefaultStop)
	daemon := &agent.Agent{Tasks: tasks, Ledger: w.known.Ledger, Run: w.fire(s), Log: a.log, Clock: schedule.System()}
	return stopped(daemon.Serve(ctx))
}

// changeable refuses a task in mode apply on a target that can only be read.
func (w *work) changeable(tasks []agent.Task) error {
	for _, task := range tasks {
		for _, t := range task.Targets {
			if task.Mode() == connect.Apply && w.found.recorded[t.Name] {
				return usage("%s: %s in mode apply: %s is a recorded transcript: there is nothing to change there", task.Schedule.At, task.Name(), t)
			}
		}
	}
	return nil
}

// fire gives what the agent calls for each firing.
func (w *work) fire(s selection) agent.Runner {
	return func(ctx context.Context, f agent.Firing) (ledger.Record, error) {
		one := &work{app: w.app, configuration: w.configuration, known: w.known}
		one.chosen = append(one.chosen, f.Task.Policy)
		var err error
		if one.found, err = w.reachAgain(ctx, s); err != nil {
			return ledger.Record{}, err
		}
		order, err := one.order(f.Task.Mode())
		if err != nil {
			return ledger.Record{}, err
		}
		order.Targets = f.Task.Targets
		order.Key, order.Late, order.Lease = f.Key, f.Late > 0, agent.Lease
		order.By = fmt.Sprintf("%s, agent %d", whoami(), os.Getpid())
		return run.Run(ctx, order)
	}
}

// reachAgain reads transcripts anew: a collector may have written them since.
// All else is reached as before, so that two runs at a time share an estate,
// which is open while they last.
func (w *work) reachAgain(ctx context.Context, s selection) (reachable, error) {
	found, err := w.targets(ctx, w.configuration, s.source, s.targets)
	if err != nil {
		return found, err
	}
	for name, dialer := range w.found.dial {
		if !w.found.recorded[name] {
			found.dial[name] = dialer
		}
	}
	return found, nil
}

// stopped gives the exit status of an agent that was stopped.
func stopped(err error) error {
	var stuck *agent.Stuck
	switch {
	case err == nil:
		return nil
	case errors.As(err, &stuck):
		return &exitError{exitInterrupted, err}
	default:
		return ledgerFailed(err)
	}
}
