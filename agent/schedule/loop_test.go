package schedule

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// diary is a handler that writes down what it is told. Its runs take a while
// and ignore, as a run does within an action, that they are to stop.
type diary struct {
	takes time.Duration
	panic string // a key
	now   func() time.Time

	mu    sync.Mutex
	lines []string
}

func (d *diary) write(format string, args ...any) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.lines = append(d.lines, d.now().UTC().Format("02T15:04:05 ")+fmt.Sprintf(format, args...))
}

func (d *diary) Fire(ctx context.Context, due Due) {
	made := ""
	if due.MadeUp > 0 {
		made = fmt.Sprintf(" for %d more", due.MadeUp)
	}
	d.write("%s runs %s%s", due.Entry, due.Firing.Key, made)
	if due.Firing.Key == d.panic {
		panic("no such queue manager")
	}
	if d.takes > 0 {
		<-time.After(d.takes)
		d.write("%s ends, stopped: %v", due.Entry, ctx.Err() != nil)
	}
}

func (d *diary) Left(left Left) {
	var keys []string
	for _, f := range left.Firings {
		keys = append(keys, f.Key)
	}
	if left.More {
		keys = append(keys, "more")
	}
	d.write("%s %s %s", left.Entry, left.Why, strings.Join(keys, " "))
}

func (d *diary) Broke(due Due, err error) {
	first, _, _ := strings.Cut(err.Error(), "\n")
	d.write("%s: %s", due.Entry, first)
}

// adjustable is the bubble's clock, which people set.
type adjustable struct{ offset atomic.Int64 }

func (a *adjustable) now() time.Time { return time.Now().Round(0).Add(time.Duration(a.offset.Load())) }
func (a *adjustable) set(by time.Duration) {
	a.offset.Add(int64(by))
}

// looped runs a loop in a bubble, whose clock begins at 2000-01-01 00:00 UTC,
// a Saturday, and gives what was written down. act is done beside it; when it
// returns the loop is to end.
func looped(t *testing.T, d *diary, entries []Entry, act func(*adjustable)) []string {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		clock := &adjustable{}
		d.now = clock.now
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			Loop(ctx, entries, Clock{Now: clock.now, After: time.After}, d)
			close(ended)
		}()
		act(clock)
		cancel()
		<-ended
	})
	return d.lines
}

// pass lets time go by in a bubble.
func pass(by time.Duration) { <-time.After(by) }

func entry(t *testing.T, expression string) Entry {
	return Entry{Name: "nightly/a", Schedule: parsed(t, expression, "UTC")}
}

func check(t *testing.T, got []string, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestLoopFires(t *testing.T) {
	other := Entry{Name: "nightly/b", Schedule: parsed(t, "15 1 * * *", "UTC"), Jitter: 10 * time.Minute}
	got := looped(t, &diary{}, []Entry{entry(t, "0 1,2 * * *"), other, {Name: "never"}}, func(*adjustable) { pass(26*time.Hour + time.Second) })
	check(t, got,
		"01T01:00:00 nightly/a runs 2000-01-01T01:00",
		"01T01:22:49 nightly/b runs 2000-01-01T01:15",
		"01T02:00:00 nightly/a runs 2000-01-01T02:00",
		"02T01:00:00 nightly/a runs 2000-01-02T01:00",
		"02T01:18:27 nightly/b runs 2000-01-02T01:15",
		"02T02:00:00 nightly/a runs 2000-01-02T02:00")
}

func TestLoopCatchesUp(t *testing.T) {
	e := entry(t, "50 * * * *")
	e.Last = time.Date(1999, 12, 31, 20, 50, 0, 0, time.UTC)
	brief := func(*adjustable) { pass(time.Minute) }
	e.CatchUp = 10 * time.Minute
	check(t, looped(t, &diary{}, []Entry{e}, brief),
		"01T00:00:00 nightly/a missed 1999-12-31T21:50:00Z 1999-12-31T22:50:00Z",
		"01T00:00:00 nightly/a runs 1999-12-31T23:50:00Z for 2 more")
	e.CatchUp = 10*time.Minute - time.Second
	check(t, looped(t, &diary{}, []Entry{e}, brief),
		"01T00:00:00 nightly/a missed 1999-12-31T21:50:00Z 1999-12-31T22:50:00Z 1999-12-31T23:50:00Z")
	e.CatchUp = 0
	e.Last = time.Date(1999, 12, 31, 23, 0, 0, 0, time.UTC)
	check(t, looped(t, &diary{}, []Entry{e}, brief),
		"01T00:00:00 nightly/a missed 1999-12-31T23:50:00Z")
	e.Last = time.Time{}
	check(t, looped(t, &diary{}, []Entry{e}, brief))
}

// A firing that only waits for its jitter when the loop begins is not missed,
// known or not.
func TestLoopStartsInAJitter(t *testing.T) {
	e := entry(t, "30 23 * * *")
	e.Jitter = 20 * time.Hour
	start := e.From(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC), 1)[0].Start
	for _, last := range []time.Time{{}, time.Date(1999, 12, 30, 23, 30, 0, 0, time.UTC)} {
		e.Last = last
		check(t, looped(t, &diary{}, []Entry{e}, func(*adjustable) { pass(20 * time.Hour) }),
			start.Format("02T15:04:05 ")+"nightly/a runs 1999-12-31T23:30")
	}
}

