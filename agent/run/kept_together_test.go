package run

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/ledger"
)

// A kept plan of several tasks is carried out as a whole: while others have one
// of them nothing of it is done, and it can be run later.
func TestKeptPlanWaitsForAllOfIt(t *testing.T) {
	s := ready(t)
	both := func(mode connect.Mode) Order {
		order := s.order(mode, "unsaved")
		order.Policies = append(order.Policies, s.order(mode, "aggressive").Policies...)
		return order
	}
	_, kept, err := PlanToKeep(t.Context(), both(connect.Plan))
	if err != nil || len(kept.Tasks) != 2 {
		t.Fatalf("%d tasks: %v", len(kept.Tasks), err)
	}
	lease, err := s.ledger.Claim(t.Context(), ledger.Firing{Target: "ORDERS", Task: "aggressive/receivers", By: "another", For: time.Hour})
	s.must(err)
	before := s.receivers()
	order := both(connect.Apply)
	order.Kept = &kept
	if _, err := Run(t.Context(), order); err == nil || !strings.Contains(err.Error(), "the plan was not taken: aggressive/receivers") {
		t.Errorf("%v", err)
	}
	if taken, err := s.ledger.Taken(t.Context(), kept.ID); err != nil || taken || !slices.Equal(s.receivers(), before) {
		t.Errorf("taken %v, %v are left of %v: %v", taken, s.receivers(), before, err)
	}
	s.must(lease.Release(t.Context(), "done"))
	order = both(connect.Apply)
	order.Kept = &kept
	record, err := Run(t.Context(), order)
	if err != nil || len(s.receivers()) == len(before) || len(record.Run.Skipped) > 0 {
		t.Errorf("later: %+v, %v", record.Run, err)
	}
}

// A kept plan has no later rounds: what its plugin would plan then nobody has
// approved.
func TestKeptPlanIsOneRound(t *testing.T) {
	s := ready(t)
	s.advance(20)
	plugin := newCommander(recordImages)
	plugin.again = true
	s.plugin = plugin
	kept := s.keepPlan("unsaved")
	*plugin.planned = nil
	record, err := s.runKept(connect.Apply, "unsaved", kept)
	s.must(err)
	if record.Run.Outcome != Applied || len(*plugin.planned) != 0 || len(record.Targets[0].Actions) != len(kept.Tasks[0].Actions) {
		t.Errorf("%s, planned %d times, %d actions of %d", record.Run.Outcome, len(*plugin.planned), len(record.Targets[0].Actions), len(kept.Tasks[0].Actions))
	}
}
