package workload

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/sim/engine"
)

var monday = time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)

func TestKeptDepth(t *testing.T) {
	p := named(t, "deep")
	m := newManager(t, time.UTC)
	m.depth["ARCHIVE"] = 1234
	s := New(p, 1, monday)
	r := run(t, s, m, monday.Add(time.Second))
	if m.depth["ARCHIVE"] != 20000 || r.Units.Load != 38 || r.Persistent != 20000-1234 {
		t.Fatalf("filled to %d: %+v", m.depth["ARCHIVE"], r)
	}
	for hour := range 72 {
		run(t, s, m, monday.Add(time.Duration(hour+1)*time.Hour))
		if d := m.depth["ARCHIVE"]; d < 20000 || d > 21500 {
			t.Fatalf("hour %d: depth %d", hour, d)
		}
	}
	m.depth["ARCHIVE"] = 19000 // an operator has taken some
	run(t, s, m, monday.AddDate(0, 0, 9))
	if d := m.depth["ARCHIVE"]; d < 20000 || d > 21500 {
		t.Errorf("in the end %d", d)
	}
}

// Everything that is put is got in the end, backouts or not, and nothing else.
func TestMessagesAreGot(t *testing.T) {
	p := lively(t)
	p.Queues = p.Queues[:3]
	m := newManager(t, time.UTC)
	s := New(p, 1, monday)
	r := run(t, s, m, monday.AddDate(0, 0, 3))
	if r.Backouts == 0 || r.Empty != 0 || r.Outside == 0 || r.Units.Put == 0 || r.Units.Get == 0 {
		t.Errorf("%+v", r)
	}
	waiting := 0
	for _, d := range s.at.Due {
		waiting += d.Count
	}
	for _, n := range s.at.Behind {
		waiting += n
	}
	on := 0
	for _, d := range m.depth {
		on += d
	}
	if on != waiting {
		t.Errorf("%d messages on queues, %d gets to come", on, waiting)
	}
}

func TestLongUnits(t *testing.T) {
	p := plain(named(t, "quiet"))
	p.Long = Long{PerDay: 24, Lasts: Span(4 * time.Hour), InDoubt: 0.5, Prepared: Span(6 * time.Hour)}
	m := newManager(t, time.UTC)
	s := New(p, 1, monday)
	var all Report
	oldest, prepared := time.Duration(0), 0
	for hour := range 96 {
		all.Add(run(t, s, m, monday.Add(time.Duration(hour+1)*time.Hour)))
		if len(m.open) != len(s.at.Long) {
			t.Fatalf("hour %d: %d open, %d known", hour, len(m.open), len(s.at.Long))
		}
		for _, u := range m.open {
			oldest = max(oldest, m.clock.Sub(u.began))
			if u.prepared {
				prepared++
			}
		}
	}
	if all.LongBegun < 60 || all.LongBegun > 140 || all.LongEnded != all.LongBegun-len(m.open) {
		t.Errorf("%d open: %+v", len(m.open), all)
	}
	if all.LongPrepared < all.LongBegun/4 || prepared == 0 || all.LongLost != 0 {
		t.Errorf("%+v, %d times one was seen in doubt", all, prepared)
	}
	if oldest < 8*time.Hour || oldest > 15*time.Hour {
		t.Errorf("the oldest was open for %s", oldest)
	}
}

