package report

import (
	"strings"
	"testing"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/finding"
)

// queues is what a plugin of somebody's found that looks at queues.
func queues(policy string) ledger.Target {
	return ledger.Target{
		Name: "QM1", Platform: "multiplatforms", Policy: policy, Task: "dead-letters", Plugin: "dlq", Strategy: "conservative",
		Observed: "2026-05-28T02:00:00+02:00", NoLog: true, Actions: []ledger.Action{},
		Findings: []finding.Finding{
			{Severity: finding.Warning, Code: "queue-filling", Text: "PAYMENTS has 900 of 1000 messages."},
			{Severity: finding.Warning, Code: "queue-filling", Text: "ORDERS has 950 of 1000 messages."},
			{Severity: finding.Info, Code: "dlq-oldest", Text: "The oldest dead letter is 3 days old."},
		},
	}
}

// The report of a plan that says nothing of a log says nothing of one either,
// and what it can't explain it says once.
func TestNoLog(t *testing.T) {
	failed := queues("third")
	failed.NoLog, failed.Error, failed.Failure, failed.Findings = false, "plugin dlq: it is not locked", "plugin", nil
	for name, targets := range map[string][]ledger.Target{
		"one": {queues("first")}, "side by side": {queues("first"), queues("second")}, "one failed": {queues("first"), failed},
	} {
		text := render(t, record(targets...), Options{Format: Text})
		for _, not := range []string{"Recovery points", "not known", "cannot be told", "extent", "may go", "rebuild", "Remedy", "All targets together"} {
			if strings.Contains(text, not) {
				t.Errorf("%s: it says %q:\n%s", name, not, text)
			}
		}
		const strange = "plugin dlq has to explain it: queue-filling,"
		if folded := strings.Join(strings.Fields(text), " "); strings.Count(folded, strange) != strings.Count(folded, "950 of 1000") {
			t.Errorf("%s: it does not say once for each plan %q:\n%s", name, strange, text)
		}
	}
	// One plan that speaks of the log has all of it.
	log := queues("fourth")
	log.NoLog = false
	text := render(t, record(log, queues("first")), Options{Format: Text})
	if strings.Count(text, "Recovery points") != 1 || !strings.Contains(text, "may go") {
		t.Errorf("of one plan of a log and one of none:\n%s", text)
	}
}