// Of what began before the loop and is not known to it nothing is missed.
func TestLoopBeginsAnew(t *testing.T) {
	e := entry(t, "0 * * * *")
	e.Jitter = time.Hour
	e.CatchUp = time.Hour
	for _, name := range []string{"a", "b", "c", "d"} { // their jitters differ
		e.Name = name
		first := e.From(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC), 1)[0]
		check(t, looped(t, &diary{}, []Entry{e}, func(*adjustable) { pass(time.Until(first.Start) + time.Second) }),
			first.Start.Format("02T15:04:05 ")+name+" runs "+first.Firing.Key)
	}
}

func TestLoopOverlap(t *testing.T) {
	e := entry(t, "*/5 * * * *")
	half := func(*adjustable) { pass(31 * time.Minute) }
	check(t, looped(t, &diary{takes: 17 * time.Minute}, []Entry{e}, half),
		"01T00:05:00 nightly/a runs 2000-01-01T00:05:00Z",
		"01T00:10:00 nightly/a overlapped 2000-01-01T00:10:00Z",
		"01T00:15:00 nightly/a overlapped 2000-01-01T00:15:00Z",
		"01T00:20:00 nightly/a overlapped 2000-01-01T00:20:00Z",
		"01T00:22:00 nightly/a ends, stopped: false",
		"01T00:25:00 nightly/a runs 2000-01-01T00:25:00Z",
		"01T00:30:00 nightly/a overlapped 2000-01-01T00:30:00Z",
		"01T00:42:00 nightly/a ends, stopped: true")
	e.Overlap = Queue
	check(t, looped(t, &diary{takes: 17 * time.Minute}, []Entry{e}, half),
		"01T00:05:00 nightly/a runs 2000-01-01T00:05:00Z",
		"01T00:15:00 nightly/a overlapped 2000-01-01T00:10:00Z",
		"01T00:20:00 nightly/a overlapped 2000-01-01T00:15:00Z",
		"01T00:22:00 nightly/a ends, stopped: false",
		"01T00:22:00 nightly/a runs 2000-01-01T00:20:00Z",
		"01T00:30:00 nightly/a overlapped 2000-01-01T00:25:00Z",
		"01T00:39:00 nightly/a ends, stopped: true")
}

// A panic costs one run, not the slot of the entry (in the cron library it
// could) and not the process.
func TestLoopOutlivesAPanic(t *testing.T) {
	d := &diary{panic: "2000-01-01T00:10:00Z"}
	check(t, looped(t, d, []Entry{entry(t, "*/5 * * * *")}, func(*adjustable) { pass(16 * time.Minute) }),
		"01T00:05:00 nightly/a runs 2000-01-01T00:05:00Z",
		"01T00:10:00 nightly/a runs 2000-01-01T00:10:00Z",
		"01T00:10:00 nightly/a: run 2000-01-01T00:10:00Z of nightly/a panicked: no such queue manager",
		"01T00:15:00 nightly/a runs 2000-01-01T00:15:00Z")
}

// The clock is set back by two hours: fixed hours do not come twice, the rest
// goes on at once.
func TestLoopClockSetBack(t *testing.T) {
	entries := []Entry{entry(t, "30 1,2 * * *"), {Name: "watch", Schedule: parsed(t, "@every 1h", "UTC")}}
	got := looped(t, &diary{}, entries, func(clock *adjustable) {
		pass(2*time.Hour + 10*time.Minute)
		clock.set(-2 * time.Hour)
		pass(3 * time.Hour)
	})
	check(t, got,
		"01T01:00:00 watch runs 2000-01-01T01:00:00Z",
		"01T01:30:00 nightly/a runs 2000-01-01T01:30",
		"01T02:00:00 watch runs 2000-01-01T02:00:00Z",
		"01T01:00:00 watch runs 2000-01-01T01:00:00Z#2",
		"01T02:00:00 watch runs 2000-01-01T02:00:00Z#2",
		"01T02:30:00 nightly/a runs 2000-01-01T02:30",
		"01T03:00:00 watch runs 2000-01-01T03:00:00Z")
}

