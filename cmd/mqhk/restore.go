package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mqhk/mqhk/agent"
	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/report"
	"github.com/mqhk/mqhk/agent/run"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

// restoring is what the flags of archive restore ask for.
type restoring struct {
	selection
	store  string
	needed bool
	need   string
	until  string
	dry    bool
}

func (a *app) archiveRestoreCommand() *cobra.Command {
	var r restoring
	cmd := &cobra.Command{
		Use:   "restore TARGET [SEGMENT]...",
		Short: "Bring segments back from the stores, and hold them",
		Long: `Restore brings segments back to the system that they were saved on: those that
are named, as NAME, LIBRARY/NAME or a range A..B; with --needed all that a
recovery reads and that is not on the system; or with --for exactly what one
recovery reads of that: a restart, or a rebuild from media images. It works on a
queue manager that does not start, too: what is needed is then what earlier runs
saw. Where another host runs it, or nothing tells that it runs or has ended here,
nothing is restored. The newest comes first, each from a copy that is verified while it is read.
What was restored is held until --until.

Nothing restores by itself: this command is the consent, and needs no --apply.
With --dry-run it prints the statements and changes nothing.`,
		Example: `  mqhk archive restore ORDERS --needed --dry-run
  mqhk archive restore ORDERS AMQA000003..AMQA000007
  mqhk archive restore QM1 --for restart`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.archiveRestore(cmd.Context(), r, args[0], args[1:])
		},
	}
	r.estateFlag(cmd)
	cmd.Flags().StringVar(&r.store, "store", "", "take copies from store `NAME` only")
	cmd.Flags().BoolVar(&r.needed, "needed", false, "all that a restart or a rebuild reads and that is not on the system")
	cmd.Flags().StringVar(&r.need, "for", "", "what a `RECOVERY` reads and is not on the system: restart or media")
	cmd.Flags().StringVar(&r.until, "until", "", "`TIME` until which they are held at most, as 7d or 2026-06-04T12:00:00+02:00 (default 7d)")
	cmd.Flags().BoolVar(&r.dry, "dry-run", false, "print what would be sent, and change nothing")
	return cmd
}

// check wants one way to say what is to be restored.
func (r restoring) check(segments []string) error {
	asked := 0
	for _, given := range []bool{r.needed, r.need != "", len(segments) > 0} {
		if given {
			asked++
		}
	}
	kind := recovery.ParseNeedKind(r.need)
	switch {
	case asked != 1:
		return usage("say what to restore: segments by name, --needed, or --for restart or media")
	case r.need != "" && kind != recovery.Restart && kind != recovery.Media:
		return usage("--for %q is none of restart, media", r.need)
	}
	return nil
}

func (a *app) archiveRestore(ctx context.Context, r restoring, name string, segments []string) error {
	if err := r.check(segments); err != nil {
		return err
	}
	r.targets = []string{name}
	w, err := a.workOn(ctx, r.selection)
	if err != nil {
		return err
	}
	defer w.close()
	w.chosen = nil // what a policy says has no part in it
	order, err := w.restoreOrder(ctx, r, name, segments)
	if err != nil {
		return err
	}
	list, err := run.Restore(ctx, order)
	if len(list) == 0 && err == nil {
		return a.result([]restoredRow{}, func() string { return "all that a recovery reads is on the system\n" })
	}
	if shown := a.showRestored(list); shown != nil {
		return shown
	}
	switch {
	case errors.Is(err, run.ErrNoCopy), errors.Is(err, run.ErrNoRange):
		return &exitError{exitUsage, err}
	case err != nil:
		return ledgerFailed(err)
	}
	return restoreStatus(list)
}

// restoreOrder opens what a restore needs: nothing is written in a dry run.
func (w *work) restoreOrder(ctx context.Context, r restoring, name string, segments []string) (run.RestoreOrder, error) {
	none := run.RestoreOrder{}
	if len(w.found.targets) != 1 {
		return none, usage("%q is not one target but %s", name, names(w.found.targets))
	}
	target := w.found.targets[0]
	if w.found.recorded[target.Name] {
		return none, usage("%s is a recorded transcript: nothing can be restored there", target)
	}
	if _, known := w.known.Stores[r.store]; r.store != "" && !known {
		return none, usage("--store %q is not in the configuration", r.store)
	}
	order := run.RestoreOrder{Target: target, Needed: r.needed || r.need != "", For: recovery.ParseNeedKind(r.need), Store: r.store}
	var err error
	if order.Segments, err = extentsOf(target, segments); err != nil {
		return none, usage("%v", err)
	}
	if r.until != "" {
		now, err := w.found.clock(ctx, target.Name)
		if err != nil {
			return none, err
		}
		if order.Until, err = untilTime(r.until, now); err != nil {
			return none, err
		}
	}
	mode, open := connect.Apply, w.write
	if r.dry {
		mode, open = connect.Plan, w.look
	} else {
		w.mayFinish(agent.DefaultStop)
	}
	if err = open(ctx); err == nil {
		order.Order, err = w.order(mode)
	}
	return order, err
}

// restoredRow is a segment as it is shown.
type restoredRow struct {
	Segment    string   `json:"segment"`
	Last       string   `json:"last,omitempty"` // of several extents that are nowhere
	Store      string   `json:"store,omitempty"`
	Opened     string   `json:"opened,omitempty"`
	SHA256     string   `json:"sha256,omitempty"` // of the copy
	Path       string   `json:"path,omitempty"`   // of the file that is written
	Outcome    string   `json:"outcome"`
	Evidence   string   `json:"evidence,omitempty"`
	Statements []string `json:"statements"`

	name string
}

func (a *app) showRestored(list []run.Restored) error {
	rows := make([]restoredRow, len(list))
	for i, one := range list {
		rows[i] = restoredRow{
			Segment: one.Segment.String(), Last: one.Last.Name, Store: one.Copy.Store, Opened: one.Copy.Opened, SHA256: one.Copy.SHA256, Path: one.Path,
			Outcome: string(one.State), Evidence: one.Evidence, Statements: append([]string{}, one.Statements...), name: one.Name(),
		}
	}
	if len(rows) == 0 {
		return nil
	}
	return a.result(rows, func() string { return restoredText(rows) })
}

func restoredText(rows []restoredRow) string {
	var b strings.Builder
	for _, r := range rows {
		fmt.Fprintf(&b, "%-8s %s", r.Outcome, report.Printable(r.name))
		if r.Evidence != "" {
			fmt.Fprintf(&b, ": %s", report.Printable(r.Evidence))
		}
		b.WriteByte('\n')
		if r.Outcome != string(plugins.Planned) {
			continue
		}
		if r.Path != "" {
			fmt.Fprintf(&b, "  from store %s, SHA-256 %s\n  to %s\n", report.Printable(r.Store), report.Printable(r.SHA256), report.Printable(r.Path))
		}
		for i, statement := range r.Statements {
			fmt.Fprintf(&b, "  %s\n", report.Printable(statement))
			if i == 0 {
				fmt.Fprintf(&b, "    (the copy in store %s goes into the save file)\n", report.Printable(r.Store))
			}
		}
	}
	return b.String()
}

// restoreStatus gives the exit status of a restore.
func restoreStatus(list []run.Restored) error {
	done, open := false, false
	for _, one := range list {
		done = done || one.State == plugins.Done
		open = open || one.State == plugins.Failed
	}
	switch {
	case open && done:
		return &exitError{exitCritical, nil}
	case open:
		return &exitError{exitFailed, nil}
	}
	return nil
}
