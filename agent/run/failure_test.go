package run

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

// tampered is a connection on which things go wrong.
type tampered struct {
	connect.Dialer
	ask    func(n int, q observe.Question) error // before the nth question; an error is its answer
	answer func(q observe.Question, a observe.Answer) observe.Answer
	remove func(n int, next func() (observe.Answer, plugins.State, error)) (observe.Answer, plugins.State, error)

	asked, removed *int
}

func tamper(d connect.Dialer) *tampered {
	return &tampered{Dialer: d, asked: new(int), removed: new(int)}
}

func (d *tampered) Reader(ctx context.Context) (connect.Reader, error) {
	reader, err := d.Dialer.Reader(ctx)
	if err != nil {
		return nil, err
	}
	return tamperedReader{reader, d}, nil
}

func (d *tampered) Writer(ctx context.Context) (connect.Writer, error) {
	writer, err := d.Dialer.Writer(ctx)
	if err != nil {
		return nil, err
	}
	return tamperedWriter{writer, d}, nil
}

type tamperedReader struct {
	connect.Reader
	dialer *tampered
}

func (r tamperedReader) Ask(ctx context.Context, q observe.Question) (observe.Answer, error) {
	*r.dialer.asked++
	if r.dialer.ask != nil {
		if err := r.dialer.ask(*r.dialer.asked, q); err != nil {
			return observe.Answer{}, err
		}
	}
	answer, err := r.Reader.Ask(ctx, q)
	if err == nil && r.dialer.answer != nil {
		answer = r.dialer.answer(q, answer)
	}
	return answer, err
}

type tamperedWriter struct {
	connect.Writer
	dialer *tampered
}

func (w tamperedWriter) Remove(ctx context.Context, id recovery.SegmentID, unsaved bool) (observe.Answer, plugins.State, error) {
	*w.dialer.removed++
	next := func() (observe.Answer, plugins.State, error) { return w.Writer.Remove(ctx, id, unsaved) }
	if w.dialer.remove == nil {
		return next()
	}
	return w.dialer.remove(*w.dialer.removed, next)
}

// ready is a station on which receivers may go, known to its ledger.
func ready(t *testing.T) *station {
	t.Helper()
	s := newStation(t, 30)
	s.cl(changeReceiver, recordImages)
	s.run(connect.Plan, "unsaved")
	return s
}

// inOrder tells the outcomes of the actions as one word each.
func inOrder(record ledger.Record) string {
	var words []string
	for _, a := range record.Targets[0].Actions {
		words = append(words, a.Outcome)
	}
	return strings.Join(words, " ")
}

