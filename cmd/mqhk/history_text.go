package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/mqhk/mqhk/agent"
	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/agent/report"
	"github.com/mqhk/mqhk/plugins"
)

// restoreMode is the mode of restores in the ledger: all else is a plan or an
// apply.
const restoreMode = "restore"

// historyRestored counts the segments of a restore.
type historyRestored struct {
	Done    int `json:"done"`
	Failed  int `json:"failed"`  // or of unknown outcome
	Skipped int `json:"skipped"` // on the system already, or after one that failed

	noun string // what they are called there
}

// did reads what a run that changed something did: the line of a run has only
// what it decided.
func (r *historyRow) did(ctx context.Context, l *ledger.Ledger) error {
	if r.Finished.IsZero() || r.DryRun && r.Mode != restoreMode {
		return nil
	}
	record, err := l.Run(ctx, r.ID)
	switch {
	case err != nil:
		return err
	case r.Mode == restoreMode:
		r.Restored = restoredIn(record)
	default:
		did := agent.DeedsOf(record)
		r.Done = &did
	}
	return nil
}

func restoredIn(record ledger.Record) *historyRestored {
	sum := &historyRestored{noun: report.Noun("")}
	for i, t := range record.Targets {
		if noun := report.Noun(t.Platform); i == 0 || noun == sum.noun {
			sum.noun = noun
		} else {
			sum.noun = report.Noun("")
		}
		for _, a := range t.Actions {
			switch plugins.State(a.Outcome) {
			case plugins.Done:
				sum.Done++
			case plugins.Skipped, plugins.Planned:
				sum.Skipped++
			default:
				sum.Failed++
			}
		}
	}
	return sum
}

// historyText gives a line for each run, below a header.
func historyText(runs []historyRow) string {
	if len(runs) == 0 {
		return "no run is recorded that fits\n"
	}
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "RUN\tMODE\tOUTCOME\tTOOK\tTARGETS\tPOLICIES: WHAT CAME OF IT")
	for _, r := range runs {
		took := "-"
		if !r.Finished.IsZero() {
			took = r.Finished.Sub(r.Started).Round(time.Second).String()
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", report.Printable(r.ID), report.Printable(r.Mode), report.Printable(r.Outcome), took,
			report.Printable(cmp.Or(strings.Join(r.Targets, ","), "-")), historyWhat(r))
	}
	_ = w.Flush() // into memory
	return b.String()
}

// historyWhat says in short what a run decided, or did.
func historyWhat(r historyRow) string {
	policies := report.Printable(cmp.Or(strings.Join(r.Policies, ","), "-"))
	switch {
	case r.Restored != nil:
		return "restore: " + r.Restored.text()
	case r.Mode == restoreMode:
		return "restore: -"
	case r.Finished.IsZero():
		return policies + ": -"
	case r.Done != nil:
		return policies + ": " + deedsText(*r.Done, r.Totals)
	}
	return policies + ": " + historyCounts(r.Totals)
}

func (r *historyRestored) text() string {
	text := some(r.Done, r.noun, r.noun+"s")
	if r.Failed > 0 {
		text += fmt.Sprintf(", %d FAILED", r.Failed)
	}
	if r.Skipped > 0 {
		text += fmt.Sprintf(", %d skipped", r.Skipped)
	}
	return text
}

// deedsText says what an apply did of what it planned.
func deedsText(d agent.Deeds, t ledger.Totals) string {
	text := fmt.Sprintf("%d deleted of %d", d.Deleted, d.Deletes)
	if d.Saved > 0 || t.Archive > 0 {
		text += fmt.Sprintf(", %d saved", d.Saved)
	}
	if d.Freed > 0 {
		text += fmt.Sprintf(", %s freed", report.Size(d.Freed))
	}
	if t.Hold > 0 {
		text += fmt.Sprintf(", %d held", t.Hold)
	}
	if t.Lost > 0 {
		text += fmt.Sprintf(", %d LOST", t.Lost)
	}
	return text
}

// historyCounts says in short what a plan decided.
func historyCounts(t ledger.Totals) string {
	text := fmt.Sprintf("%d of %d may go, %d held", t.Delete, t.Segments, t.Hold)
	if t.Waiting > 0 {
		text += fmt.Sprintf(", %d WAIT FOR A STORE", t.Waiting)
	}
	if t.Archive > 0 {
		text += fmt.Sprintf(", %d to save", t.Archive)
	}
	if t.Lost > 0 {
		text += fmt.Sprintf(", %d LOST", t.Lost)
	}
	return text
}

// restoredReport shows the record of a restore. It decided nothing about what
// is kept, so a report of a plan would be a page of what is not known.
func restoredReport(record ledger.Record) string {
	var b strings.Builder
	for _, t := range record.Targets {
		fmt.Fprintf(&b, "RESTORE on %s: %s\n", report.Printable(t.Name), restoredIn(ledger.Record{Targets: []ledger.Target{t}}).text())
		for _, a := range t.Actions {
			fmt.Fprintf(&b, "  %-8s %s", report.Printable(a.Outcome), report.Printable(a.Object))
			if a.Evidence != "" {
				fmt.Fprintf(&b, ": %s", report.Printable(a.Evidence))
			}
			b.WriteByte('\n')
		}
		if t.Error != "" {
			fmt.Fprintf(&b, "  broken off: %s\n", report.Printable(t.Error))
		}
	}
	reason := ""
	if len(record.Targets) > 0 && len(record.Targets[0].Actions) > 0 {
		reason = ", " + report.Printable(record.Targets[0].Actions[0].Reason)
	}
	fmt.Fprintf(&b, "run %s%s, %s\n  begun %s, ended %s on %s\n", report.Printable(record.Run.ID), reason, report.Printable(record.Run.Outcome),
		report.Printable(record.Run.Started), report.Printable(cmp.Or(record.Run.Finished, "-")), report.Printable(record.Run.Host))
	return b.String()
}
