package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/agent/schedule"
	"github.com/mqhk/mqhk/core/observe"
)

func check(t *testing.T, got []string, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Each night of a year has its run, and one only: also the night that has no
// 02:30 and the one that has it twice (case 63).
func TestYearOfNights(t *testing.T) {
	tasks := nightly(t, `cron = "30 2 * * *"
timezone = "Europe/Berlin"
jitter = "10m"`)
	s := &station{takes: time.Minute}
	night(t, tasks, s, func(t *testing.T, book *ledger.Ledger) {
		days := 366
		if testing.Short() {
			days = 100 // to beyond the change in March
		}
		if err := serve(t, time.Duration(days)*24*time.Hour, &Agent{Tasks: tasks, Ledger: book, Run: s.run}); err != nil {
			t.Error(err)
		}
		var want []string
		for day := range days {
			want = append(want, time.Date(2000, 1, 1+day, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)+"T02:30 done planned")
		}
		check(t, fired(t, book, "ORDERS"), want...)
		if len(s.runs) != len(want) {
			t.Errorf("%d runs, want %d", len(s.runs), len(want))
		}
	})
}

// Two agents on one ledger: each firing runs once, on each target.
func TestTwoAgents(t *testing.T) {
	tasks := nightly(t, `cron = "10 * * * *"
timezone = "UTC"`, orders, observe.Target{Name: "STOCK", Platform: observe.IBMi})
	folder := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		stations := []*station{{name: "a", book: open(t, folder), takes: time.Minute}, {name: "b", book: open(t, folder), takes: 90 * time.Second}}
		done := make(chan error)
		for _, s := range stations {
			go func() { done <- serve(t, 48*time.Hour, &Agent{Tasks: tasks, Ledger: s.book, Run: s.run}) }()
		}
		for range stations {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
		var want []string
		for hour := range 48 {
			want = append(want, time.Date(2000, 1, 1, hour, 10, 0, 0, time.UTC).Format(time.RFC3339)+" done planned")
		}
		for _, target := range []string{"ORDERS", "STOCK"} {
			check(t, fired(t, stations[0].book, target), want...)
			rows, err := stations[0].book.Firings(t.Context(), target, "nightly/receivers", 0)
			for _, r := range rows {
				if r.Attempts != 1 {
					t.Errorf("%s on %s was begun %d times, %v", r.Key, target, r.Attempts, err)
				}
			}
		}
		for _, s := range stations {
			if err := s.book.Close(); err != nil {
				t.Error(err)
			}
		}
	})
}

func TestMissed(t *testing.T) {
	const times = `cron = "0 1,2,3 * * *"
timezone = "UTC"
catch_up_within = `
	for name, c := range map[string]struct {
		schedule   string
		runs, rows []string
	}{
		"caught up once": {times + `"3h"`,
			[]string{"01T01:00:00 2000-01-01T01:00", "01T05:30:00 2000-01-01T03:00 late 2h30m0s for others", "02T01:00:00 2000-01-02T01:00"},
			[]string{"2000-01-01T01:00 done planned", "2000-01-01T02:00 missed missed", "2000-01-01T03:00 done planned", "2000-01-02T01:00 done planned"}},
		"too late": {times + `"2h"`,
			[]string{"01T01:00:00 2000-01-01T01:00", "02T01:00:00 2000-01-02T01:00"},
			[]string{"2000-01-01T01:00 done planned", "2000-01-01T02:00 missed missed", "2000-01-01T03:00 missed missed", "2000-01-02T01:00 done planned"}},
		"not wanted": {`cron = "0 1,2,3 * * *"
timezone = "UTC"
catch_up = "skip"`,
			[]string{"01T01:00:00 2000-01-01T01:00", "02T01:00:00 2000-01-02T01:00"},
			[]string{"2000-01-01T01:00 done planned", "2000-01-01T02:00 missed missed", "2000-01-01T03:00 missed missed", "2000-01-02T01:00 done planned"}},
	} {
		t.Run(name, func(t *testing.T) {
			tasks := nightly(t, c.schedule)
			s := &station{takes: time.Minute}
			night(t, tasks, s, func(t *testing.T, book *ledger.Ledger) {
				stay := func(d time.Duration) {
					if err := serve(t, d, &Agent{Tasks: tasks, Ledger: book, Run: s.run}); err != nil {
						t.Error(err)
					}
				}
				time.Sleep(30 * time.Minute) // before the first start ever nothing is missed
				stay(time.Hour)
				time.Sleep(4 * time.Hour) // down from 01:30 to 05:30
				stay(time.Hour)
				stay(time.Hour) // and begun anew: nothing is made up for again
				stay(18 * time.Hour)
				check(t, s.runs, c.runs...)
				check(t, fired(t, book, "ORDERS"), c.rows...)
			})
		})
	}
}

