package run

import (
	"strings"
	"testing"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/store"
	"github.com/mqhk/mqhk/core/finding"
)

// With an external store a segment waits until the site itself has saved it,
// and nothing is called failed meanwhile. Then it goes; what a recovery reads
// never does, since nobody could say where its copy is.
func TestExternalStore(t *testing.T) {
	s := ready(t)
	external := func(order Order) Order {
		order.Stores = map[string]connect.Store{"vault": {Kind: "external"}}
		order.Keepers = map[string]store.Store{"vault": store.NewExternal("vault")}
		return order
	}
	before := s.receivers()
	record, err := Run(t.Context(), external(s.order(connect.Apply, "fast-startup")))
	s.must(err)
	target := record.Targets[0]
	if record.Run.Outcome != Applied || len(target.Actions) > 0 || !hasFinding(target, finding.NotSaved) || record.Totals.Hold == 0 || len(s.receivers()) != len(before) {
		t.Fatalf("%s, %v\n%s", record.Run.Outcome, target.Findings, outcomes(target))
	}
	if got := target.Recovery.Outlook.Rebuild.Ready; got != "at once" {
		t.Errorf("a rebuild would be %s", got)
	}
	// The site saves the two oldest.
	s.cl("CRTSAVF FILE(QGPL/SITE)", "SAVOBJ OBJ("+strings.Join(before[:2], " ")+") LIB(QMORDERS) DEV(*SAVF) OBJTYPE(*JRNRCV) SAVF(QGPL/SITE)")
	record, err = Run(t.Context(), external(s.order(connect.Apply, "fast-startup")))
	s.must(err)
	if got := outcomes(record.Targets[0]); record.Run.Outcome != Applied || got != "delete "+before[0]+" done\ndelete "+before[1]+" done\n" {
		t.Errorf("%s\n%s", record.Run.Outcome, got)
	}
}
