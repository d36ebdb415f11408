package report

import (
	"fmt"
	"strconv"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/recovery"
)

func totalsTable(t ledger.Totals, noun string) table {
	rows := [][]cell{
		row("on the system", count(t.Segments, noun)),
		row("may go", fmt.Sprintf("%d, which frees %s", t.Delete, exactSize(t.BytesFreed))),
		row("saved first, or only saved", strconv.Itoa(t.Archive)),
		row("kept", strconv.Itoa(t.Keep)),
		row("held", strconv.Itoa(t.Hold)),
		row("stays on the system", exactSize(t.BytesKept)),
	}
	if t.Archived > 0 {
		rows = append(rows, row("needed, only in a store", strconv.Itoa(t.Archived)))
	}
	if t.Lost > 0 {
		rows = append(rows, []cell{say("needed, nowhere"), tell(verdictTone(recovery.Lost.String()), "at least "+strconv.Itoa(t.Lost))})
	}
	return table{rows: rows}
}

// grandTotals sums over the targets, where that makes sense: plans that are
// alternatives to each other free the same bytes only once.
func grandTotals(d *document, record ledger.Record, all []group) {
	if len(all) < 2 {
		return
	}
	d.heading(1, "All targets together")
	for _, g := range all {
		if g.alternatives() {
			d.line(say("No sum is given: several policies were planned for one target, and their plans are alternatives."))
			return
		}
	}
	d.table(totalsTable(record.Totals, "segment"))
}
