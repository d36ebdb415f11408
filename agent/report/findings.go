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
	var strange []string
	for _, f := range sorted {
		severity := []tone{faint, warn, bad}[min(f.Severity, finding.Critical)]
		item := []cell{tell(severity, fmt.Sprintf("%s %s: %s", strings.ToUpper(f.Severity.String()), f.Code, f.Text))}
		if entry, ok := finding.Lookup(f.Code); ok {
			item = append(item, say("Remedy: "+entry.Remedy))
		} else if code := string(f.Code); !slices.Contains(strange, code) {
			strange = append(strange, code)
		}
		items = append(items, item)
	}
	d.list(items)
	if len(strange) > 0 {
		d.line(say("Not in the catalogue of findings, so that plugin " + target.Plugin + " has to explain it: " + strings.Join(strange, ", ") + "."))
	}
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
