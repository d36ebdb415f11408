package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mqhk/mqhk/core/finding"
)

var night = time.Date(2026, 5, 1, 2, 0, 0, 0, time.UTC)

// nights gives a ledger with a run each night; change may alter the record of
// the nth.
func nights(t *testing.T, n int, change func(int, *Record)) *Ledger {
	t.Helper()
	l := openAt(t, folder(t), Options{})
	for i := range n {
		r := testRecord(fmt.Sprintf("run-%d", i), night.AddDate(0, 0, i))
		if change != nil {
			change(i, &r)
		}
		record(t, l, r)
	}
	return l
}

func ids(list []Summary) string {
	var all []string
	for _, s := range list {
		all = append(all, strings.TrimPrefix(s.ID, "run-"))
	}
	return strings.Join(all, " ")
}

func TestRecordComesBack(t *testing.T) {
	ctx := context.Background()
	l := openAt(t, folder(t), Options{})
	begun := testRecord("1", night)
	begun.Run.Finished, begun.Run.Outcome, begun.Targets = "", "", nil
	must(t, l.Begin(ctx, begun))
	if got, err := l.Run(ctx, "1"); err != nil || !cmp.Equal(got, begun) {
		t.Errorf("begun: %+v, %v", got, err)
	}
	list, err := l.Runs(ctx, Filter{})
	must(t, err)
	if len(list) != 1 || list[0].Outcome != Unfinished || !list[0].Finished.IsZero() {
		t.Errorf("begun: %+v", list)
	}
	if known, err := l.Known(ctx, "ORDERS"); err != nil || known {
		t.Errorf("known %v, %v before anything was seen", known, err)
	}
	r := testRecord("1", night)
	must(t, l.Finish(ctx, r))
	got, err := l.Run(ctx, "1")
	must(t, err)
	if diff := cmp.Diff(r, got); diff != "" {
		t.Errorf("record (-want +got):\n%s", diff)
	}
	want := []Summary{{
		ID: "1", Mode: "apply", Started: night, Finished: night.Add(time.Minute), Outcome: "done", Host: "host1",
		Targets: []TargetSummary{{Target: "ORDERS", Task: "receivers", Policy: "conservative", Observed: night, Good: true, Totals: r.Targets[0].Totals}},
	}}
	list, err = l.Runs(ctx, Filter{})
	must(t, err)
	if diff := cmp.Diff(want, list); diff != "" {
		t.Errorf("summary (-want +got):\n%s", diff)
	}
}

