package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/mqhk/mqhk/agent/report"
)

// How many nights a demo may have. Images are recorded every second night, so
// it takes two for the recovery points to differ; many make it long.
const (
	leastNights = 2
	mostNights  = 30
)

// demoGrace is what a demo may take to end after a signal, beside the usual:
// a queue manager with deep queues is put away whole.
const demoGrace = 15 * time.Second

// demonstration is what the flags of demo ask for.
type demonstration struct {
	dir    string
	seed   uint64
	nights int
	noSync bool
}

func (a *app) demoCommand() *cobra.Command {
	var d demonstration
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "All of it once, on simulated queue managers: nights, plans, an apply, a crash, a recovery",
		Long: `Demo makes a simulated IBM i queue manager in a folder of its own, lets it live
some nights of real traffic, plans what three policies would do, applies two of
them, and crashes the queue manager after each. A second one, on Linux, lives a
day; its log is moved to a store, it crashes, and a queue that is damaged comes
back from the store. Every message is compared.

Each step is a command line of this program, shown as it could be typed. What
comes of them stays in the folder to be looked at. Another demo there replaces
it; a folder that no demo made is refused.`,
		Example: `  mqhk demo
  mqhk demo --dir elsewhere --seed 7 --nights 10`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.demo(cmd.Context(), d) },
	}
	cmd.Flags().StringVar(&d.dir, "dir", "mqhk-demo", "`DIR` that the demo makes, or replaces when a demo made it")
	cmd.Flags().Uint64Var(&d.seed, "seed", 1, "`NUMBER` from which everything that is left to chance follows")
	cmd.Flags().IntVar(&d.nights, "nights", 3, fmt.Sprintf("`NUMBER` of nights before the policies are planned, %d to %d", leastNights, mostNights))
	cmd.Flags().BoolVar(&d.noSync, "no-sync", false, "force nothing to disk: for one that is slow")
	return cmd
}

func (a *app) demo(ctx context.Context, d demonstration) error {
	if err := a.demoUsage(d); err != nil {
		return err
	}
	a.mayFinish(demoGrace)
	folder, replaced, err := takeFolder(d)
	if err != nil {
		return err
	}
	defer folder.release()
	s := &stage{app: a, folder: folder, demonstration: d, began: time.Now()}
	if replaced != "" {
		if err := s.print(fmt.Sprintf("%s is replaced: %s.\n", d.dir, replaced)); err != nil {
			return err
		}
	}
	err = folder.clear()
	if err == nil {
		err = s.play(ctx)
	}
	return s.end(ctx, err)
}

// demoUsage refuses what a demo can't do.
func (a *app) demoUsage(d demonstration) error {
	format, err := a.reportFormat()
	switch {
	case err != nil:
		return err
	case format != report.Text:
		return usage("--format %s: the demo is for people; its reports are in its folder, as JSON too", a.format)
	case a.config != "" || a.state != "":
		return usage("the demo has a configuration and a state of its own: --config and --state are of no use")
	case d.dir == "":
		return usage("--dir is empty")
	case d.nights < leastNights || d.nights > mostNights:
		return usage("--nights %d is not from %d to %d", d.nights, leastNights, mostNights)
	}
	return nil
}

// end notes how the demo ended, says what is there, and gives its error the
// exit status: 1 where something was not as promised.
func (s *stage) end(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		s.log.Info("the demo was stopped; what is there can be looked at", "dir", s.dir)
		return errors.Join(ctx.Err(), s.folder.mark(demoStopped))
	case err != nil:
		if marked := s.folder.mark(demoFailed); marked != nil {
			s.log.Warn("the demo", "err", marked)
		}
		return &exitError{exitFailed, err}
	}
	if err := s.folder.mark(demoFinished); err != nil {
		return &exitError{exitFailed, err}
	}
	return s.farewell()
}
