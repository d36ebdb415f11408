package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mqhk/mqhk/agent"
	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/agent/report"
	"github.com/mqhk/mqhk/policies"
)

// historySchema names the form of what mqhk history writes as JSON.
const historySchema = "mqhk.history/v1"

// looking is what the flags of history ask for.
type looking struct {
	target  string
	since   string
	outcome string
	limit   int
	verbose bool
}

func (a *app) historyCommand() *cobra.Command {
	var h looking
	cmd := &cobra.Command{
		Use:         "history [RUN]",
		Annotations: map[string]string{reported: ""},
		Short:       "The runs that were recorded, or one of them in full",
		Long: `History lists the runs that the ledger holds, newest first. With the ID of a run
it shows the report of that run as it was recorded, in any --format.`,
		Example: `  mqhk history --target ORDERS --since 7d
  mqhk history --format json 20260528T000001.114Z-3fa2b1`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withKnown(cmd.Context(), func(l *ledger.Ledger) error {
				if len(args) == 1 {
					return a.historyRun(cmd.Context(), l, args[0], h.verbose)
				}
				return a.historyList(cmd.Context(), l, h)
			})
		},
	}
	cmd.Flags().StringVar(&h.target, "target", "", "runs on this `TARGET`")
	cmd.Flags().StringVar(&h.since, "since", "", "runs begun since this `TIME`: 7d ago, or 2026-05-28T00:00:00+02:00")
	cmd.Flags().StringVar(&h.outcome, "outcome", "", "runs that ended with this `OUTCOME`")
	cmd.Flags().IntVar(&h.limit, "limit", 20, "the newest `NUMBER` of runs; 0: all")
	cmd.Flags().BoolVarP(&h.verbose, "verbose", "v", false, "of one run: a line for each segment")
	cmd.AddCommand(a.historyVerifyCommand(), a.historyAcceptCommand())
	return cmd
}

// historyRun shows the record of one run.
func (a *app) historyRun(ctx context.Context, l *ledger.Ledger, id string, verbose bool) error {
	format, err := a.reportFormat()
	if err != nil {
		return err
	}
	if l == nil {
		return fmt.Errorf("run %s: %w", id, ledger.ErrNoRun)
	}
	record, err := l.Run(ctx, id)
	if err != nil {
		return err
	}
	if record.Run.Mode == restoreMode && format == report.Text {
		return a.print(restoredReport(record))
	}
	return a.writeReport(record, format, verbose)
}

// writeReport renders the record of a run.
func (a *app) writeReport(record ledger.Record, format report.Format, verbose bool) error {
	options := report.Options{Format: format, Verbose: verbose, Colour: a.colour(a.stdout), Width: a.width()}
	if err := report.Write(a.stdout, record, options); err != nil {
		return &exitError{exitFailed, fmt.Errorf("writing the report: %w", err)}
	}
	return nil
}

// historyRuns is the result.
type historyRuns struct {
	Schema string       `json:"schema"`
	Ledger string       `json:"ledger"` // its folder, also where there is none
	Runs   []historyRow `json:"runs"`
}

// historyRow is one run.
type historyRow struct {
	ID       string        `json:"id"`
	Mode     string        `json:"mode"`
	DryRun   bool          `json:"dry_run"`
	Started  time.Time     `json:"started"`
	Finished time.Time     `json:"finished,omitzero"` // left out while it is unfinished
	Outcome  string        `json:"outcome"`
	Host     string        `json:"host"`
	Policies []string      `json:"policies"`
	Targets  []string      `json:"targets"`
	Totals   ledger.Totals `json:"totals"`
	// Done is what an apply did, Restored what a restore brought back. Both are
	// left out of a plan, and of a run that did not see its end.
	Done     *agent.Deeds     `json:"done,omitempty"`
	Restored *historyRestored `json:"restored,omitempty"`
}

func (a *app) historyList(ctx context.Context, l *ledger.Ledger, h looking) error {
	filter, err := h.filter(time.Now())
	if err != nil {
		return err
	}
	result := historyRuns{Schema: historySchema, Runs: []historyRow{}}
	if result.Ledger, err = a.ledgerDir(); err != nil {
		return err
	}
	if l == nil {
		return a.result(result, func() string {
			return fmt.Sprintf("there is no ledger in %s: no run is recorded\n", report.Printable(result.Ledger))
		})
	}
	runs, err := l.Runs(ctx, filter)
	if err != nil {
		return err
	}
	for _, r := range runs {
		row := historyOf(r)
		if err := row.did(ctx, l); err != nil {
			return err
		}
		result.Runs = append(result.Runs, row)
	}
	return a.result(result, func() string { return historyText(result.Runs) })
}

// filter says which runs the flags ask for. A target may be given with its
// platform, as patterns name it.
func (h looking) filter(now time.Time) (ledger.Filter, error) {
	f := ledger.Filter{Target: h.target, Outcome: h.outcome, Limit: h.limit}
	if _, name, ok := strings.Cut(h.target, "/"); ok {
		f.Target = name
	}
	if h.limit < 0 {
		return f, usage("--limit %d is less than 0", h.limit)
	}
	if h.since == "" {
		return f, nil
	}
	if d, err := policies.ParseDuration(h.since); err == nil {
		f.Since = now.Add(-d)
		return f, nil
	}
	var err error
	if f.Since, err = time.Parse(time.RFC3339, h.since); err != nil {
		return f, usage("--since %q: write it as 7d, 36h or 2026-05-28T00:00:00+02:00", h.since)
	}
	return f, nil
}

// historyOf sums a run up.
func historyOf(r ledger.Summary) historyRow {
	row := historyRow{
		ID: r.ID, Mode: r.Mode, DryRun: r.DryRun, Started: r.Started, Finished: r.Finished, Outcome: r.Outcome, Host: r.Host,
		Policies: []string{}, Targets: []string{},
	}
	for _, t := range r.Targets {
		if !slices.Contains(row.Policies, t.Policy) {
			row.Policies = append(row.Policies, t.Policy)
		}
		if !slices.Contains(row.Targets, t.Target) {
			row.Targets = append(row.Targets, t.Target)
		}
		row.Totals.Delete += t.Totals.Delete
		row.Totals.Archive += t.Totals.Archive
		row.Totals.Keep += t.Totals.Keep
		row.Totals.Hold += t.Totals.Hold
		row.Totals.Archived += t.Totals.Archived
		row.Totals.Lost += t.Totals.Lost
		row.Totals.Segments += t.Totals.Segments
		row.Totals.BytesFreed += t.Totals.BytesFreed
		row.Totals.BytesKept += t.Totals.BytesKept
		row.Totals.Waiting += t.Totals.Waiting
		row.Totals.BytesWaiting += t.Totals.BytesWaiting
	}
	return row
}
