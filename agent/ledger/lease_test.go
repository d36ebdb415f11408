package ledger

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/plugins"
)

func TestLeaseIsForOne(t *testing.T) {
	ctx := context.Background()
	clock := newClock()
	dir := folder(t)
	a, b := openAt(t, dir, Options{Clock: clock.Now}), openAt(t, dir, Options{Clock: clock.Now})
	first := claim(t, a, firing("02:00"))

	held := new(Held)
	if _, err := b.Claim(ctx, firing("03:00")); !errors.As(err, &held) {
		t.Fatalf("claimed twice: %v", err)
	}
	if want := (Held{By: "host1/4711", Until: clock.Now().Add(time.Minute)}); *held != want {
		t.Errorf("held %+v, want %+v", *held, want)
	}
	must(t, first.Check(ctx))
	must(t, first.Release(ctx, "done"))
	if err := first.Check(ctx); !errors.Is(err, ErrLeaseLost) {
		t.Errorf("a released lease: %v", err)
	}
	if _, err := b.Claim(ctx, firing("02:00")); !errors.Is(err, ErrFired) {
		t.Errorf("fired twice: %v", err)
	}
	second := claim(t, b, firing("03:00"))
	if second.Epoch() != first.Epoch()+1 {
		t.Errorf("epoch %d after %d", second.Epoch(), first.Epoch())
	}
	other := firing("02:00")
	other.Task = "structures"
	claim(t, a, other) // another task on the same target has a lease of its own
}

// A process that is frozen longer than its lease and wakes does nothing more:
// neither by its own clock alone nor after another took over.
func TestFrozen(t *testing.T) {
	ctx := context.Background()
	clock := newClock()
	dir := folder(t)
	a, b := openAt(t, dir, Options{Clock: clock.Now}), openAt(t, dir, Options{Clock: clock.Now})
	frozen := claim(t, a, firing("02:00"))
	must(t, a.Intend(ctx, frozen, []plugins.Action{deletion("AMQA000001"), deletion("AMQA000002")}))
	clock.Advance(time.Minute)

	lost := func(what string, err error) {
		t.Helper()
		if !errors.Is(err, ErrLeaseLost) {
			t.Errorf("%s: %v", what, err)
		}
	}
	lost("check", frozen.Check(ctx))
	lost("renew", frozen.Renew(ctx))
	lost("intend", a.Intend(ctx, frozen, []plugins.Action{deletion("AMQA000003")}))
	must(t, a.Seen(ctx, frozen, []plugins.Result{{Action: "AMQA000001", State: plugins.Done}})) // it is true, and nobody else was there

	next := claim(t, b, firing("02:00"))
	if next.Attempt() != 2 {
		t.Errorf("attempt %d, want 2", next.Attempt())
	}
	lost("check after", frozen.Check(ctx))
	lost("seen after", a.Seen(ctx, frozen, []plugins.Result{{Action: "AMQA000002", State: plugins.Done}}))
	lost("release after", frozen.Release(ctx, "done"))

	open, err := b.OpenIntents(ctx, "ORDERS")
	must(t, err)
	if len(open) != 1 || open[0].Action.ID != "AMQA000002" || open[0].Live || open[0].Run != "run-02:00" {
		t.Fatalf("open: %+v", open)
	}
	must(t, b.Settle(ctx, next, []Settlement{{Intent: open[0].ID, State: plugins.Done, Evidence: "it is gone"}}))
	must(t, next.Release(ctx, "done"))
	if _, err := b.Verify(ctx); err != nil {
		t.Error(err)
	}
}

// The wall clock is what other processes judge by; the monotonic one is what
// nobody sets back. The lease ends by the first of them.
func TestLeft(t *testing.T) {
	now := time.Now() // has both readings
	until := now.Add(time.Minute)
	for _, test := range []struct {
		name string
		now  time.Time
		over bool
	}{
		{"both before", now.Add(59 * time.Second), false},
		{"both after", now.Add(time.Minute), true},
		{"wall clock went on while the system slept", now.Round(0).Add(2 * time.Minute), true},
	} {
		if over := left(test.now, until) <= 0; over != test.over {
			t.Errorf("%s: over %v, want %v", test.name, over, test.over)
		}
	}
}