// Single failures are counted and harm nothing that comes later.
func TestFailures(t *testing.T) {
	full := errors.New("the queue is full (2053)")
	for _, operation := range []string{"define", "begin", "put", "get", "commit", "backout", "prepare", "force"} {
		t.Run(operation, func(t *testing.T) {
			p := lively(t)
			p.Backouts = 0.2
			m := newManager(t, time.UTC)
			s := New(p, 1, monday)
			bad, n := true, 0
			m.fails = func(op, _ string) error {
				if n++; bad && op == operation && (n%3 == 0 || op == "define") {
					return fmt.Errorf("try %d: %w", n, full)
				}
				return nil
			}
			r := run(t, s, m, monday.AddDate(0, 0, 1))
			if len(r.Failures) == 0 || !strings.Contains(r.Failures[0].First, full.Error()) {
				t.Fatalf("%+v", r)
			}
			for _, f := range r.Failures {
				if f.Operation != operation || f.Count < 1 {
					t.Errorf("%+v", f)
				}
			}
			bad = false
			if r := run(t, s, m, monday.AddDate(0, 0, 3)); len(r.Failures) > 0 || r.Puts == 0 {
				t.Errorf("%+v", r)
			}
			if len(m.open) != len(s.at.Long) {
				t.Errorf("%d units of work are open, %d known", len(m.open), len(s.at.Long))
			}
		})
	}
}

func TestStopped(t *testing.T) {
	for _, operation := range []string{"define", "begin", "put", "get", "commit", "prepare", "force"} {
		t.Run(operation, func(t *testing.T) {
			m := newManager(t, time.UTC)
			s := New(lively(t), 1, monday)
			down, n := true, 0
			m.fails = func(op, _ string) error {
				if op == operation && down {
					if n++; n > 5 || op == "prepare" {
						return fmt.Errorf("no more: %w", engine.ErrStopped)
					}
				}
				return nil
			}
			_, err := s.Run(t.Context(), m, monday.AddDate(0, 0, 5), m.setClock)
			if !errors.Is(err, engine.ErrStopped) {
				t.Fatal(err)
			}
			if s.Until().Before(monday) || s.Until().After(monday.AddDate(0, 0, 4)) {
				t.Errorf("until %s", s.Until())
			}
			content, err := s.MarshalJSON()
			if err != nil {
				t.Fatal(err)
			}
			var read State
			if err := read.UnmarshalJSON(content); err != nil {
				t.Fatal(err)
			}
			down, m.unforced = false, false
			m.restart()
			read.Pause(monday.AddDate(0, 0, 5))
			r := run(t, &read, m, monday.AddDate(0, 0, 6))
			if len(r.Failures) > 0 || r.Puts == 0 {
				t.Errorf("%+v", r)
			}
		})
	}
}

// A context that ends leaves no unit of work that nobody knows, and nothing
// unforced.
func TestCancelled(t *testing.T) {
	for after := range 60 {
		ctx, cancel := context.WithCancel(t.Context())
		m := newManager(t, time.UTC)
		s := New(lively(t), uint64(after), monday)
		n := 0
		m.fails = func(string, string) error {
			if n++; n >= after*50 {
				cancel()
			}
			return nil
		}
		_, err := s.Run(ctx, m, monday.AddDate(0, 0, 3), m.setClock)
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if len(m.open) != len(s.at.Long) || m.unforced {
			t.Fatalf("%d: %d units of work are open, %d known, unforced %v", after, len(m.open), len(s.at.Long), m.unforced)
		}
		if r := run(t, s, m, monday.AddDate(0, 0, 1)); len(r.Failures) > 0 {
			t.Errorf("%+v", r)
		}
	}
}

func TestClockFails(t *testing.T) {
	broken := errors.New("the clock is broken")
	s := New(named(t, "quiet"), 1, monday)
	_, err := s.Run(t.Context(), newManager(t, time.UTC), monday.AddDate(0, 0, 1), func(time.Time) error { return broken })
	if !errors.Is(err, broken) {
		t.Error(err)
	}
}

func TestBodies(t *testing.T) {
	var b bodies
	for _, size := range []int{len(Marker), 20, 30, 5000, 100, 1 << 20} {
		body := b.make(123, size)
		if len(body) != size || !bytes.HasPrefix(body, []byte(Marker)) {
			t.Errorf("size %d: %q", size, body[:min(size, 100)])
		}
	}
	if got, want := string(b.make(98765, 60)), "mqhk-sim-message 000000098765 plication had to say, and nobo"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if n := bytes.Count(b.make(1, 10000), []byte(Marker)); n < 100 {
		t.Errorf("%d markers in a long body", n)
	}
}