// Case 6: what did not answer in time is looked at again. Case 9: nothing is
// attempted behind the first that is not done.
func TestDeleteIsLookedAtAgain(t *testing.T) {
	timeout := func(ended bool) error {
		return &connect.Timeout{After: time.Minute, Ended: ended, Err: errors.New("CPA7025")}
	}
	blind := false // from then on the list can't be had
	tests := []struct {
		name, second, says string
		remove             func(next func() (observe.Answer, plugins.State, error)) (observe.Answer, plugins.State, error)
	}{
		{"still there, and the job ended", "failed", "still there", func(func() (observe.Answer, plugins.State, error)) (observe.Answer, plugins.State, error) {
			return observe.Answer{}, plugins.Unknown, timeout(true)
		}},
		{"still there, and the job may run", "unknown", "may still run", func(func() (observe.Answer, plugins.State, error)) (observe.Answer, plugins.State, error) {
			return observe.Answer{}, plugins.Unknown, timeout(false)
		}},
		{"gone", "done", "it is gone", func(next func() (observe.Answer, plugins.State, error)) (observe.Answer, plugins.State, error) {
			_, _, _ = next()
			return observe.Answer{}, plugins.Unknown, timeout(false)
		}},
		{"refused, and gone nevertheless", "done", "it is gone", func(next func() (observe.Answer, plugins.State, error)) (observe.Answer, plugins.State, error) {
			_, _, _ = next()
			return observe.Answer{Body: []byte("CPF705E")}, plugins.Failed, errors.New("CPF705E")
		}},
		{"refused", "failed", "CPF705E", func(func() (observe.Answer, plugins.State, error)) (observe.Answer, plugins.State, error) {
			return observe.Answer{Body: []byte("CPF705E")}, plugins.Failed, errors.New("CPF705E")
		}},
		{"not visible", "unknown", "does not tell", func(func() (observe.Answer, plugins.State, error)) (observe.Answer, plugins.State, error) {
			blind = true
			return observe.Answer{}, plugins.Unknown, timeout(true)
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := ready(t)
			before := s.receivers()
			blind = false
			s.wrap = func(d connect.Dialer) connect.Dialer {
				w := tamper(d)
				w.ask = func(_ int, q observe.Question) error {
					if blind && q.Language == observe.SQL {
						return &observe.TimedOut{Question: q, After: time.Minute}
					}
					return nil
				}
				w.remove = func(n int, next func() (observe.Answer, plugins.State, error)) (observe.Answer, plugins.State, error) {
					if n == 2 {
						return test.remove(next)
					}
					return next()
				}
				return w
			}
			record := s.run(connect.Apply, "unsaved")
			target := record.Targets[0]
			got := strings.Fields(inOrder(record))
			rest := "skipped"
			if test.second == "done" {
				rest = "done"
			}
			for i, outcome := range got {
				want := map[int]string{0: "done", 1: test.second}[i]
				if want == "" {
					want = rest
				}
				if outcome != want {
					t.Errorf("action %d is %s, want %s: %s", i+1, outcome, want, target.Actions[i].Evidence)
				}
			}
			if !strings.Contains(target.Actions[1].Evidence, test.says) {
				t.Errorf("evidence %q does not say %q", target.Actions[1].Evidence, test.says)
			}
			if rest == "skipped" && record.Run.Outcome != InPart {
				t.Errorf("outcome %s", record.Run.Outcome)
			}
			blind = false
			gone := 1
			if test.second == "done" {
				gone = len(got)
			}
			if left := s.receivers(); len(left) != len(before)-gone {
				t.Errorf("%d of %d left, want %d gone", len(left), len(before), gone)
			}
			open, err := s.ledger.OpenIntents(t.Context(), "ORDERS")
			if err != nil || len(open) > 0 != (test.second == "unknown") {
				t.Errorf("open: %v, %v", open, err)
			}
			// The next run looks at what was left open, and does the rest.
			s.wrap = nil
			if next := s.run(connect.Apply, "unsaved"); next.Run.Outcome != Applied {
				t.Errorf("the next run: %s, %v", next.Run.Outcome, next.Targets[0].Findings)
			}
			if open, err := s.ledger.OpenIntents(t.Context(), "ORDERS"); err != nil || len(open) > 0 {
				t.Errorf("still open: %v, %v", open, err)
			}
		})
	}
}

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

// What is seen while segments are deleted ends the run when it is not what was
// planned on.
func TestStoppedOnTheWay(t *testing.T) {
	tests := []struct {
		name string
		code finding.Code
		do   func(s *station) error
	}{
		{"the queue manager is not plainly running", finding.GuardRefused, func(*station) error { return nil }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := ready(t)
			var shift time.Duration
			s.now = func() time.Time { return time.Now().Round(0).Add(shift) }
			s.wrap = func(d connect.Dialer) connect.Dialer {
				w := tamper(d)
				ending := false
				w.ask = func(_ int, q observe.Question) error {
					if ending && q.Language == observe.MQSC && strings.Contains(q.Text, "QMSTATUS") {
						return &observe.Failed{Question: q, Body: []byte("AMQ8146: queue manager not available")}
					}
					return nil
				}
				w.remove = func(n int, next func() (observe.Answer, plugins.State, error)) (observe.Answer, plugins.State, error) {
					if n == 2 {
						ending, shift = true, lookAgain
					}
					return next()
				}
				return w
			}
			before := len(s.receivers())
			record := s.run(connect.Apply, "unsaved")
			t.Log(record.Run.Outcome, record.Targets[0].Findings)
			if left := len(s.receivers()); left != before-2 {
				t.Errorf("%d of %d left, want 2 gone", left, before)
			}
			if !hasFinding(record.Targets[0], test.code) || record.Run.Outcome != InPart {
				t.Errorf("%s, %v", record.Run.Outcome, record.Targets[0].Findings)
			}
		})
	}
}

// Every policy that applies on the target by itself binds the run beside its
// own.
func TestOtherPoliciesBind(t *testing.T) {
	s := ready(t)
	s.run(connect.Plan, "aggressive")
	s.binds = func(observe.Target) []Binding {
		return []Binding{{Policy: "nightly", Promise: recovery.Promise{Strategy: recovery.Conservative}}}
	}
	before := len(s.receivers())
	record := s.run(connect.Apply, "aggressive")
	if f := record.Targets[0].Findings[0]; f.Code != finding.GuardRefused || !strings.Contains(f.Text, "policy nightly") || len(s.receivers()) != before {
		t.Errorf("%v, %d of %d left", f, len(s.receivers()), before)
	}
	if dry, err := Plan(t.Context(), s.order(connect.Plan, "aggressive")); err != nil || dry.Targets[0].Findings[0].Code != finding.OtherPolicyKeeps || dry.Totals.Delete != 0 || dry.Run.Outcome != Planned {
		t.Errorf("a dry run does not show it: %v", err)
	}
}

