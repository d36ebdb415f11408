package run

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
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

func (w tamperedWriter) Remove(ctx context.Context, r connect.Removal) (observe.Answer, plugins.State, error) {
	*w.dialer.removed++
	next := func() (observe.Answer, plugins.State, error) { return w.Writer.Remove(ctx, r) }
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
	oneAfterTheOther(t)
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

// What is seen while segments are deleted ends the run when nothing may go by
// it: the queue manager does not plainly run any more.
func TestStoppedOnTheWay(t *testing.T) {
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
	if left := len(s.receivers()); left != before-2 {
		t.Errorf("%d of %d left, want 2 gone", left, before)
	}
	if !hasFinding(record.Targets[0], finding.GuardRefused) || record.Run.Outcome != InPart {
		t.Errorf("%s, %v", record.Run.Outcome, record.Targets[0].Findings)
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
