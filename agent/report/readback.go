package report

import (
	"fmt"

	"github.com/mqhk/mqhk/agent/ledger"
)

// failure says in a few words what ended a task on a target.
func failure(target ledger.Target) string {
	switch target.Failure {
	case "", "plugin":
		return "NO PLAN, the plugin " + target.Plugin + " failed"
	case "connection":
		return "NOT REACHED"
	case "claimed":
		return "LEFT TO OTHERS, who are at work on the target"
	case "plan-refused":
		return "THE KEPT PLAN IS REFUSED"
	default:
		return "WENT NO FURTHER"
	}
}

// readBackPart shows what was there when all was done.
func readBackPart(d *document, target ledger.Target) {
	back := target.ReadBack
	if back == nil {
		return
	}
	d.heading(2, "Read back when all was done")
	rows := [][]cell{
		row("observed", back.Observed),
		row("deleted, and gone", fmt.Sprintf("%d, which freed %s", back.Deleted, exactSize(back.BytesFreed))),
		row("on the system", fmt.Sprintf("%s, %s", count(back.Segments, noun(target.Platform)), exactSize(back.Bytes))),
	}
	found := target
	found.Recovery.Outlook = back.Outlook
	for _, o := range outlooks(found) {
		rows = append(rows, []cell{say(o.name), readyCell(o.found.Ready)})
	}
	d.table(table{rows: rows})
}