// Of very many missed firings the newest are written down one by one.
func TestManyMissed(t *testing.T) {
	tasks := nightly(t, `cron = "* * * * *"
timezone = "UTC"
catch_up_within = "1h"`)
	s := &station{takes: time.Second}
	night(t, tasks, s, func(t *testing.T, book *ledger.Ledger) {
		a := &Agent{Tasks: tasks, Ledger: book, Run: s.run}
		for range 2 {
			if err := serve(t, 80*time.Second, a); err != nil {
				t.Error(err)
			}
			time.Sleep(24 * time.Hour)
		}
		rows := fired(t, book, "ORDERS")
		if len(rows) != 1+recorded+1+1 || !strings.HasSuffix(rows[1], "missed missed; so were others before it") || !strings.HasSuffix(rows[2], "missed missed") {
			t.Errorf("%d rows, the first %q", len(rows), rows[:min(3, len(rows))])
		}
	})
}

func TestOverlap(t *testing.T) {
	const times = `cron = "0,5,10 1 * * *"
timezone = "UTC"
overlap = `
	for overlap, want := range map[string]struct{ runs, rows []string }{
		"skip": {
			[]string{"01T01:00:00 2000-01-01T01:00"},
			[]string{"2000-01-01T01:00 done planned", "2000-01-01T01:05 missed overlapped", "2000-01-01T01:10 missed overlapped"}},
		"queue": {
			[]string{"01T01:00:00 2000-01-01T01:00", "01T01:12:00 2000-01-01T01:10"},
			[]string{"2000-01-01T01:00 done planned", "2000-01-01T01:05 missed overlapped", "2000-01-01T01:10 done planned"}},
	} {
		t.Run(overlap, func(t *testing.T) {
			tasks := nightly(t, times+`"`+overlap+`"`)
			s := &station{takes: 12 * time.Minute}
			night(t, tasks, s, func(t *testing.T, book *ledger.Ledger) {
				if err := serve(t, 2*time.Hour, &Agent{Tasks: tasks, Ledger: book, Run: s.run}); err != nil {
					t.Error(err)
				}
				check(t, s.runs, want.runs...)
				check(t, fired(t, book, "ORDERS"), want.rows...)
			})
		})
	}
}

// A process died in the run of 01:00 and left its claim. The agent that comes
// after it runs the firing again when the claim is over.
func TestInterrupted(t *testing.T) {
	tasks := nightly(t, `cron = "0 1 * * *"
timezone = "UTC"`)
	s := &station{name: "old", takes: time.Minute, leave: true}
	night(t, tasks, s, func(t *testing.T, book *ledger.Ledger) {
		if err := serve(t, time.Hour+time.Minute+10*time.Second, &Agent{Tasks: tasks, Ledger: book, Run: s.run}); err != nil {
			t.Error(err)
		}
		check(t, fired(t, book, "ORDERS"), "2000-01-01T01:00 running ")
		again := &station{name: "new", book: book, takes: time.Minute}
		if err := serve(t, time.Hour, &Agent{Tasks: tasks, Ledger: book, Run: again.run}); err != nil {
			t.Error(err)
		}
		check(t, again.runs, "01T01:03:11 2000-01-01T01:00 late 3m11s")
		check(t, fired(t, book, "ORDERS"), "2000-01-01T01:00 done planned")
	})
}

// Somebody who died has left a claim on the target just before the run is due:
// the night is not lost to it. Somebody who lives keeps the target busy, and
// that is recorded.
func TestHeld(t *testing.T) {
	tasks := nightly(t, `cron = "0 1 * * *"
timezone = "UTC"`)
	for name, c := range map[string]struct {
		lasts      time.Duration
		runs, rows []string
	}{
		"by a dead process": {time.Minute, []string{"01T01:02:01 2000-01-01T01:00 late 2m1s"}, []string{"2000-01-01T01:00 done planned"}},
		"by a living one":   {time.Hour, nil, []string{"2000-01-01T01:00 missed overlapped: held by hand until 2000-01-01T01:59:59Z"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := &station{}
			night(t, tasks, s, func(t *testing.T, book *ledger.Ledger) {
				time.AfterFunc(time.Hour-time.Second, func() {
					_, err := book.Claim(t.Context(), ledger.Firing{Target: "ORDERS", Task: "nightly/receivers", By: "hand", For: c.lasts})
					if err != nil {
						t.Error(err)
					}
				})
				if err := serve(t, 2*time.Hour, &Agent{Tasks: tasks, Ledger: book, Run: s.run}); err != nil {
					t.Error(err)
				}
				check(t, s.runs, c.runs...)
				check(t, fired(t, book, "ORDERS"), c.rows...)
			})
		})
	}
}

