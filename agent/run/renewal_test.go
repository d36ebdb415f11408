package run

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

// A run that takes longer than its claim lasts keeps it: nobody else gets the
// target, and it does all that it planned.
func TestClaimIsRenewed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := ready(t)
		removed := 0
		s.wrap = func(d connect.Dialer) connect.Dialer {
			w := tamper(d)
			w.remove = func(n int, next func() (observe.Answer, plugins.State, error)) (observe.Answer, plugins.State, error) {
				removed = n
				answer, state, err := next()
				if n == 2 {
					time.Sleep(5 * defaultLease)
					for _, task := range []string{ApplyTask, "unsaved/receivers"} {
						if _, err := s.ledger.Claim(t.Context(), ledger.Firing{Target: "ORDERS", Task: task, By: "another", For: time.Hour}); err == nil {
							t.Errorf("%s: another has claimed it", task)
						}
					}
				}
				return answer, state, err
			}
			return w
		}
		record := s.run(connect.Apply, "unsaved")
		if record.Run.Outcome != Applied || removed < 3 || record.Targets[0].ReadBack.Deleted != removed {
			t.Errorf("%s, %d deleted: %v", record.Run.Outcome, removed, record.Targets[0].Findings)
		}
		s.wrap = nil
		s.must(s.ledger.Close())
	})
}

// A claim that can't be renewed any more ends what waits under it: the run
// does not find out only when it wants to do the next thing.
func TestLostClaimEndsWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := ready(t)
		var frozen atomic.Int64 // how long the ledger's clock finds this process to have slept
		s.now = func() time.Time { return time.Now().Round(0).Add(time.Duration(frozen.Load())) }
		plugin := newCommander(changeReceiver)
		plugin.first = true
		plugin.says = func(int) (plugins.Result, error) {
			frozen.Store(int64(10 * time.Minute))
			return plugins.Result{State: plugins.Pending, After: time.Hour, Evidence: "not yet"}, nil
		}
		s.plugin = plugin
		before := len(s.receivers())
		order := s.order(connect.Apply, "unsaved")
		order.Now = time.Now
		began := time.Now()
		record, err := Run(t.Context(), order)
		s.must(err)
		if took := time.Since(began); took > defaultLease {
			t.Errorf("it waited for %s", took)
		}
		if got := record.Targets[0].Actions[0]; got.Outcome != "unknown" || !strings.Contains(got.Evidence, "interrupted") {
			t.Errorf("%s: %s", got.Outcome, got.Evidence)
		}
		if left := len(s.receivers()); left != before+1 {
			t.Errorf("%d of %d left, want one more", left, before)
		}
		s.must(s.ledger.Close())
	})
}

// A plugin that says of its action that it is pending, again and again, holds
// an apply no longer than the schedule lets a run take, and each question of
// its no longer than until the action's own time is over.
func TestTimeOfTheRunEndsPending(t *testing.T) {
	for _, after := range []time.Duration{-time.Hour, 0, 5 * time.Second, 1000 * time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			s := ready(t)
			plugin := newCommander(changeReceiver)
			plugin.within = plugins.MostWithin
			plugin.says = func(int) (plugins.Result, error) {
				return plugins.Result{State: plugins.Pending, After: after, Evidence: "not yet"}, nil
			}
			s.plugin = plugin
			order := s.order(connect.Apply, "unsaved")
			order.Now = time.Now
			const timeout = 10 * time.Minute
			ctx, cancel := context.WithTimeout(t.Context(), timeout)
			defer cancel()
			began := time.Now()
			record, err := Run(ctx, order)
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("after %s: %v", after, err)
			}
			if took := time.Since(began); took > timeout+time.Second {
				t.Errorf("after %s: it waited for %s", after, took)
			}
			if got := record.Targets[0].Actions[0]; got.Outcome != "unknown" || !strings.Contains(got.Evidence, "interrupted") {
				t.Errorf("after %s: %s: %s", after, got.Outcome, got.Evidence)
			}
			s.must(s.ledger.Close())
		})
	}
}

// unclaimed is an apply whose claim was lost a moment ago.
func (s *station) unclaimed() (*applier, *hands) {
	s.t.Helper()
	h := s.watch()
	r := newPlanner(s.order(connect.Apply, "conservative"))
	r.Lease, r.Log = defaultLease, slog.New(slog.DiscardHandler)
	var err error
	a := r.newApplier(job{target: s.target})
	a.claim, err = r.claimed(s.t.Context(), ledger.Firing{Target: "ORDERS", Task: ApplyTask})
	s.must(err)
	s.t.Cleanup(a.claim.stop)
	s.must(a.open(s.t.Context()))
	s.t.Cleanup(func() { s.must(a.close()) })
	seen, err := a.look(s.t.Context())
	s.must(err)
	a.key = newSecondKey(s.target, nil, seen, time.Now, a.look)
	s.must(a.claim.Release(s.t.Context(), "lost"))
	return a, h
}

// Between an intent and what was intended a process may be frozen for any
// time: the claim is looked at once more before a command is sent or a
// receiver is saved.
func TestNothingIsBegunWithoutAClaim(t *testing.T) {
	s := ready(t)
	a, h := s.unclaimed()
	first := a.key.seen.inventories[0].Segments[0]
	for name, result := range map[string]plugins.Result{
		"command": a.command(t.Context(), plugins.Action{ID: "do", Kind: plugins.KindCommand, QueueManager: "ORDERS",
			Command: plugins.Command{Language: observe.CL, QueueManager: "ORDERS", Text: changeReceiver}}),
		"archive": a.archive(t.Context(), plugins.Action{ID: "save", Kind: plugins.KindArchive, QueueManager: "ORDERS",
			Segment: first.ID, Fingerprint: first.Fingerprint, Store: "vault"}),
	} {
		if result.State != plugins.Failed || !strings.Contains(result.Evidence, "not s") || !strings.Contains(result.Evidence, ledger.ErrLeaseLost.Error()) {
			t.Errorf("%s: %s: %s", name, result.State, result.Evidence)
		}
	}
	if len(h.sent) > 0 || len(h.saved) > 0 {
		t.Errorf("%v was sent, %v saved", h.sent, h.saved)
	}
}

// A command that may be sent again is not when the claim was lost meanwhile.
func TestNotSentAgainWithoutAClaim(t *testing.T) {
	s := ready(t)
	var frozen time.Duration
	s.now = func() time.Time { return time.Now().Round(0).Add(frozen) }
	plugin := newCommander(changeReceiver)
	plugin.first = true
	plugin.says = func(int) (plugins.Result, error) {
		frozen = 10 * time.Minute
		return plugins.Result{State: plugins.Retry, Evidence: "locked"}, nil
	}
	s.plugin = plugin
	s.after = func(time.Duration) <-chan time.Time {
		over := make(chan time.Time)
		close(over)
		return over
	}
	h := s.watch()
	removed := 0
	h.remove = func(context.Context, recovery.SegmentID, bool) { removed++ }
	record := s.run(connect.Apply, "unsaved")
	if got := record.Targets[0].Actions[0]; len(h.sent) != 1 || got.Outcome != "failed" || !strings.Contains(got.Evidence, "not sent") {
		t.Errorf("sent %d times, %s: %s", len(h.sent), got.Outcome, got.Evidence)
	}
	if removed > 0 {
		t.Errorf("%d were deleted", removed)
	}
}
