package main

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/mqhk/mqhk/core/sim"
	"github.com/mqhk/mqhk/core/sim/workload"
)

func (s *simulated) advanceCommand() *cobra.Command {
	var until string
	cmd := &cobra.Command{
		Use:   "advance [DURATION]",
		Short: "Let time pass: applications work, checkpoints are taken, systems do what is due",
		Example: `  mqhk sim advance 24h
  mqhk sim advance --until 2026-03-29T06:00:00`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if (len(args) == 1) == (until != "") {
				return usage("say how long, or --until when")
			}
			return s.work(cmd.Context(), func(e *sim.Estate) error {
				by, err := length(e, args, until)
				if err != nil {
					return err
				}
				return s.advance(cmd.Context(), e, by)
			})
		},
	}
	cmd.Flags().StringVar(&until, "until", "", "go on until this local `TIME` of the estate")
	return cmd
}

// length gives how far to go.
func length(e *sim.Estate, args []string, until string) (time.Duration, error) {
	if until != "" {
		to, err := localTime(until, e.Now().Location())
		if err != nil {
			return 0, usage("--until: %v", err)
		}
		if to.Before(e.Now()) {
			return 0, usage("--until %s: in the estate it is %s already", until, e.Now().Format("2006-01-02T15:04:05"))
		}
		return to.Sub(e.Now()), nil
	}
	by, err := time.ParseDuration(args[0])
	if err != nil || by <= 0 {
		return 0, usage("DURATION %q: write it as 90m or 24h", args[0])
	}
	return by, nil
}

// localTime reads a time of the estate's clock. One that no clock shows, when
// summer time begins, is an error; of one that comes twice it is the first.
func localTime(text string, zone *time.Location) (time.Time, error) {
	const layout = "2006-01-02T15:04:05"
	t, err := time.ParseInLocation(layout, text, zone)
	if err != nil {
		return t, fmt.Errorf("%q: write it as 2026-03-29T06:00:00", text)
	}
	if t.Format(layout) != text {
		return t, fmt.Errorf("no clock in %s ever shows %s", zone, text)
	}
	if first := t.Add(-time.Hour); first.Format(layout) == text {
		return first, nil
	}
	return t, nil
}

// advanced is what sim advance tells.
type advanced struct {
	Time   time.Time    `json:"time"`
	Worked []sim.Worked `json:"worked"`
}

func (s *simulated) advance(ctx context.Context, e *sim.Estate, by time.Duration) error {
	worked, err := e.Advance(ctx, by, s.passed)
	if err != nil {
		return err
	}
	result := advanced{e.Now(), worked}
	return s.result(result, func() string {
		var b strings.Builder
		fmt.Fprintf(&b, "It is %s.\n", result.Time.Format("2006-01-02 15:04:05 MST"))
		for _, w := range worked {
			fmt.Fprintf(&b, "%s: %s\n", w.QueueManager, workedText(w.Report))
			if w.Stopped != "" {
				fmt.Fprintf(&b, "%s: its applications rested: %s\n", w.QueueManager, w.Stopped)
			}
		}
		return b.String()
	})
}

func (s *simulated) workloadCommand() *cobra.Command {
	var seed uint64
	cmd := &cobra.Command{
		Use:   "workload [QUEUE-MANAGER PROFILE|stop]",
		Short: "Have applications work on a queue manager whenever time passes",
		Long: `Workload sends applications of a profile to a queue manager; they work while
time passes (mqhk sim advance). The same profile and seed do the same again.
Without arguments it lists the profiles.`,
		Example: `  mqhk sim workload ORDERS office --seed 7
  mqhk sim workload ORDERS stop`,
		Args: cobra.MatchAll(cobra.MaximumNArgs(2), func(_ *cobra.Command, args []string) error {
			if len(args) == 1 {
				return usage("say which profile, or stop: mqhk sim workload %s PROFILE", args[0])
			}
			return nil
		}),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return s.profiles()
			}
			return s.work(cmd.Context(), func(e *sim.Estate) error { return s.employ(e, args[0], args[1], seed) })
		},
	}
	cmd.Flags().Uint64Var(&seed, "seed", 1, "`NUMBER` from which everything that is left to chance follows")
	return cmd
}

func (s *simulated) employ(e *sim.Estate, manager, profile string, seed uint64) error {
	if profile == "stop" {
		if err := e.StopWorkload(manager); err != nil {
			return err
		}
		return s.print(fmt.Sprintf("No applications work on %s.\n", manager))
	}
	p, err := workload.Named(profile)
	if err != nil {
		return &exitError{exitUsage, err}
	}
	if err := e.SetWorkload(manager, p, seed); err != nil {
		return err
	}
	return s.print(fmt.Sprintf("Applications of profile %s work on %s when time passes (seed %d).\n", profile, manager, seed))
}

func (s *simulated) profiles() error {
	var all []workload.Profile
	for _, name := range workload.Profiles() {
		p, err := workload.Named(name)
		if err != nil {
			return &exitError{exitFailed, err}
		}
		all = append(all, p)
	}
	return s.result(all, func() string {
		var b strings.Builder
		w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		for _, p := range all {
			fmt.Fprintf(w, "%s\t%s\n", p.Name, p.Description)
		}
		_ = w.Flush() // into memory
		return b.String()
	})
}

// workedText tells in a line what applications did, and in further ones what
// failed.
func workedText(r workload.Report) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d messages put (%d persistent, %.1f MiB), %d got, in %d units of work",
		r.Puts, r.Persistent, float64(r.Bytes)/(1<<20), r.Gets, r.Units.Put+r.Units.Get+r.Units.Load+r.Units.Long)
	if r.Backouts > 0 {
		fmt.Fprintf(&b, "; %d backed out", r.Backouts)
	}
	if r.LongBegun+r.LongEnded+r.LongLost > 0 {
		fmt.Fprintf(&b, "; of the long ones %d began, %d ended, %d were lost", r.LongBegun, r.LongEnded, r.LongLost)
	}
	for _, f := range r.Failures {
		fmt.Fprintf(&b, "\n  %s of %s failed %d times, first with %s", f.Operation, f.Queue, f.Count, f.First)
	}
	return b.String()
}
