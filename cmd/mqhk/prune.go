package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/report"
	"github.com/mqhk/mqhk/agent/run"
	"github.com/mqhk/mqhk/agent/store"
)

// stripping is what the flags of archive prune ask for.
type stripping struct {
	selection
	store string
	apply bool
}

func (a *app) archivePruneCommand() *cobra.Command {
	var s stripping
	cmd := &cobra.Command{
		Use:   "prune TARGET",
		Short: "Show the copies that no recovery needs any more, and remove them with --apply",
		Long: `Prune looks at the target afresh, and at the copies that the stores have of it. A
copy may go when it lies before every range of need: the restart and the media
recovery point, each data backup that was noted and still counts, a backup queue
manager that has not replayed, and holds. Retention counts from the oldest of
these, never from today. Where anything is not known no copy goes.

Without --apply it is a dry run: nothing can change. Copies are removed from
directories of mqhk's own; what a site's archive keeps it removes itself.`,
		Example: `  mqhk archive prune QM1
  mqhk archive prune QM1 --store vault --apply`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.archivePrune(cmd.Context(), s, args[0]) },
	}
	s.estateFlag(cmd)
	cmd.Flags().StringVar(&s.store, "store", "", "only store `NAME`")
	cmd.Flags().BoolVar(&s.apply, "apply", false, "remove them; without it nothing changes")
	return cmd
}

func (a *app) archivePrune(ctx context.Context, s stripping, name string) error {
	s.targets = []string{name}
	w, err := a.workOn(ctx, s.selection)
	if err != nil {
		return err
	}
	defer w.close()
	w.chosen = nil // what a policy says has no part in it
	if len(w.found.targets) != 1 {
		return usage("%q is not one target but %s", name, names(w.found.targets))
	}
	target := w.found.targets[0]
	switch _, known := w.known.Stores[s.store]; {
	case w.found.recorded[target.Name]:
		return usage("%s is a recorded transcript: there are no copies of it", target)
	case s.store != "" && !known:
		return usage("--store %q is not in the configuration", s.store)
	}
	mode, open := connect.Plan, w.look
	if s.apply {
		mode, open = connect.Apply, w.write
	}
	if err := open(ctx); err != nil {
		return err
	}
	order, err := w.order(mode)
	if err != nil {
		return err
	}
	fates, err := run.Prune(ctx, run.PruneOrder{Order: order, Target: target, Store: s.store})
	if errors.Is(err, run.ErrUnbounded) {
		return &exitError{exitCritical, err}
	}
	rows := []prunedRow{}
	for _, f := range fates {
		rows = append(rows, prunedOf(f))
	}
	if shown := a.result(rows, func() string { return prunedText(rows, s.apply) }); shown != nil {
		return shown
	}
	if err != nil {
		return ledgerFailed(err)
	}
	return nil
}

// prunedRow is a copy and what becomes of it.
type prunedRow struct {
	Store   string `json:"store"`
	Segment string `json:"segment"`
	Bytes   int64  `json:"bytes"`
	Outcome string `json:"outcome"` // stays, would go, removed
	Why     string `json:"why"`
}

func prunedOf(f store.Fate) prunedRow {
	row := prunedRow{f.Entry.Copy.Store, f.Entry.Copy.Segment.String(), f.Entry.Copy.Bytes, "stays", f.Why}
	switch {
	case f.Gone:
		row.Outcome = "removed"
	case f.Goes:
		row.Outcome = "would go"
	}
	return row
}

// prunedText gives a line for each copy that goes, and one for each run of copies
// that stay for the same reason.
func prunedText(rows []prunedRow, applied bool) string {
	var b strings.Builder
	if !applied {
		b.WriteString("dry run: nothing was changed\n")
	}
	going, stays := int64(0), 0
	for from := 0; from < len(rows); {
		r, to := rows[from], from+1
		if r.Outcome == "stays" {
			for to < len(rows) && rows[to].Outcome == r.Outcome && rows[to].Store == r.Store && rows[to].Why == r.Why {
				to++
			}
			stays += to - from
		} else {
			going += r.Bytes
		}
		what := r.Segment
		if last := rows[to-1].Segment; to-from > 1 {
			what = fmt.Sprintf("%d copies, %s .. %s,", to-from, what, last)
		}
		fmt.Fprintf(&b, "%-9s %s in store %s: %s\n", r.Outcome, report.Printable(what), report.Printable(r.Store), report.Printable(r.Why))
		from = to
	}
	fmt.Fprintf(&b, "%s stay, %s go with %s\n", some(stays, "copy", "copies"), some(len(rows)-stays, "copy", "copies"), report.Size(going))
	return b.String()
}