// One of two targets is held by somebody who died: the other has its run at
// once, that one later, and each has one.
func TestOneOfTwoHeld(t *testing.T) {
	tasks := nightly(t, `cron = "0 1 * * *"
timezone = "UTC"`, orders, observe.Target{Name: "STOCK", Platform: observe.IBMi})
	s := &station{takes: time.Second}
	night(t, tasks, s, func(t *testing.T, book *ledger.Ledger) {
		time.AfterFunc(time.Hour-time.Second, func() {
			if _, err := book.Claim(t.Context(), ledger.Firing{Target: "STOCK", Task: "nightly/receivers", By: "hand", For: Lease}); err != nil {
				t.Error(err)
			}
		})
		if err := serve(t, 2*time.Hour, &Agent{Tasks: tasks, Ledger: book, Run: s.run}); err != nil {
			t.Error(err)
		}
		check(t, s.runs, "01T01:00:00 2000-01-01T01:00", "01T01:02:02 2000-01-01T01:00 late 2m2s")
		for _, target := range []string{"ORDERS", "STOCK"} {
			check(t, fired(t, book, target), "2000-01-01T01:00 done planned")
		}
	})
}

// A signal comes during a run: the run may end, and Serve waits for it. One
// that does not end is named.
func TestStop(t *testing.T) {
	tasks := nightly(t, `cron = "0 1 * * *"
timezone = "UTC"`)
	cause := errors.New("terminated")
	for name, c := range map[string]struct {
		takes time.Duration
		stuck bool
		ended string
		want  string
	}{
		"between actions":    {time.Hour, false, "01:10:01", "<nil>"},
		"during an action":   {10*time.Minute + 20*time.Second, true, "01:10:20", "<nil>"},
		"action never ends":  {2 * time.Hour, true, "01:11:00", "not ended 1m0s after the stop: nightly/receivers 2000-01-01T01:00; what they were at is open in the ledger, and the next run looks at it first"},
		"ends at its last s": {10*time.Minute + 59*time.Second, true, "01:10:59", "<nil>"},
	} {
		t.Run(name, func(t *testing.T) {
			s := &station{takes: c.takes, stuck: c.stuck}
			night(t, tasks, s, func(t *testing.T, book *ledger.Ledger) {
				var l log
				ctx, stop := context.WithCancelCause(t.Context())
				time.AfterFunc(time.Hour+10*time.Minute, func() { stop(cause) })
				a := &Agent{Tasks: tasks, Ledger: book, Run: s.run, Log: l.logger(), Clock: schedule.System()}
				err := a.Serve(ctx)
				if got := time.Now().UTC().Format(time.TimeOnly); got != c.ended || fmt.Sprint(err) != c.want {
					t.Errorf("ended at %s with %v", got, err)
				}
				if len(l.lines("agent stops", "why=terminated", `runs="nightly/receivers 2000-01-01T01:00"`)) != 1 {
					t.Errorf("log: %q", l.lines())
				}
				if !c.stuck && len(l.lines("level=WARN", "run stopped", "context canceled: terminated")) != 1 {
					t.Errorf("log: %q", l.lines())
				}
				time.Sleep(3 * time.Hour) // the stuck one ends, in a test
			})
		})
	}
}

// A panic costs one run.
func TestPanic(t *testing.T) {
	tasks := nightly(t, `cron = "0 1,2 * * *"
timezone = "UTC"`)
	s := &station{}
	night(t, tasks, s, func(t *testing.T, book *ledger.Ledger) {
		var l log
		a := &Agent{Tasks: tasks, Ledger: book, Log: l.logger(), Run: func(ctx context.Context, f Firing) (ledger.Record, error) {
			if strings.HasSuffix(f.Key, "T01:00") {
				panic("no such queue manager")
			}
			return s.run(ctx, f)
		}}
		if err := serve(t, 3*time.Hour, a); err != nil {
			t.Error(err)
		}
		check(t, s.runs, "01T02:00:00 2000-01-01T02:00")
		if len(l.lines("level=ERROR", "run broke off", "policy=nightly", "target=ORDERS", "task=receivers", "key=2000-01-01T01:00", "no such queue manager")) != 1 {
			t.Errorf("log: %q", l.lines())
		}
	})
}

// A run has the time that its schedule gives it.
func TestTimeout(t *testing.T) {
	tasks := nightly(t, `cron = "0 1 * * *"
timezone = "UTC"
timeout = "20m"`)
	s := &station{takes: time.Hour}
	night(t, tasks, s, func(t *testing.T, book *ledger.Ledger) {
		var l log
		if err := serve(t, 3*time.Hour, &Agent{Tasks: tasks, Ledger: book, Run: s.run, Log: l.logger()}); err != nil {
			t.Error(err)
		}
		if len(l.lines("level=ERROR", "run failed", "dur=20m1s", "the schedule gives a run 20m0s, and they are over")) != 1 {
			t.Errorf("log: %q", l.lines())
		}
	})
}

// The ledger can't be read: the agent does not begin.
func TestLedgerClosed(t *testing.T) {
	tasks := nightly(t, `cron = "0 1 * * *"
timezone = "UTC"`)
	s := &station{book: open(t, t.TempDir())}
	if err := s.book.Close(); err != nil {
		t.Fatal(err)
	}
	err := serve(t, time.Hour, &Agent{Tasks: tasks, Ledger: s.book, Run: s.run})
	if err == nil || !strings.Contains(err.Error(), "looking for what nightly/receivers has missed on ibmi/ORDERS") {
		t.Error(err)
	}
}