// A hold of the ledger keeps everything.
func TestHeld(t *testing.T) {
	s := ready(t)
	hold, err := s.ledger.AddHold(t.Context(), ledger.Hold{Target: "ORDERS", Reason: "case 4711", By: "ann"})
	s.must(err)
	before := len(s.receivers())
	record := s.run(connect.Apply, "unsaved")
	if len(record.Targets[0].Actions) > 0 || !hasFinding(record.Targets[0], finding.OnHold) || len(s.receivers()) != before {
		t.Errorf("%v", record.Targets[0].Findings)
	}
	s.must(s.ledger.LiftHold(t.Context(), hold.ID, "ann"))
	if record := s.run(connect.Apply, "unsaved"); record.Run.Outcome != Applied || record.Targets[0].ReadBack.Deleted == 0 {
		t.Errorf("lifted: %s", record.Run.Outcome)
	}
}

// A store that holds segments of a target which the ledger has never seen:
// nothing goes.
func TestLedgerEmpty(t *testing.T) {
	s := ready(t)
	s.run(connect.Plan, "conservative")
	s.run(connect.Apply, "conservative")
	s.advance(12)
	s.cl(changeReceiver, recordImages)
	lost, err := ledger.Open(t.Context(), t.TempDir()+"/new", ledger.Options{})
	s.must(err)
	t.Cleanup(func() { _ = lost.Close() })
	s.ledger = lost
	before := len(s.receivers())
	for i, mode := range []connect.Mode{connect.Plan, connect.Apply, connect.Apply} { // until a person says so, and not once
		record, err := Run(t.Context(), s.order(mode, "conservative"))
		s.must(err)
		if !hasFinding(record.Targets[0], finding.LedgerEmpty) || record.Totals.Delete != 0 || len(s.receivers()) != before {
			t.Errorf("run %d: %v, %+v", i, record.Targets[0].Findings, record.Totals)
		}
	}
	if dry, err := Plan(t.Context(), s.order(connect.Plan, "conservative")); err != nil || !hasFinding(dry.Targets[0], finding.LedgerEmpty) {
		t.Errorf("a dry run does not say so: %v", err)
	}
	s.must(lost.Accept(t.Context(), "ann", "the disk of the ledger is gone, holds are given anew"))
	if record := s.run(connect.Apply, "conservative"); record.Run.Outcome != Applied || record.Targets[0].ReadBack.Deleted == 0 {
		t.Errorf("accepted: %s, %v", record.Run.Outcome, record.Targets[0].Findings)
	}
}

