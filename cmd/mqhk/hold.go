package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/agent/report"
	"github.com/mqhk/mqhk/policies"
)

// holding is what the flags of hold ask for.
type holding struct {
	source
	segment string
	until   string
	reason  string
}

func (a *app) holdCommand() *cobra.Command {
	var h holding
	cmd := &cobra.Command{
		Use:   "hold TARGET",
		Short: "Keep everything of a target, or its log from one segment on",
		Long: `Hold keeps all segments of a target, whatever a policy says, until it is lifted
or its time is over: a support case, a migration, a recovery under way. With
--segment it keeps the log from that segment on. Times are those of the target's
own clock.`,
		Example: `  mqhk hold ORDERS --reason 'case 4711'
  mqhk hold ORDERS --segment QMORDERS/AMQA000007 --until 7d --reason 'migration'
  mqhk hold QM1 --segment S0000123.LOG --reason 'case 4712'
  mqhk hold lift 12`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.hold(cmd.Context(), h, args[0]) },
	}
	h.estateFlag(cmd)
	cmd.Flags().StringVar(&h.segment, "segment", "", "hold the log from this segment on, `NAME` or LIBRARY/NAME (default all of it)")
	cmd.Flags().StringVar(&h.until, "until", "", "`TIME` at which it ends, as 7d or 2026-06-04T12:00:00+02:00 (default when it is lifted)")
	cmd.Flags().StringVar(&h.reason, "reason", "", "why, in a few words; reports show it")
	_ = cmd.MarkFlagRequired("reason") // the flag is there
	cmd.AddCommand(a.holdListCommand(), a.holdLiftCommand())
	return cmd
}

// estateFlag adds the one source that something can be noted of beside the
// configuration: what a transcript says stands in it.
func (s *source) estateFlag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.estate, "estate", "", "the queue managers of the simulated estate in `DIR`")
}

// holdEntered is a hold that was put there.
type holdEntered struct {
	holdListed
	entered
}

func (a *app) hold(ctx context.Context, h holding, name string) error {
	target, err := a.one(ctx, h.source, name)
	if err != nil {
		return err
	}
	until, err := untilTime(h.until, target.now)
	if err != nil {
		return err
	}
	if h.segment, err = segmentOf(target.Target, h.segment); err != nil {
		return usage("--segment of a hold on %s: %v", target.Target, err)
	}
	return a.withLedger(ctx, func(l *ledger.Ledger) error {
		hold, err := l.AddHold(ctx, ledger.Hold{
			Target: target.Name, Since: target.now, Until: until,
			Segment: h.segment, Reason: h.reason, By: whoami(),
		})
		if err != nil {
			return ledgerRefused(err)
		}
		where, err := a.entered(ctx, l, target, mark{h.segment, "while it is not, everything of the target is held", true})
		if err != nil {
			return err
		}
		listed := listedHold(hold, target.now)
		return a.result(holdEntered{listed, where}, func() string { return "held: " + holdText(listed) + where.text() })
	})
}

// untilTime reads --until: a duration from now on the target's clock, or a
// moment. Empty is the zero time: no end.
func untilTime(text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if d, err := policies.ParseDuration(text); err == nil {
		return now.Add(d), nil
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return t, usage("--until %q: write it as 7d, 36h or 2026-06-04T12:00:00+02:00", text)
	}
	if !t.After(now) {
		return t, usage("--until %s is not after %s, the time on the target's clock", text, now.Format(time.RFC3339))
	}
	return t, nil
}

func (a *app) holdListCommand() *cobra.Command {
	return a.listCommand("List holds that were not lifted", a.holdList)
}

// listCommand lists what the ledger holds of targets, of all when none is named.
func (a *app) listCommand(short string, list func(context.Context, reachable) error) *cobra.Command {
	var from source
	cmd := &cobra.Command{
		Use:   "list [TARGET]",
		Short: short,
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, patterns []string) error {
			configuration, err := a.configuration()
			if err != nil {
				return err
			}
			found, err := a.targets(cmd.Context(), configuration, from, patterns)
			if err != nil {
				return err
			}
			return list(cmd.Context(), found)
		},
	}
	from.estateFlag(cmd)
	return cmd
}