// A time server's small steps bring no firing back, nor start it early.
func TestLoopSmallSteps(t *testing.T) {
	got := looped(t, &diary{}, []Entry{entry(t, "*/2 * * * *")}, func(clock *adjustable) {
		for range 10 {
			pass(30 * time.Second)
			clock.set(-7 * time.Second)
		}
	})
	check(t, got,
		"01T00:02:00 nightly/a runs 2000-01-01T00:02:00Z")
}

// The clock jumps ahead, or the machine slept: what lies between is missed,
// and noticed within a minute.
func TestLoopClockSetForward(t *testing.T) {
	e := entry(t, "30 * * * *")
	e.CatchUp = time.Hour
	got := looped(t, &diary{}, []Entry{e}, func(clock *adjustable) {
		pass(10*time.Minute + time.Second)
		clock.set(3 * time.Hour)
		pass(time.Minute)
		clock.set(-3 * time.Hour) // it was a mistake
		pass(time.Hour)
	})
	check(t, got,
		"01T03:11:00 nightly/a missed 2000-01-01T00:30:00Z 2000-01-01T01:30:00Z",
		"01T03:11:00 nightly/a runs 2000-01-01T02:30:00Z for 2 more",
		"01T00:30:00 nightly/a runs 2000-01-01T00:30:00Z")
}

// A wrong clock of another century does not silence a schedule for ever.
func TestLoopClockOfAnotherCentury(t *testing.T) {
	e := entry(t, "0 1 * * *")
	e.Last = time.Date(2099, 1, 1, 1, 0, 0, 0, time.UTC)
	check(t, looped(t, &diary{}, []Entry{e}, func(*adjustable) { pass(2 * time.Hour) }),
		"01T01:00:00 nightly/a runs 2000-01-01T01:00")
}

func TestLoopLongGap(t *testing.T) {
	e := entry(t, "* * * * *")
	e.Last = time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC)
	e.CatchUp = time.Hour
	got := looped(t, &diary{}, []Entry{e}, func(*adjustable) { pass(time.Second) })
	if len(got) != 2 || strings.Count(got[0], "Z") != listed-1 || !strings.HasSuffix(got[0], " more") || !strings.HasSuffix(got[1], "for 999 more") {
		t.Errorf("%.200q", got)
	}
}

// Ninety nights: each has its run, once, at its time; no time is waited for
// by asking again and again.
func TestLoopSeason(t *testing.T) {
	var asked atomic.Int64
	d := &diary{takes: time.Minute}
	synctest.Test(t, func(t *testing.T) {
		d.now = time.Now
		ctx, cancel := context.WithTimeout(t.Context(), 90*24*time.Hour)
		defer cancel()
		clock := Clock{Now: func() time.Time { asked.Add(1); return time.Now() }, After: time.After}
		Loop(ctx, []Entry{{Name: "n", Schedule: parsed(t, "30 2 * * *", "Europe/Berlin"), Jitter: time.Hour}}, clock, d)
	})
	if len(d.lines) != 180 {
		t.Errorf("%d lines, want a begin and an end for each of 90 nights", len(d.lines))
	}
	if most := int64(2*90*24*60 + 1000); asked.Load() > most {
		t.Errorf("the clock was read %d times, want at most %d", asked.Load(), most)
	}
}

// runtime.Goexit ends a run as a return does.
func TestLoopGoexit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 11*time.Minute)
		defer cancel()
		var h exiting
		Loop(ctx, []Entry{entry(t, "*/5 * * * *")}, System(), &h)
		if h.runs.Load() != 2 {
			t.Errorf("%d runs, want 2", h.runs.Load())
		}
	})
}

type exiting struct{ runs atomic.Int64 }

func (e *exiting) Fire(context.Context, Due) {
	e.runs.Add(1)
	runtime.Goexit()
}
func (e *exiting) Left(Left)        {}
func (e *exiting) Broke(Due, error) {}

// A run is told to stop, and what waits behind it is not begun.
func TestLoopStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cause := errors.New("signal")
		ctx, cancel := context.WithCancelCause(t.Context())
		e := entry(t, "*/5 * * * *")
		e.Overlap = Queue
		h := &obedient{}
		time.AfterFunc(11*time.Minute, func() { cancel(cause) })
		Loop(ctx, []Entry{e}, System(), h)
		if got := time.Now().UTC().Format(time.TimeOnly); got != "00:11:00" || h.runs.Load() != 1 {
			t.Errorf("ended at %s after %d runs", got, h.runs.Load())
		}
	})
}

type obedient struct{ exiting }

func (o *obedient) Fire(ctx context.Context, _ Due) {
	o.runs.Add(1)
	<-ctx.Done()
}
