package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/finding"
)

// findingsPart lists the findings, the most urgent first, each with what the
// catalogue says can be done about it.
func findingsPart(d *document, target ledger.Target) {
	if len(target.Findings) == 0 {
		return
	}
	d.heading(2, "Findings")
	sorted := slices.Clone(target.Findings)
	slices.SortStableFunc(sorted, func(a, b finding.Finding) int { return int(b.Severity) - int(a.Severity) })
	var items [][]cell
	for _, f := range sorted {
		remedy := "The catalogue does not know this code; the plugin that reports it has to explain it."
		if entry, ok := finding.Lookup(f.Code); ok {
			remedy = "Remedy: " + entry.Remedy
		}
		severity := []tone{faint, warn, bad}[min(f.Severity, finding.Critical)]
		items = append(items, []cell{
			tell(severity, fmt.Sprintf("%s %s: %s", strings.ToUpper(f.Severity.String()), f.Code, f.Text)),
			say(remedy),
		})
	}
	d.list(items)
}

func unansweredPart(d *document, target ledger.Target) {
	if len(target.Unanswered) == 0 {
		return
	}
	d.heading(2, "Questions that nobody answered")
	var items [][]cell
	for _, question := range target.Unanswered {
		items = append(items, row(question))
	}
	d.list(items)
}