func TestRenew(t *testing.T) {
	ctx := context.Background()
	clock := newClock()
	dir := folder(t)
	a, b := openAt(t, dir, Options{Clock: clock.Now}), openAt(t, dir, Options{Clock: clock.Now})
	lease := claim(t, a, firing("02:00"))
	for range 5 {
		clock.Advance(40 * time.Second)
		must(t, lease.Renew(ctx))
		must(t, lease.Check(ctx))
		if got := lease.Left(); got != time.Minute {
			t.Errorf("%s left, want a minute", got)
		}
		if _, err := b.Claim(ctx, firing("02:00")); !errors.As(err, new(*Held)) {
			t.Errorf("taken over: %v", err)
		}
	}
}

func TestClaimRefuses(t *testing.T) {
	l := openAt(t, folder(t), Options{})
	for says, change := range map[string]func(*Firing){
		"target is missing": func(f *Firing) { f.Target = "" },
		"task is missing":   func(f *Firing) { f.Task = " " },
		"by is missing":     func(f *Firing) { f.By = "" },
		"which is no time":  func(f *Firing) { f.For = 0 },
		"more than one":     func(f *Firing) { f.Key = "a\nb" },
		"not UTF-8":         func(f *Firing) { f.Run = "\xff" },
		"bytes, more than":  func(f *Firing) { f.Policy = strings.Repeat("x", maxLine+1) },
	} {
		f := firing("k")
		change(&f)
		if _, err := l.Claim(context.Background(), f); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want an error that says %q", err, says)
		}
	}
}

func TestByHand(t *testing.T) {
	l := openAt(t, folder(t), Options{})
	for range 3 { // without a key nothing is fired twice
		lease := claim(t, l, firing(""))
		must(t, lease.Release(context.Background(), "done"))
	}
}

// A firing that nobody ran is recorded once, whoever finds out, and can still
// be claimed; one that was run is not missed.
func TestMissed(t *testing.T) {
	ctx := context.Background()
	clock := newClock()
	l := openAt(t, folder(t), Options{Clock: clock.Now})
	must(t, l.Missed(ctx, firing("05-26T02:00"), "no agent was running"))
	must(t, l.Missed(ctx, firing("05-26T02:00"), "found again"))
	clock.Advance(time.Minute)
	must(t, l.Missed(ctx, firing("05-27T02:00"), "no agent was running"))
	clock.Advance(time.Minute)
	lease := claim(t, l, firing("05-27T02:00"))
	must(t, lease.Release(ctx, "done"))
	must(t, l.Missed(ctx, firing("05-27T02:00"), "it was not"))

	got, err := l.Firings(ctx, "ORDERS", "receivers", 0)
	must(t, err)
	if len(got) != 2 || got[0].State != FiringDone || got[0].Attempts != 1 || got[0].Outcome != "done" ||
		got[1].State != FiringMissed || got[1].Outcome != "no agent was running" || got[1].Key != "05-26T02:00" {
		t.Errorf("%+v", got)
	}
	if got, err := l.Firings(ctx, "ORDERS", "receivers", 1); err != nil || len(got) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
}

// What was abandoned can be claimed again at once, under its own key; what was
// released can't.
func TestAbandon(t *testing.T) {
	l, err := Open(t.Context(), t.TempDir()+"/state", Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	f := Firing{Target: "QM1", Task: "t", Key: "2026-06-01T02:00", By: "one", For: time.Hour}
	for attempt := 1; attempt <= 3; attempt++ {
		lease, err := l.Claim(t.Context(), f)
		if err != nil || lease.Attempt() != attempt {
			t.Fatalf("attempt %d: %v", attempt, err)
		}
		give := lease.Abandon
		if attempt == 3 {
			give = lease.Release
		}
		if err := give(t.Context(), "interrupted"); err != nil {
			t.Fatal(err)
		}
		if err := lease.Check(t.Context()); !errors.Is(err, ErrLeaseLost) {
			t.Errorf("it still stands: %v", err)
		}
	}
	if _, err := l.Claim(t.Context(), f); !errors.Is(err, ErrFired) {
		t.Errorf("released: %v", err)
	}
	if _, err := l.Verify(t.Context()); err != nil {
		t.Error(err)
	}
}
