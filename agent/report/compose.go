package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/plugins"
)

// compose puts a report for people together. What is most important to know,
// whether anything was changed, stands first and last.
func compose(record ledger.Record, options Options) document {
	var d document
	d.line(banner(record))
	d.list(attention(record))
	if len(record.Targets) == 0 && len(record.Run.Skipped) == 0 {
		d.line(tell(warn, "No target: no task of the policies matched a target, so nothing was looked at and nothing was planned."))
	}
	all := groups(record.Targets)
	for _, g := range all {
		if g.alternatives() {
			compare(&d, g)
		}
	}
	for _, g := range all {
		for _, plan := range g.plans {
			detail(&d, plan, options)
		}
	}
	grandTotals(&d, record, all)
	aboutRun(&d, record.Run, options)
	d.line(banner(record))
	return d
}

// banner tells in one line whether anything was changed, and whether it was
// real.
func banner(record ledger.Record) cell {
	b := changed(record)
	if names := record.Run.Simulated; len(names) > 0 {
		verb := " is no real queue manager."
		if len(names) > 1 {
			verb = " are no real queue managers."
		}
		b.text += " SIMULATED: " + strings.Join(names, ", ") + verb
	}
	return b
}

// changed says whether anything was changed. It believes the actions more than
// the header of the record.
func changed(record ledger.Record) cell {
	states, told := map[plugins.State]int{}, 0
	total := 0
	for _, target := range record.Targets {
		for _, action := range target.Actions {
			states[outcome(action)]++
			total++
			if plugins.Kind(action.Kind) == plugins.KindAlert && outcome(action) == plugins.Done {
				told++
			}
		}
	}
	carriedOut := total - states[plugins.Planned] - states[plugins.Skipped]
	switch {
	case record.DryRun && carriedOut == 0:
		return tell(good, "DRY RUN: nothing was changed on any system.")
	case record.DryRun:
		return tell(bad, fmt.Sprintf("NOT A DRY RUN: the record calls itself one, but %s in it went to a system.", count(carriedOut, "action")))
	case total == 0:
		return tell(warn, "APPLY: this run was allowed to change systems; there was nothing to do and nothing was changed.")
	}
	parts := []string{fmt.Sprintf("%d done", states[plugins.Done])}
	for _, state := range []plugins.State{plugins.Failed, plugins.Unknown, plugins.Pending, plugins.Retry, plugins.Skipped, plugins.Planned} {
		if n := states[state]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, outcomeWords(state)))
		}
	}
	return tell(warn, fmt.Sprintf("%s Of %s: %s.", effect(states, states[plugins.Done]-told), count(total, "action"), strings.Join(parts, ", ")))
}

// effect says what an apply did to systems, given how many of its actions that
// do something to one are done. What failed changed nothing as far as anybody
// saw; of what is not known nobody saw it.
func effect(states map[plugins.State]int, done int) string {
	open := states[plugins.Unknown] + states[plugins.Pending] + states[plugins.Retry]
	switch {
	case done > 0:
		return "APPLY: this run changed systems."
	case open > 0:
		return fmt.Sprintf("APPLY: this run may have changed systems: what became of %s is not known.", count(open, "action"))
	case states[plugins.Failed] > 0:
		return "APPLY: as far as is known nothing was changed: what was tried failed."
	default:
		return "APPLY: this run was allowed to change systems; nothing was changed."
	}
}

func outcomeWords(state plugins.State) string {
	switch state {
	case plugins.Unknown:
		return "of unknown outcome"
	case plugins.Planned:
		return "not started"
	case plugins.Retry:
		return "to be tried again"
	default:
		return string(state)
	}
}

// attention lists what a reader must not miss in a long report.
func attention(record ledger.Record) [][]cell {
	var items [][]cell
	for _, s := range record.Run.Skipped {
		items = append(items, []cell{tell(warn, fmt.Sprintf("%s, task %s: LEFT TO OTHERS: %s.", s.Target, s.Task, s.Why))})
	}
	add := func(t tone, target ledger.Target, text string) {
		items = append(items, []cell{tell(t, fmt.Sprintf("%s, policy %s: %s", target.Name, target.Policy, text))})
	}
	for _, target := range record.Targets {
		if target.Error != "" {
			add(bad, target, failure(target)+".")
		}
		if n := critical(target); n > 0 {
			add(bad, target, fmt.Sprintf("CRITICAL: %s: %s.", count(n, "critical finding"), strings.Join(criticalCodes(target), ", ")))
		}
		for _, o := range outlooks(target) {
			if target.Error == "" && o.broken() {
				add(bad, target, fmt.Sprintf("PROMISE NOT KEPT: %s: promised %s, would be %s.", o.name, o.promised, o.found.Ready))
			}
		}
		if t := target.Totals; t.Waiting > 0 {
			add(warn, target, fmt.Sprintf("NO STORE takes what is to be saved first: as it is, %d of %s go.", t.Delete-t.Waiting, count(t.Delete, noun(target.Platform))))
		}
		if n := len(target.Unanswered); n > 0 {
			add(warn, target, count(n, "question")+" not answered.")
		}
		switch n := customs(target); {
		case n > 0:
			add(warn, target, fmt.Sprintf("%s of the plugin's own: such effects are outside the second key, the guard does not check them.", count(n, "action")))
		case slices.Contains(target.Allow, string(plugins.KindCustom)): // what a later round may plan too
			add(warn, target, fmt.Sprintf("its task lets plugin %s act by itself (custom): such effects are outside the second key, the guard does not check them.", target.Plugin))
		}
	}
	return items
}

func criticalCodes(target ledger.Target) []string {
	var codes []string
	seen := map[finding.Code]bool{}
	for _, f := range target.Findings {
		if f.Severity >= finding.Critical && !seen[f.Code] {
			seen[f.Code] = true
			codes = append(codes, string(f.Code))
		}
	}
	return codes
}

func customs(target ledger.Target) int {
	n := 0
	for _, action := range target.Actions {
		if action.Kind == string(plugins.KindCustom) {
			n++
		}
	}
	return n
}

// aboutRun says which run this was and which plugins it trusted.
func aboutRun(d *document, run ledger.Run, options Options) {
	d.heading(1, "About this run")
	d.table(table{rows: [][]cell{
		row("run", cmp.Or(run.ID, "(not recorded)")), row("mode", run.Mode), row("outcome", run.Outcome),
		row("started", run.Started), row("finished", run.Finished), row("host", run.Host),
	}})
	var firing [][]cell
	if run.Key != "" {
		due := run.Key
		if run.Late {
			due += ", late: it was missed and is made up for"
		}
		firing = append(firing, row("due", due))
	}
	if run.Plan != "" {
		firing = append(firing, row("kept plan", run.Plan))
	}
	d.table(table{rows: firing})
	var rows [][]cell
	for _, p := range run.Plugins {
		hash := p.SHA256
		if !options.Verbose && len(hash) > 16 {
			hash = hash[:16] + ".."
		}
		rows = append(rows, row(p.Name, p.Version, hash))
	}
	d.table(table{head: []string{"plugin", "version", "SHA-256"}, rows: rows})
}