func TestRunErrors(t *testing.T) {
	ctx := context.Background()
	l := openAt(t, folder(t), Options{})
	r := testRecord("1", night)
	if err := l.Finish(ctx, r); !errors.Is(err, ErrNoRun) {
		t.Errorf("finished what never began: %v", err)
	}
	must(t, l.Begin(ctx, r))
	if err := l.Begin(ctx, r); !errors.Is(err, ErrRunBegun) {
		t.Errorf("begun twice: %v", err)
	}
	must(t, l.Finish(ctx, r))
	if err := l.Finish(ctx, r); !errors.Is(err, ErrRunEnded) {
		t.Errorf("finished twice: %v", err)
	}
	if _, err := l.Run(ctx, "2"); !errors.Is(err, ErrNoRun) {
		t.Errorf("another run: %v", err)
	}
	for says, change := range map[string]func(*Record){
		"ID is missing": func(r *Record) { r.Run.ID = "" },
		"schema is":     func(r *Record) { r.Schema = "other/v9" },
		"its start":     func(r *Record) { r.Run.Started = "yesterday" },
		"its end":       func(r *Record) { r.Run.Finished = "soon" },
	} {
		bad := testRecord("2", night)
		change(&bad)
		if err := l.Begin(ctx, bad); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
	bad := testRecord("2", night)
	must(t, l.Begin(ctx, bad))
	bad.Run.Finished = ""
	if err := l.Finish(ctx, bad); err == nil || !strings.Contains(err.Error(), "when it finished") {
		t.Errorf("finished at no time: %v", err)
	}
}

func TestRuns(t *testing.T) {
	l := nights(t, 6, func(i int, r *Record) {
		if i == 2 {
			r.Run.Outcome = "failed"
		}
		if i%2 == 1 {
			r.Targets[0].Name = "PAYROLL"
		}
		if i == 5 {
			r.Targets[0].Task = "structures"
		}
	})
	for _, test := range []struct {
		filter Filter
		want   string
	}{
		{Filter{}, "5 4 3 2 1 0"},
		{Filter{Limit: 2}, "5 4"},
		{Filter{Target: "ORDERS"}, "4 2 0"},
		{Filter{Target: "ORDERS", Limit: 1}, "4"},
		{Filter{Task: "structures"}, "5"},
		{Filter{Target: "ORDERS", Task: "structures"}, ""},
		{Filter{Outcome: "failed"}, "2"},
		{Filter{Since: night.AddDate(0, 0, 4)}, "5 4"},
		{Filter{Until: night.AddDate(0, 0, 1)}, "0"},
		{Filter{Target: "' OR true --"}, ""},
	} {
		list, err := l.Runs(context.Background(), test.filter)
		must(t, err)
		if got := ids(list); got != test.want {
			t.Errorf("%+v: %q, want %q", test.filter, got, test.want)
		}
	}
}

func TestLastGood(t *testing.T) {
	for name, spoil := range map[string]func(*Record){
		"plugin failed":    func(r *Record) { r.Targets[0].Error = "the plugin ended" },
		"critical finding": func(r *Record) { r.Targets[0].Findings = []finding.Finding{{Severity: finding.Critical}} },
		"action failed":    func(r *Record) { r.Targets[0].Actions[0].Outcome = "failed" },
		"action unknown":   func(r *Record) { r.Targets[0].Actions[0].Outcome = "unknown" },
		"action not begun": func(r *Record) { r.Targets[0].Actions[0].Outcome = "planned" },
	} {
		l := nights(t, 3, func(i int, r *Record) {
			if i == 2 {
				spoil(r)
			}
		})
		if s, err := l.LastGood(context.Background(), "ORDERS", "receivers"); err != nil || s.ID != "run-1" {
			t.Errorf("%s: %s, %v; want run-1", name, s.ID, err)
		}
		if _, err := l.LastGood(context.Background(), "ORDERS", "structures"); !errors.Is(err, ErrNoRun) {
			t.Errorf("another task: %v", err)
		}
	}
	dry := nights(t, 1, func(_ int, r *Record) { r.DryRun, r.Targets[0].Actions[0].Outcome = true, "planned" })
	if s, err := dry.LastGood(context.Background(), "ORDERS", "receivers"); err != nil || !s.DryRun {
		t.Errorf("a plan: %+v, %v", s, err)
	}
}

func TestKnown(t *testing.T) {
	l := nights(t, 3, func(i int, r *Record) {
		switch i {
		case 0:
			r.Targets[0].Name, r.Targets[0].Error = "BROKEN", "the plugin ended"
		case 1:
			r.Targets[0].Name, r.Targets[0].Observed = "SILENT", ""
		}
	})
	for target, want := range map[string]bool{"ORDERS": true, "BROKEN": false, "SILENT": false, "NEVER": false} {
		if got, err := l.Known(context.Background(), target); err != nil || got != want {
			t.Errorf("%s: known %v, %v; want %v", target, got, err, want)
		}
	}
}

func TestSeries(t *testing.T) {
	ctx := context.Background()
	l := nights(t, 5, func(i int, r *Record) {
		r.Targets[0].Totals.BytesKept = int64(1000 * i)
		if i == 3 { // a second policy over the same observation, and a night without an answer
			r.Targets = append([]Target{{Name: "ORDERS", Error: "no"}}, r.Targets[0], r.Targets[0])
		}
	})
	var got []Sample
	for s, err := range l.Series(ctx, "ORDERS", night.AddDate(0, 0, 2)) {
		must(t, err)
		got = append(got, s)
	}
	want := []Sample{
		{night.AddDate(0, 0, 2), "run-2", 3, 2100, 100},
		{night.AddDate(0, 0, 3), "run-3", 3, 3100, 100},
		{night.AddDate(0, 0, 4), "run-4", 3, 4100, 100},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("series (-want +got):\n%s", diff)
	}
	n := 0
	for range l.Series(ctx, "ORDERS", time.Time{}) {
		if n++; n == 2 {
			break
		}
	}
	over, cancel := context.WithCancel(ctx)
	cancel()
	for _, err := range l.Series(over, "ORDERS", time.Time{}) {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	}
}

func FuzzUnpackRecord(f *testing.F) {
	body, err := json.Marshal(testRecord("1", night))
	must(f, err)
	f.Add(body, true)
	f.Add([]byte(`{"schema":"mqhk.report/v1","targets":[{"findings":[{"severity":"grave"}]}]}`), true)
	f.Add([]byte{0x1f, 0x8b, 8}, false)
	f.Fuzz(func(t *testing.T, body []byte, packed bool) {
		if packed {
			var err error
			body, err = pack(body)
			must(t, err)
		}
		r, err := unpackRecord(body)
		if err != nil {
			return
		}
		again, err := packRecord(r)
		must(t, err)
		if _, err := unpackRecord(again); err != nil {
			t.Error(err)
		}
	})
}
