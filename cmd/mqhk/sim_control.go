package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mqhk/mqhk/core/sim"
)

func (s *simulated) mqscCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "mqsc QUEUE-MANAGER [COMMAND]...",
		Short: "Give MQSC commands to a queue manager of Multiplatforms, as runmqsc does",
		Long: `Mqsc gives commands, or the standard input where there are none, to a queue
manager and prints what runmqsc prints. The exit status is that of runmqsc: 10
when a command failed, 20 when the queue manager could not be asked.`,
		Example: `  mqhk sim mqsc QM1 'DISPLAY QMSTATUS ALL'
  mqhk sim mqsc QM1 'ALTER QMGR IMGSCHED(AUTO) IMGINTVL(60)' 'DEFINE QLOCAL(PAYMENTS)'
  mqhk sim mqsc QM1 < queues.mqsc`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			script := []byte(strings.Join(args[1:], "\n") + "\n")
			if len(args) == 1 {
				var err error
				if script, err = io.ReadAll(cmd.InOrStdin()); err != nil {
					return &exitError{exitFailed, fmt.Errorf("reading the commands: %w", err)}
				}
			}
			find := func(e *sim.Estate) (sim.Site, error) { return e.Site(args[0]) }
			return s.control(cmd.Context(), find, []string{"runmqsc", args[0]}, script)
		},
	}
}

func (s *simulated) controlCommand() *cobra.Command {
	var system string
	cmd := &cobra.Command{
		Use:   "control -- COMMAND [ARGUMENT]...",
		Short: "Give a control command on a system of Multiplatforms: strmqm, rcdmqimg, dmpmqlog, ...",
		Long: `Control carries out a control command as the administrator of a machine would,
with the output and the exit status of the command. Runmqsc reads its commands
from the standard input. In an estate with several systems it goes to that of the
queue manager which it names; --system says which one where it names none.`,
		Example: `  mqhk sim control -- rcdmqimg -m QM1 -t all '*'
  mqhk sim control -- endmqm -i QM1
  mqhk sim control -- dmpmqlog -m QM1 -b`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var script []byte
			if args[0] == "runmqsc" {
				var err error
				if script, err = io.ReadAll(cmd.InOrStdin()); err != nil {
					return &exitError{exitFailed, fmt.Errorf("reading the commands: %w", err)}
				}
			}
			find := func(e *sim.Estate) (sim.Site, error) {
				if system == "" {
					return e.SiteOf(args)
				}
				return e.SiteNamed(system)
			}
			return s.control(cmd.Context(), find, args, script)
		},
	}
	cmd.Flags().StringVar(&system, "system", "", "`NAME` of the system (default that of the queue manager in the command, or the only one)")
	return cmd
}

// control carries out a control command: one that only shows something beside
// others who have the estate.
func (s *simulated) control(ctx context.Context, find func(*sim.Estate) (sim.Site, error), argv []string, stdin []byte) error {
	with := s.work
	if sim.Shows(argv, stdin) {
		with = s.look
	}
	return with(ctx, func(e *sim.Estate) error {
		site, err := find(e)
		if err != nil {
			return err
		}
		ended, err := site.Run(ctx, argv, stdin)
		if err != nil {
			return err
		}
		return s.pass(ended)
	})
}

// pass hands on what a control command came to: its output as it is, since
// programs read it, and its exit code.
func (s *simulated) pass(ended sim.Ended) error {
	if _, err := s.stdout.Write(ended.Out); err != nil {
		return &exitError{exitFailed, fmt.Errorf("writing the result: %w", err)}
	}
	if _, err := s.stderr.Write(ended.Err); err != nil {
		return &exitError{exitFailed, fmt.Errorf("writing the result: %w", err)}
	}
	if ended.Code != 0 {
		return &exitError{code: ended.Code}
	}
	return nil
}
