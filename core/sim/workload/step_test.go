package workload

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// lively is a small site where everything happens often.
func lively(tb testing.TB) Profile {
	tb.Helper()
	p := named(tb, "office")
	p.Messages = Messages{Persistent: 3000, NonPersistent: 1000}
	p.Alone, p.Backouts = 0.1, 0.1
	p.Queues = append(p.Queues, Queue{Name: "ARCHIVE", Share: 1, Stays: Span(time.Hour), Keep: 700})
	p.Long = Long{PerDay: 40, Lasts: Span(30 * time.Minute), InDoubt: 0.5, Prepared: Span(2 * time.Hour)}
	p.Bursts = Bursts{PerDay: 10, Times: 5, Lasts: Span(10 * time.Minute)}
	return p
}

// again is a state that another process reads.
func again(t *rapid.T, s *State) *State {
	content, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	var read State
	if err := json.Unmarshal(content, &read); err != nil {
		t.Fatalf("%v\n%s", err, content)
	}
	return &read
}

// One step or many, in one process or in many: the same work.
func TestStepsMakeNoDifference(t *testing.T) {
	zone := berlin(t)
	p := lively(t)
	rapid.Check(t, func(rt *rapid.T) {
		from := time.Date(2026, 3, 27, 6, 59, 30, 250e6, zone).Add(time.Duration(rapid.Int64Range(0, int64(48*time.Hour)).Draw(rt, "from")))
		seed := rapid.Uint64().Draw(rt, "seed")
		until := from.Add(12 * time.Hour)

		one, many := newManager(t, zone), newManager(t, zone)
		want, err := New(p, seed, from).Run(t.Context(), one, until, one.setClock)
		if err != nil {
			rt.Fatal(err)
		}
		var got Report
		s := New(p, seed, from)
		ends := rapid.SliceOfN(rapid.Int64Range(0, int64(until.Sub(from))), 0, 30).Draw(rt, "ends")
		slices.Sort(ends)
		for _, end := range append(ends, int64(until.Sub(from))) {
			at := from.Add(time.Duration(end))
			r, err := s.Run(t.Context(), many, at, many.setClock)
			if err != nil {
				rt.Fatal(err)
			}
			got.Add(r)
			s = again(rt, s)
		}
		if one.log != many.log {
			rt.Error("not the same calls")
		}
		if diff := cmp.Diff(want, got); diff != "" {
			rt.Error(diff)
		}
		if many.forces < one.forces || one.unforced || many.unforced {
			rt.Errorf("%d forces in one step, %d in many, or something is not forced at the end", one.forces, many.forces)
		}
		if want.Puts == 0 || len(want.Failures) > 0 {
			rt.Errorf("%+v", want)
		}
	})
}

// Ten days by the hour are those of one step, over the day of 23 hours.
func TestHoursMakeTheDay(t *testing.T) {
	zone := berlin(t)
	from := time.Date(2026, 3, 20, 0, 0, 0, 0, zone)
	until := from.AddDate(0, 0, 10)
	one, many := newManager(t, zone), newManager(t, zone)
	p := lively(t)
	want := run(t, New(p, 1, from), one, until)
	var got Report
	s := New(p, 1, from)
	for at := from; at.Before(until); {
		at = at.Add(time.Hour)
		got.Add(run(t, s, many, at))
	}
	if diff := cmp.Diff(want, got); diff != "" || one.log != many.log {
		t.Error("not the same calls", diff)
	}
}

// Whoever follows Next does the same.
func TestNextLeadsThrough(t *testing.T) {
	zone := time.UTC
	p := lively(t)
	from := time.Date(2026, 5, 28, 9, 0, 0, 0, zone)
	until := from.Add(3 * time.Hour)
	one, many := newManager(t, zone), newManager(t, zone)
	run(t, New(p, 7, from), one, until)
	s := New(p, 7, from)
	for s.Next().Before(until) {
		next := s.Next()
		run(t, s, many, next.Truncate(time.Second).Add(time.Second))
		if !s.Next().After(next) {
			t.Fatalf("%s is still next", next)
		}
	}
	if one.log != many.log {
		t.Error("not the same calls")
	}
}

func TestOtherSeedOtherWork(t *testing.T) {
	from := time.Date(2026, 5, 28, 9, 0, 0, 0, time.UTC)
	a, b := newManager(t, time.UTC), newManager(t, time.UTC)
	run(t, New(named(t, "quiet"), 1, from), a, from.Add(24*time.Hour))
	run(t, New(named(t, "quiet"), 2, from), b, from.Add(24*time.Hour))
	if a.log == b.log {
		t.Error("two seeds, the same work")
	}
}

// While the queue manager is down nothing is put; what was due then is done
// when it is up again, at that time.
func TestPause(t *testing.T) {
	zone := time.UTC
	from := time.Date(2026, 5, 28, 9, 0, 0, 0, zone)
	m := newManager(t, zone)
	p := lively(t)
	p.Backouts = 0
	s := New(p, 3, from)
	run(t, s, m, from.Add(2*time.Hour))
	lost := m.restart()
	up := from.Add(26 * time.Hour)
	s.Pause(up)
	s.Pause(from) // has been
	if !s.Until().Equal(up) || s.Next().Before(up) {
		t.Fatalf("until %s, next %s", s.Until(), s.Next())
	}
	r := run(t, s, m, up.Add(time.Second))
	if r.LongLost != lost || lost == 0 {
		t.Errorf("%d long units of work were backed out by the restart, %d are missed", lost, r.LongLost)
	}
	if r.Puts > 20 || r.Gets == 0 {
		t.Errorf("in the first second %d puts and %d gets", r.Puts, r.Gets)
	}
	if m.clock.Before(up) {
		t.Errorf("something was done at %s", m.clock)
	}
}
