package report

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/mqhk/mqhk/agent/ledger"
)

// abreast is how many policies stand side by side in one table; more stand
// in a second one, so that each column stays wide enough to be read.
const abreast = 4

// compare shows several policies for one target side by side: what each
// frees, and what a recovery would find on disk afterwards.
func compare(d *document, g group) {
	first := g.plans[0]
	d.heading(1, fmt.Sprintf("%s (%s): %d policies side by side", first.Name, first.Platform, len(g.plans)))
	for from := 0; from < len(g.plans); from += abreast {
		d.table(comparison(g, g.plans[from:min(from+abreast, len(g.plans))]))
	}
	if !allBesideLogs(g.plans) {
		d.line(say(recoveries))
	}
	d.line(say("All are planned over one observation; they are alternatives, not steps."))
}

func comparison(g group, plans []ledger.Target) table {
	t := table{head: []string{"after the plan"}}
	for i, plan := range plans {
		t.head = append(t.head, g.label(plan))
		t.sharing = append(t.sharing, i+1)
	}
	t.rows = append(t.rows, countRows(plans, allBesideLogs(g.plans))...)
	for i, o := range outlooks(ledger.Target{}) {
		if allBesideLogs(g.plans) {
			break
		}
		cells := row(o.name)
		for _, plan := range plans {
			cells = append(cells, outlookCell(plan, outlooks(plan)[i]))
		}
		t.rows = append(t.rows, cells)
	}
	cells := row("critical findings")
	for _, plan := range plans {
		n := critical(plan)
		cells = append(cells, tell(pick(n > 0, bad, plain), strconv.Itoa(n)))
	}
	t.rows = append(t.rows, cells)
	return t
}

// countFact is a line of the comparison.
type countFact struct {
	name string
	of   func(ledger.Target) string
}

// countRows counts the log pieces of plans; besideLogs says that they speak of
// none.
func countRows(plans []ledger.Target, besideLogs bool) [][]cell {
	facts := []countFact{
		{"observed", func(p ledger.Target) string { return p.Observed }},
		{"may go", func(p ledger.Target) string { return count(p.Totals.Delete, noun(p.Platform)) }},
		{"frees", func(p ledger.Target) string { return size(p.Totals.BytesFreed) }},
		{"must be saved first", func(p ledger.Target) string { return strconv.Itoa(p.Totals.Archive) }},
		{"held", func(p ledger.Target) string { return strconv.Itoa(p.Totals.Hold) }},
		{"kept", func(p ledger.Target) string { return count(p.Totals.Keep, noun(p.Platform)) }},
		{"stays on the system", func(p ledger.Target) string { return size(p.Totals.BytesKept) }},
	}
	if besideLogs {
		facts = facts[:1]
	}
	var rows [][]cell
	if slices.ContainsFunc(plans, func(p ledger.Target) bool { return p.Totals.Waiting > 0 }) {
		facts = slices.Insert(facts, 2, countFact{"of these, wait for a store", waits})
	}
	for _, fact := range facts {
		cells := row(fact.name)
		for _, plan := range plans {
			if plan.Error != "" {
				cells = append(cells, tell(bad, "no plan"))
				continue
			}
			cells = append(cells, say(fact.of(plan)))
		}
		rows = append(rows, cells)
	}
	return rows
}

// waits says how much of what a plan lets go stays for want of a store.
func waits(plan ledger.Target) string {
	if plan.Totals.Waiting == 0 {
		return "0"
	}
	return fmt.Sprintf("%d, %s", plan.Totals.Waiting, size(plan.Totals.BytesWaiting))
}

// outlookCell writes "restore first: 1 on the system, 2 in the store".
func outlookCell(plan ledger.Target, o outlook) cell {
	if plan.Error != "" {
		return tell(bad, "no plan")
	}
	c := readyCell(o.found.Ready)
	if c.text != "unknown" {
		c.text += ": " + o.places()
	}
	if o.broken() {
		c.text += " (NOT as promised)"
	}
	return c
}

func pick(condition bool, yes, no tone) tone {
	if condition {
		return yes
	}
	return no
}
