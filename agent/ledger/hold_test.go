package ledger

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mqhk/mqhk/core/observe"
)

func TestHolds(t *testing.T) {
	ctx := context.Background()
	l := openAt(t, folder(t), Options{})
	for says, h := range map[string]Hold{
		"target is missing":           {Reason: "r"},
		"reason is missing":           {Target: "ORDERS", Reason: " "},
		"not after it begins":         {Target: "ORDERS", Reason: "r", Since: night, Until: night},
		"a library without a segment": {Target: "ORDERS", Reason: "r", Library: "QMORDERS"},
		`segment: "-" is no name`:     {Target: "ORDERS", Reason: "r", Segment: "-"},
		`segment: "null" is no name`:  {Target: "ORDERS", Reason: "r", Segment: "null"},
		"more than one line":          {Target: "ORDERS", Reason: "a\n>>> HOLD"},
		"signs that can't be printed": {Target: "ORDERS", Reason: "\x1b[2J"},
	} {
		if _, err := l.AddHold(ctx, h); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%+v: %v, want %q", h, err, says)
		}
	}
	hold, err := l.AddHold(ctx, Hold{Target: "ORDERS", Reason: " case 4711 ", By: "operator", Until: time.Now().Add(time.Hour)})
	must(t, err)
	standing, err := l.Holds(ctx, "ORDERS")
	must(t, err)
	if len(standing) != 1 || standing[0] != hold || hold.Reason != "case 4711" || hold.Since.IsZero() {
		t.Errorf("%+v, want %+v", standing, hold)
	}
	if other, err := l.Holds(ctx, "PAYROLL"); err != nil || len(other) != 0 {
		t.Errorf("another target: %+v, %v", other, err)
	}
	must(t, l.LiftHold(ctx, hold.ID, "operator"))
	for _, id := range []int64{hold.ID, 1, 4711} { // lifted, no hold, no row
		if err := l.LiftHold(ctx, id, "operator"); !errors.Is(err, ErrNoHold) {
			t.Errorf("lifted %d: %v", id, err)
		}
	}
	if standing, err := l.Holds(ctx, "ORDERS"); err != nil || len(standing) != 0 {
		t.Errorf("%+v, %v", standing, err)
	}
}

// What was restored is held until the next clean start after it, and not
// longer; a start in the very moment is none after it.
func TestLiftStarted(t *testing.T) {
	ctx := context.Background()
	clock := newClock()
	l := openAt(t, folder(t), Options{Clock: clock.Now})
	began := clock.Now()
	add := func(h Hold) Hold {
		t.Helper()
		h.Reason = "restored"
		added, err := l.AddHold(ctx, h)
		must(t, err)
		return added
	}
	restored := add(Hold{Target: "ORDERS", Segment: "QMORDERS/AMQA000003", Since: began, Until: began.Add(7 * 24 * time.Hour), UntilStart: true})
	case4711 := add(Hold{Target: "ORDERS", Since: began})
	later := add(Hold{Target: "ORDERS", Segment: "AMQA000004", Since: began.Add(time.Hour), UntilStart: true})
	other := add(Hold{Target: "PAYROLL", Since: began, UntilStart: true})
	for _, test := range []struct {
		started time.Time
		lifted  []Hold
		stand   []Hold
	}{
		{time.Time{}, nil, []Hold{restored, case4711, later}},
		{began, nil, []Hold{restored, case4711, later}},
		{began.Add(time.Minute), []Hold{restored}, []Hold{case4711, later}},
		{began.Add(time.Minute), nil, []Hold{case4711, later}},
		{began.Add(2 * time.Hour), []Hold{later}, []Hold{case4711}},
	} {
		lifted, err := l.LiftStarted(ctx, "ORDERS", test.started, "run-1")
		must(t, err)
		if diff := cmp.Diff(test.lifted, lifted); diff != "" {
			t.Errorf("started %s, lifted:\n%s", test.started, diff)
		}
		stand, err := l.Holds(ctx, "ORDERS")
		must(t, err)
		if diff := cmp.Diff(test.stand, stand); diff != "" {
			t.Errorf("started %s, still stand:\n%s", test.started, diff)
		}
	}
	if holds, err := l.Holds(ctx, "PAYROLL"); err != nil || len(holds) != 1 || holds[0] != other {
		t.Errorf("another target: %+v, %v", holds, err)
	}
	if err := l.LiftHold(ctx, restored.ID, "operator"); !errors.Is(err, ErrNoHold) {
		t.Errorf("lifted twice: %v", err)
	}
	if _, err := l.Verify(ctx); err != nil {
		t.Error(err)
	}
}

// Whoever asks HOLD sees a hold until it is lifted, whatever it waits for; one
// that was written by an earlier version waits for no start.
func TestHoldsOfEarlierVersions(t *testing.T) {
	ctx := context.Background()
	l := openAt(t, folder(t), Options{})
	must(t, l.change(ctx, "holding as version 1 did", func(c *change) error {
		_, err := c.note(row{Kind: kindHold, Target: "ORDERS", Body: []byte(`{"since":"2026-05-28T02:00:00Z","reason":"case 4711","by":"operator"}`)})
		return err
	}))
	_, err := l.AddHold(ctx, Hold{Target: "ORDERS", Reason: "restored", Since: night, UntilStart: true})
	must(t, err)
	answer, err := l.Ask(ctx, observe.Question{Language: observe.HoldOn, QueueManager: "ORDERS", Text: observe.HoldsQuestion})
	must(t, err)
	want := "ID,SINCE,UNTIL,LIBRARY,SEGMENT,REASON\n2,2026-05-28T02:00:00Z,,,,case 4711\n3," + stamp(night) + ",,,,restored\n"
	if diff := cmp.Diff(want, string(answer.Body)); diff != "" {
		t.Error(diff)
	}
	lifted, err := l.LiftStarted(ctx, "ORDERS", time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC), "run-1")
	must(t, err)
	if len(lifted) != 1 || lifted[0].ID != 3 {
		t.Errorf("lifted %+v", lifted)
	}
}