// A ledger that was put back from an older copy may lack a hold: nothing goes
// until a person has looked.
func TestLedgerPutBack(t *testing.T) {
	s := ready(t)
	folder := filepath.Join(t.TempDir(), "state")
	reopen := func() {
		var err error
		s.ledger, err = ledger.Open(t.Context(), folder, ledger.Options{})
		s.must(err)
	}
	reopen()
	s.run(connect.Plan, "unsaved")
	s.must(s.ledger.Close())
	old, err := os.ReadFile(filepath.Join(folder, ledger.FileName))
	s.must(err)
	reopen()
	_, err = s.ledger.AddHold(t.Context(), ledger.Hold{Target: "ORDERS", Reason: "a case", By: "ann"})
	s.must(err)
	s.must(s.ledger.Close())
	s.must(os.WriteFile(filepath.Join(folder, ledger.FileName), old, 0o600))
	reopen()
	before := len(s.receivers())
	for range 2 {
		record := s.run(connect.Apply, "unsaved")
		if !hasFinding(record.Targets[0], finding.LedgerBroken) || len(s.receivers()) != before || record.Run.Outcome != InPart {
			t.Errorf("%s, %v", record.Run.Outcome, record.Targets[0].Findings)
		}
	}
	s.must(s.ledger.Accept(t.Context(), "ann", "the hold is over"))
	if record := s.run(connect.Apply, "unsaved"); record.Run.Outcome != Applied || len(s.receivers()) == before {
		t.Errorf("accepted: %s, %v", record.Run.Outcome, record.Targets[0].Findings)
	}
	s.must(s.ledger.Close())
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

// A queue manager that was started anew while segments are deleted ends the
// run: what was planned on is over.
func TestStartedAnewOnTheWay(t *testing.T) {
	s := ready(t)
	var shift time.Duration
	s.now = func() time.Time { return time.Now().Round(0).Add(shift) }
	s.wrap = func(d connect.Dialer) connect.Dialer {
		w := tamper(d)
		w.answer = func(q observe.Question, a observe.Answer) observe.Answer {
			if shift > 0 && q.Language == observe.MQSC {
				a.Body = []byte(regexp.MustCompile(`STARTTI\([^)]*\)`).ReplaceAllString(string(a.Body), "STARTTI(23.59.58)"))
			}
			return a
		}
		w.remove = func(n int, next func() (observe.Answer, plugins.State, error)) (observe.Answer, plugins.State, error) {
			if n == 2 {
				shift = lookAgain
			}
			return next()
		}
		return w
	}
	before := len(s.receivers())
	record := s.run(connect.Apply, "unsaved")
	if f := record.Targets[0].Findings[0]; f.Code != finding.RunStopped || !strings.Contains(f.Text, "started anew") || len(s.receivers()) != before-2 {
		t.Errorf("%v, %d of %d left", f, len(s.receivers()), before)
	}
}

// Nothing is deleted past a failure, in no later batch either and whatever the
// plan says waits for what; and not in another order than the oldest first.
func TestOrderIsTheHosts(t *testing.T) {
	unchained := func(plan *plugins.Plan) {
		for i := range plan.Actions {
			plan.Actions[i].After = nil
		}
	}
	t.Run("a failure", func(t *testing.T) {
		s := ready(t)
		s.plugin = liar{lie: func(_ context.Context, p *plugins.Plan, _ observe.Asker) { unchained(p) }}
		s.wrap = func(d connect.Dialer) connect.Dialer {
			w := tamper(d)
			w.remove = func(n int, next func() (observe.Answer, plugins.State, error)) (observe.Answer, plugins.State, error) {
				if n == 2 {
					return observe.Answer{}, plugins.Failed, errors.New("CPF705E")
				}
				return next()
			}
			return w
		}
		before := len(s.receivers())
		if got := inOrder(s.run(connect.Apply, "unsaved")); !strings.HasPrefix(got, "done failed skipped") || strings.Count(got, "done") != 1 || len(s.receivers()) != before-1 {
			t.Error(got)
		}
	})
	for name, lie := range map[string]func(p *plugins.Plan){
		"newest first": func(p *plugins.Plan) { unchained(p); slices.Reverse(p.Actions) },
		"one left out": func(p *plugins.Plan) { unchained(p); p.Actions = slices.Delete(p.Actions, 1, 2) },
		"one alone":    func(p *plugins.Plan) { unchained(p); p.Actions = p.Actions[2:3] },
	} {
		t.Run(name, func(t *testing.T) {
			s := ready(t)
			s.plugin = liar{lie: func(_ context.Context, p *plugins.Plan, _ observe.Asker) { lie(p) }}
			before := len(s.receivers())
			if record := s.run(connect.Apply, "unsaved"); !hasFinding(record.Targets[0], finding.GuardRefused) || len(s.receivers()) != before {
				t.Errorf("%v", record.Targets[0].Findings)
			}
		})
	}
}

// A copy that is not whole any more is read before its receiver goes.
func TestRottenCopy(t *testing.T) {
	s := ready(t)
	s.run(connect.Plan, "aggressive")
	// All is saved, nothing deleted: the process ended in between.
	ctx, cancel := context.WithCancel(t.Context())
	s.wrap = func(d connect.Dialer) connect.Dialer {
		w := tamper(d)
		w.remove = func(_ int, next func() (observe.Answer, plugins.State, error)) (observe.Answer, plugins.State, error) {
			cancel()
			return observe.Answer{}, plugins.Failed, errors.New("ended")
		}
		return w
	}
	_, err := Run(ctx, s.order(connect.Apply, "aggressive"))
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	s.wrap = nil
	before := s.receivers()
	s.spoil(before[0])
	record := s.run(connect.Apply, "aggressive")
	if f := record.Targets[0].Findings[0]; f.Code != finding.CopyDamaged || len(s.receivers()) != len(before) {
		t.Errorf("%v, %d of %d left", f, len(s.receivers()), len(before))
	}
	// Its damage is noted: it is saved again, and then all of it goes.
	if record := s.run(connect.Apply, "aggressive"); record.Run.Outcome != Applied || len(s.receivers()) != 1 {
		t.Errorf("%s, %v, %d left", record.Run.Outcome, record.Targets[0].Findings, len(s.receivers()))
	}
}

// spoil changes a byte in the middle of the copy of a receiver.
func (s *station) spoil(name string) {
	s.t.Helper()
	spoiled := 0
	s.must(filepath.WalkDir(s.vault, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.Contains(filepath.Base(path), name) || strings.HasSuffix(path, ".json") {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		content[len(content)/2] ^= 1
		spoiled++
		return os.WriteFile(path, content, 0o600)
	}))
	if spoiled != 1 {
		s.t.Fatalf("%d copies of %s", spoiled, name)
	}
}