func (a *app) holdList(ctx context.Context, found reachable) error {
	return a.withKnown(ctx, func(l *ledger.Ledger) error {
		list, err := holdsOf(ctx, l, &found)
		if err != nil {
			return err
		}
		return a.result(list, func() string {
			if len(list) == 0 {
				return "nothing is held\n"
			}
			var b strings.Builder
			for _, h := range list {
				b.WriteString(holdText(h))
			}
			return b.String()
		})
	})
}

// holdsOf gives the holds of targets that were not lifted.
func holdsOf(ctx context.Context, l *ledger.Ledger, found *reachable) ([]holdListed, error) {
	list := []holdListed{}
	if l == nil {
		return list, nil
	}
	for _, t := range found.targets {
		holds, err := l.Holds(ctx, t.Name)
		if err != nil {
			return nil, err
		}
		if len(holds) == 0 {
			continue // its clock need not be asked
		}
		now, err := found.clock(ctx, t.Name)
		if err != nil {
			return nil, err
		}
		for _, h := range holds {
			list = append(list, listedHold(h, now))
		}
	}
	return list, nil
}

func (a *app) holdLiftCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "lift ID",
		Short: "End a hold",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := strconv.ParseInt(args[0], 10, 64)
			if err != nil {
				return usage("%q is not the number of a hold: mqhk hold list shows them", args[0])
			}
			return a.withLedger(cmd.Context(), func(l *ledger.Ledger) error {
				dir, err := a.ledgerDir()
				if err == nil {
					err = l.LiftHold(cmd.Context(), id, whoami())
				}
				if err != nil {
					return fmt.Errorf("in the ledger in %s: %w", dir, err)
				}
				value := map[string]any{"lifted": id, "ledger": dir}
				return a.result(value, func() string {
					return fmt.Sprintf("hold %d is lifted\n  in the ledger in %s\n", id, report.Printable(dir))
				})
			})
		},
	}
}

// holdListed is a hold as it is listed.
type holdListed struct {
	ID      int64     `json:"id"`
	Target  string    `json:"target"`
	Library string    `json:"library,omitempty"`
	Segment string    `json:"segment,omitempty"` // empty: the whole target
	Reason  string    `json:"reason"`
	By      string    `json:"by"`
	Since   time.Time `json:"since"`
	Until   time.Time `json:"until,omitzero"`
	Start   bool      `json:"until_start,omitempty"` // or until the queue manager's next clean start
	Stands  bool      `json:"stands"`                // its time is not over
}

// listedHold shows a hold at a time on the target's clock, in the zone of that
// clock.
func listedHold(h ledger.Hold, now time.Time) holdListed {
	l := holdListed{
		ID: h.ID, Target: h.Target, Library: h.Library, Segment: h.Segment, Reason: h.Reason, By: h.By,
		Since: h.Since.In(now.Location()), Start: h.UntilStart, Stands: h.Until.IsZero() || now.Before(h.Until),
	}
	if !h.Until.IsZero() {
		l.Until = h.Until.In(now.Location())
	}
	return l
}

func holdText(h holdListed) string {
	what := "all"
	if h.Segment != "" {
		what = "from " + segmentName(h.Library, h.Segment) + " on"
	}
	until := "until it is lifted"
	switch {
	case !h.Stands:
		until = "over since " + h.Until.Format(time.RFC3339)
	case !h.Until.IsZero():
		until = "until " + h.Until.Format(time.RFC3339)
	}
	if h.Stands && h.Start {
		until += " or the next clean start"
	}
	return fmt.Sprintf("%d  %s  %s, %s: %s (%s, %s)\n", h.ID, report.Printable(h.Target), report.Printable(what), until,
		report.Printable(h.Reason), report.Printable(h.By), h.Since.Format(time.RFC3339))
}

// segmentName writes LIBRARY/NAME, or NAME where there is no library.
func segmentName(library, name string) string {
	if library == "" {
		return name
	}
	return library + "/" + name
}
