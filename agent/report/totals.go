package report

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/recovery"
)

// totalsTable sums what a plan decided; storeless says that no store takes what
// is to be saved.
func totalsTable(t ledger.Totals, noun string, storeless bool) table {
	saved := strconv.Itoa(t.Archive)
	if storeless && t.Archive > 0 {
		saved += ", none as long as no store takes them"
	}
	rows := [][]cell{
		row("on the system", count(t.Segments, noun)),
		row("may go", fmt.Sprintf("%d, which frees %s", t.Delete-t.Waiting, exactSize(t.BytesFreed-t.BytesWaiting))),
	}
	if t.Waiting > 0 {
		rows = append(rows, []cell{say("wait for a store"), tell(warn, fmt.Sprintf("%d, which would free %s", t.Waiting, exactSize(t.BytesWaiting)))})
	}
	rows = append(rows, [][]cell{
		row("saved first, or only saved", saved),
		row("kept", strconv.Itoa(t.Keep)),
		row("held", strconv.Itoa(t.Hold)),
		row("stays on the system", exactSize(t.BytesKept+t.BytesWaiting)),
	}...)
	if t.Archived > 0 {
		rows = append(rows, row("needed, only in a store", strconv.Itoa(t.Archived)))
	}
	if t.Lost > 0 {
		rows = append(rows, []cell{say("needed, nowhere"), tell(verdictTone(recovery.Lost.String()), "at least "+strconv.Itoa(t.Lost))})
	}
	return table{rows: rows}
}

// lastPlanLine says that the totals are those of the last plan, where a run that
// planned again, after images, had let more go before: what was read back would
// contradict them.
func lastPlanLine(d *document, targets []ledger.Target) {
	if slices.ContainsFunc(targets, func(t ledger.Target) bool { return t.ReadBack != nil && t.ReadBack.Deleted > t.Totals.Delete }) {
		d.line(say("Of the last plan that this run made. What it let go before that plan is not in here, but in what was read back."))
	}
}

// grandTotals sums over the targets, where that makes sense: plans that are
// alternatives to each other free the same bytes only once.
func grandTotals(d *document, record ledger.Record, all []group) {
	if len(all) < 2 || allBesideLogs(record.Targets) {
		return
	}
	d.heading(1, "All targets together")
	for _, g := range all {
		if g.alternatives() {
			d.line(say("No sum is given: several policies were planned for one target, and their plans are alternatives."))
			return
		}
	}
	lastPlanLine(d, record.Targets)
	d.table(totalsTable(record.Totals, nounOf(record.Targets), false))
}

// nounOf gives what all the targets call a log piece, "segment" where they call
// it by several names.
func nounOf(targets []ledger.Target) string {
	for _, target := range targets {
		if noun(target.Platform) != noun(targets[0].Platform) {
			return noun("")
		}
	}
	return noun(targets[0].Platform)
}
