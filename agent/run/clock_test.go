package run

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
)

// moved is the time as a clock shows it that was put forward or back.
func moved(by time.Duration) func() time.Time {
	return func() time.Time { return time.Now().Add(by) }
}

// died leaves the claims of a process that died while it was at something.
func (s *station) died(actions ...plugins.Action) {
	s.t.Helper()
	for _, task := range []string{"unsaved/receivers", ApplyTask} {
		lease, err := s.ledger.Claim(s.t.Context(), ledger.Firing{Target: "ORDERS", Task: task, Policy: "unsaved", Run: "died", By: "a test", For: defaultLease})
		s.must(err)
		if task == ApplyTask && len(actions) > 0 {
			s.must(s.ledger.Intend(s.t.Context(), lease, actions))
		}
	}
}

// The clock of mqhk's own machine is put back or forward between two runs: the
// claim of a process that died counts until the time that the ledger holds, no
// longer, and what may go is judged by the target alone.
func TestClockIsMovedBetweenRuns(t *testing.T) {
	oneAfterTheOther(t)
	for name, test := range map[string]struct {
		by    time.Duration
		freed bool // the dead process's claim is over
	}{
		"back":                 {-2 * time.Hour, false},
		"back by a day":        {-26 * time.Hour, false},
		"not at all":           {0, false},
		"forward":              {2 * time.Hour, true},
		"forward by a month":   {30 * 24 * time.Hour, true},
		"forward by ten years": {10 * 365 * 24 * time.Hour, true},
	} {
		t.Run(name, func(t *testing.T) {
			s := ready(t)
			want := s.order(connect.Plan, "unsaved")
			planned, err := Run(t.Context(), want)
			s.must(err)
			s.died()
			before := s.receivers()
			s.now = moved(test.by)
			record, err := Run(t.Context(), s.order(connect.Apply, "unsaved"))
			s.must(err)
			if !test.freed {
				if len(record.Targets) != 0 || len(record.Run.Skipped) != 1 || !slices.Equal(before, s.receivers()) {
					t.Fatalf("the claim stands, and %+v, %v of %v are left", record.Run, s.receivers(), before)
				}
				s.now = moved(test.by + 48*time.Hour) // in the end it is over
				record, err = Run(t.Context(), s.order(connect.Apply, "unsaved"))
				s.must(err)
			}
			if record.Run.Outcome != Applied || !slices.Equal(s.receivers(), before[len(planned.Targets[0].Actions):]) {
				t.Errorf("%s: %v are left of %v", record.Run.Outcome, s.receivers(), before)
			}
		})
	}
}

// The clock jumps while receivers are deleted. Forward: the claim is over, and
// nothing more is deleted, since others may have taken it. Back: what was seen
// is no longer known to be new, and is seen again.
func TestClockJumpsWhileDeleting(t *testing.T) {
	for name, test := range map[string]struct {
		by      time.Duration
		deleted int // of the receivers, by the time that it jumps; -1: all
	}{
		"forward": {30 * 24 * time.Hour, 2},
		"back":    {-2 * time.Hour, -1},
	} {
		t.Run(name, func(t *testing.T) {
			s := ready(t)
			s.run(connect.Plan, "unsaved")
			before := s.receivers()
			s.wrap = func(d connect.Dialer) connect.Dialer {
				tampered := tamper(d)
				tampered.remove = func(n int, next func() (observe.Answer, plugins.State, error)) (observe.Answer, plugins.State, error) {
					answer, state, err := next()
					if n == 2 {
						s.now = moved(test.by)
					}
					return answer, state, err
				}
				return tampered
			}
			order := s.order(connect.Apply, "unsaved")
			order.Now = func() time.Time { return s.now() }
			record, err := Run(t.Context(), order)
			if err != nil && test.deleted < 0 {
				t.Fatal(err)
			}
			gone := len(before) - len(s.receivers())
			switch {
			case test.deleted < 0 && (record.Run.Outcome != Applied || gone == 0):
				t.Errorf("%s, %d are gone: %s", record.Run.Outcome, gone, inOrder(record))
			case test.deleted >= 0 && gone != test.deleted:
				t.Errorf("%d are gone: %s", gone, inOrder(record))
			case test.deleted >= 0 && !hasFinding(record.Targets[0], finding.RunStopped):
				t.Errorf("it does not say why: %v", record.Targets[0].Findings)
			}
			if _, err := s.ledger.Verify(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

// undecided is the journal plugin that can never tell what became of a command.
type undecided struct{ served }

func (undecided) Confirm(_ context.Context, action plugins.Action, _ observe.Asker, _ func(string)) (plugins.Result, error) {
	return plugins.Result{Action: action.ID, State: plugins.Pending, Evidence: "nothing is to be seen"}, nil
}

// A command of a process that died is waited for as long as it may take, and
// not sent again meanwhile. When its time is over it has failed: it would never
// be sent again else.
func TestPendingCommandOfTheDead(t *testing.T) {
	s := ready(t)
	s.plugin = undecided{served{}}
	s.run(connect.Plan, "unsaved")
	s.died(plugins.Action{ID: "images", Kind: plugins.KindCommand, QueueManager: "ORDERS", Within: time.Hour, Object: "ORDERS",
		Command: plugins.Command{Language: observe.CL, QueueManager: "ORDERS", Text: recordImages}})
	for _, test := range []struct {
		after time.Duration
		open  string // the state of what is open; empty: nothing is
	}{
		{10 * time.Minute, string(plugins.Unknown)},
		{59 * time.Minute, string(plugins.Unknown)},
		{61 * time.Minute, ""},
	} {
		s.now = moved(test.after)
		_, err := Run(t.Context(), s.order(connect.Apply, "unsaved"))
		s.must(err)
		open, err := s.ledger.OpenIntents(t.Context(), "ORDERS")
		s.must(err)
		var states []string
		for _, o := range open {
			states = append(states, string(o.State))
		}
		if got := strings.Join(states, " "); got != test.open {
			t.Errorf("after %s: %q is open, want %q", test.after, got, test.open)
		}
	}
}
