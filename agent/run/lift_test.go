package run

import (
	"context"
	"testing"
	"time"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/sim"
)

// What was restored for a recovery is held until the queue manager plainly runs
// and was started after the restore, as far as that can be told.
func TestLift(t *testing.T) {
	restart := []string{"ENDMQM MQMNAME(ORDERS) OPTION(*IMMED)", "STRMQM MQMNAME(ORDERS)"}
	recorded := func(mode connect.Mode) func(*station) error {
		return func(s *station) error {
			_, err := Run(s.t.Context(), s.order(mode, "unsaved"))
			return err
		}
	}
	tests := []struct {
		name     string
		commands []string // after the hold was put there
		until    bool     // the hold waits for a start
		zoneless bool
		run      func(*station) error
		stands   bool
	}{
		{"a plan after a start", restart, true, false, recorded(connect.Plan), true},
		{"an apply after a start", restart, true, false, recorded(connect.Apply), false},
		{"no start since", nil, true, false, recorded(connect.Apply), true},
		{"not started again", restart[:1], true, false, recorded(connect.Apply), true},
		{"a hold that waits for no start", restart, false, false, recorded(connect.Apply), true},
		{"the zone is not known", restart, true, true, recorded(connect.Apply), true},
		{"a plan that nobody records", restart, true, false, func(s *station) error {
			_, err := Plan(s.t.Context(), s.order(connect.Plan, "unsaved"))
			return err
		}, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := newStation(t, 12)
			s.run(connect.Plan, "unsaved")
			var now time.Time
			s.open(func(e *sim.Estate) { now = e.Now() })
			_, err := s.ledger.AddHold(t.Context(), ledger.Hold{Target: "ORDERS", Since: now, Until: now.Add(DefaultHeld),
				UntilStart: test.until, Segment: s.receivers()[0], Reason: "restored", By: "a test"})
			s.must(err)
			if len(test.commands) > 0 {
				s.cl(test.commands...)
			}
			if test.zoneless {
				s.target.Zone = ""
			}
			s.must(test.run(s))
			if holds := s.holds(); len(holds) == 1 != test.stands {
				t.Errorf("held: %+v", holds)
			}
			if _, err := s.ledger.Verify(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

// A run that ends before it knows lifts nothing.
func TestLiftInterrupted(t *testing.T) {
	s, _, _ := emptied(t)
	s.crashAndRestore()
	r := newPlanner(s.order(connect.Apply, "aggressive"))
	r.recorded = true
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := r.observing(t.Context(), s.target, func(seen *observation) {
		if err := r.lift(ctx, s.target, seen); err == nil {
			t.Error("no error")
		}
	})
	s.must(err)
	if len(s.holds()) == 0 {
		t.Error("lifted")
	}
}
