package run

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
)

// A signal ends a run behind the action that is under way.
func TestInterrupted(t *testing.T) {
	s := ready(t)
	ctx, cancel := context.WithCancel(t.Context())
	s.wrap = func(d connect.Dialer) connect.Dialer {
		w := tamper(d)
		w.remove = func(n int, next func() (observe.Answer, plugins.State, error)) (observe.Answer, plugins.State, error) {
			if n == 3 {
				cancel()
			}
			return next()
		}
		return w
	}
	record, err := Run(ctx, s.order(connect.Apply, "unsaved"))
	if !errors.Is(err, context.Canceled) || record.Run.Outcome != Interrupted {
		t.Errorf("error %v, outcome %s", err, record.Run.Outcome)
	}
	if got := inOrder(record); !strings.HasPrefix(got, "done done done skipped") || strings.HasSuffix(got, "done") {
		t.Errorf("outcomes %s", got)
	}
	kept, err := s.ledger.Run(t.Context(), record.Run.ID)
	if err != nil || kept.Run.Outcome != Interrupted || inOrder(kept) != inOrder(record) {
		t.Errorf("recorded: %s, %v", kept.Run.Outcome, err)
	}
	if open, err := s.ledger.OpenIntents(t.Context(), "ORDERS"); err != nil || len(open) > 0 {
		t.Errorf("open: %v, %v", open, err)
	}
}

// A run that was frozen until its claim was over deletes nothing more, whether
// somebody took the target over meanwhile or not.
func TestFrozen(t *testing.T) {
	for _, taken := range []bool{false, true} {
		s := ready(t)
		var shift time.Duration
		s.now = func() time.Time { return time.Now().Round(0).Add(shift) }
		s.wrap = func(d connect.Dialer) connect.Dialer {
			w := tamper(d)
			w.remove = func(n int, next func() (observe.Answer, plugins.State, error)) (observe.Answer, plugins.State, error) {
				answer, state, err := next()
				if n == 2 {
					shift = 10 * time.Minute
					if taken {
						if _, err := s.ledger.Claim(t.Context(), ledger.Firing{Target: "ORDERS", Task: ApplyTask, By: "another", For: time.Hour}); err != nil {
							t.Error(err)
						}
					}
				}
				return answer, state, err
			}
			return w
		}
		before := len(s.receivers())
		record, err := Run(t.Context(), s.order(connect.Apply, "unsaved"))
		if err != nil {
			t.Fatal(err)
		}
		if left := len(s.receivers()); left != before-2 {
			t.Errorf("taken over %v: %d of %d left, want 2 gone", taken, left, before)
		}
		if !hasFinding(record.Targets[0], finding.RunStopped) && record.Targets[0].Error == "" {
			t.Errorf("taken over %v: %s, %v", taken, record.Run.Outcome, record.Targets[0].Findings)
		}
		open, err := s.ledger.OpenIntents(t.Context(), "ORDERS")
		if err != nil || len(open) > 0 != taken {
			t.Errorf("taken over %v: open %v, %v", taken, open, err)
		}
	}
}

// Others that have the task, or the target, are left alone.
func TestClaimedByOthers(t *testing.T) {
	s := ready(t)
	for _, task := range []string{"unsaved/receivers", ApplyTask} {
		lease, err := s.ledger.Claim(t.Context(), ledger.Firing{Target: "ORDERS", Task: task, By: "another", For: time.Hour})
		s.must(err)
		before := len(s.receivers())
		record := s.run(connect.Apply, "unsaved")
		if len(s.receivers()) != before {
			t.Errorf("%s: something was deleted", task)
		}
		if len(record.Targets) > 0 || len(record.Run.Skipped) != 1 || record.Run.Outcome != LeftAlone || record.Run.Skipped[0].Until == "" {
			t.Errorf("%s: %+v", task, record.Run)
		}
		s.must(lease.Release(t.Context(), "done"))
	}
	order := s.order(connect.Apply, "unsaved")
	order.Key = "2026-06-02T02:00"
	if record, err := Run(t.Context(), order); err != nil || record.Run.Outcome != Applied {
		t.Errorf("%s, %v", record.Run.Outcome, err)
	}
	order = s.order(connect.Apply, "unsaved")
	order.Key = "2026-06-02T02:00"
	if record, err := Run(t.Context(), order); err != nil || len(record.Run.Skipped) != 1 || !record.Run.Skipped[0].Fired {
		t.Errorf("a second time: %+v, %v", record.Run, err)
	}
}

// A firing that was interrupted can be claimed again, and finishes what it
// left.
func TestInterruptedFiringIsRunAgain(t *testing.T) {
	s := ready(t)
	ctx, cancel := context.WithCancel(t.Context())
	s.wrap = func(d connect.Dialer) connect.Dialer {
		w := tamper(d)
		w.remove = func(_ int, next func() (observe.Answer, plugins.State, error)) (observe.Answer, plugins.State, error) {
			cancel()
			return next()
		}
		return w
	}
	order := s.order(connect.Apply, "unsaved")
	order.Key = "2026-06-02T02:00"
	if _, err := Run(ctx, order); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	s.wrap = nil
	for _, fired := range []bool{false, true} {
		order := s.order(connect.Apply, "unsaved")
		order.Key = "2026-06-02T02:00"
		record, err := Run(t.Context(), order)
		if err != nil || len(record.Run.Skipped) > 0 != fired || !fired && (record.Run.Outcome != Applied || record.Targets[0].ReadBack.Deleted == 0) {
			t.Errorf("%+v, %v", record.Run, err)
		}
	}
}

// A firing that found others at work on the target can be claimed again: its
// night is not lost.
func TestFiringThatFoundOthersIsRunAgain(t *testing.T) {
	s := ready(t)
	fire := func() ledger.Record {
		order := s.order(connect.Apply, "unsaved")
		order.Key = "2026-06-02T02:00"
		record, err := Run(t.Context(), order)
		s.must(err)
		return record
	}
	lease, err := s.ledger.Claim(t.Context(), ledger.Firing{Target: "ORDERS", Task: ApplyTask, By: "another", For: time.Hour})
	s.must(err)
	if record := fire(); len(record.Run.Skipped) != 1 || record.Run.Skipped[0].Fired {
		t.Fatalf("%+v", record.Run)
	}
	s.must(lease.Release(t.Context(), "done"))
	if record := fire(); record.Run.Outcome != Applied || record.Targets[0].ReadBack.Deleted == 0 {
		t.Errorf("%+v", record.Run)
	}
	if record := fire(); len(record.Run.Skipped) != 1 || !record.Run.Skipped[0].Fired {
		t.Errorf("%+v", record.Run)
	}
}
