package ledger

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

var update = flag.Bool("update", false, "write the golden files")

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		must(t, os.MkdirAll("testdata", 0o755))
		must(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	must(t, err)
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

func batch(from, n int) []plugins.Action {
	actions := make([]plugins.Action, n)
	for i := range actions {
		actions[i] = deletion(fmt.Sprintf("AMQA%06d", from+i))
	}
	return actions
}

// fullAction has a value in every field.
func fullAction() plugins.Action {
	return plugins.Action{
		ID: "1", QueueManager: "ORDERS", Kind: plugins.KindCustom,
		Command: plugins.Command{Language: observe.CL, QueueManager: "ORDERS", Text: "CHGJRN JRN(QMORDERS/AMQAJRN) JRNRCV(*GEN)"},
		Object:  "QMORDERS/AMQA000001", Items: []string{"a", "b"},
		Segment:     recovery.SegmentID{QueueManager: "ORDERS", Library: "QMORDERS", Name: "AMQA000001"},
		Fingerprint: "2026-05-27", Store: "vault", After: []string{"0"}, Within: time.Minute, Reason: "because",
	}
}

func TestIntentRules(t *testing.T) {
	ctx := context.Background()
	single := func(kind plugins.Kind) []plugins.Action { return []plugins.Action{{ID: "1", Kind: kind}} }
	pair := func(kind plugins.Kind) []plugins.Action {
		return []plugins.Action{{ID: "1", Kind: plugins.KindDelete}, {ID: "2", Kind: kind}}
	}
	elsewhere := batch(0, 2)
	elsewhere[1].QueueManager = "PAYROLL"
	l := openAt(t, folder(t), Options{})
	lease := claim(t, l, firing(""))
	for name, test := range map[string]struct {
		actions []plugins.Action
		says    string // empty: accepted
	}{
		"none":               {nil, "no action"},
		"most":               {batch(0, MaxBatch), ""},
		"more":               {batch(1000, MaxBatch+1), "at most 256"},
		"command":            {single(plugins.KindCommand), ""},
		"delete and command": {pair(plugins.KindCommand), "an intent of its own"},
		"delete and archive": {pair(plugins.KindArchive), "an intent of its own"},
		"delete and mark":    {pair(plugins.KindMarkArchived), "an intent of its own"},
		"delete and custom":  {pair(plugins.KindCustom), "an intent of its own"},
		"two queue managers": {elsewhere, "two queue managers"},
		"twice":              {[]plugins.Action{deletion("x"), deletion("x")}, "stands twice"},
		"without an ID":      {[]plugins.Action{{Kind: plugins.KindDelete}}, "no ID"},
	} {
		err := l.Intend(ctx, lease, test.actions)
		if test.says == "" && err != nil || test.says != "" && (err == nil || !strings.Contains(err.Error(), test.says)) {
			t.Errorf("%s: %v, want %q", name, err, test.says)
		}
	}
	if err := l.Intend(ctx, lease, batch(7, 1)); err == nil || !strings.Contains(err.Error(), "was intended before") {
		t.Errorf("intended while open: %v", err)
	}
}

// Who asks of no target sees what is open on all of them.
func TestOpenIntentsOfAll(t *testing.T) {
	ctx := context.Background()
	l := openAt(t, folder(t), Options{})
	other := firing("03:00")
	other.Target = "PAYROLL"
	for _, f := range []Firing{firing("02:00"), other} {
		action := deletion("AMQA000001")
		action.QueueManager = f.Target
		must(t, l.Intend(ctx, claim(t, l, f), []plugins.Action{action}))
	}
	for target, want := range map[string][]string{"": {"ORDERS", "PAYROLL"}, "PAYROLL": {"PAYROLL"}, "QM1": nil} {
		open, err := l.OpenIntents(ctx, target)
		must(t, err)
		var got []string
		for _, o := range open {
			got = append(got, o.Target)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s", target, diff)
		}
	}
}

// What is open is what has no outcome that settles it; it comes back as it was
// intended.
func TestOutcomes(t *testing.T) {
	ctx := context.Background()
	for state, stays := range map[plugins.State]bool{
		plugins.Done: false, plugins.Failed: false, plugins.Skipped: false, plugins.Retry: false,
		plugins.Pending: true, plugins.Unknown: true,
	} {
		t.Run(string(state), func(t *testing.T) {
			clock := newClock()
			l := openAt(t, folder(t), Options{Clock: clock.Now})
			lease := claim(t, l, firing("02:00"))
			action := fullAction()
			must(t, l.Intend(ctx, lease, []plugins.Action{action}))
			must(t, l.Seen(ctx, lease, []plugins.Result{{Action: "1", State: state, Evidence: "seen"}}))
			open, err := l.OpenIntents(ctx, "ORDERS")
			must(t, err)
			if !stays {
				if len(open) != 0 {
					t.Errorf("open: %+v", open)
				}
				must(t, l.Intend(ctx, lease, []plugins.Action{action})) // a next round may use the ID again
				return
			}
			want := []OpenIntent{{
				ID: open[0].ID, Target: "ORDERS", Task: "receivers", Run: "run-02:00", Epoch: 1, At: clock.Now(), State: state, Live: true, Action: action,
			}}
			if diff := cmp.Diff(want, open); diff != "" {
				t.Errorf("open (-want +got):\n%s", diff)
			}
		})
	}
}

func TestOutcomesRefused(t *testing.T) {
	ctx := context.Background()
	l := openAt(t, folder(t), Options{})
	lease := claim(t, l, firing(""))
	must(t, l.Intend(ctx, lease, batch(1, 2)))
	done := func(id string) plugins.Result { return plugins.Result{Action: id, State: plugins.Done} }
	if err := l.Seen(ctx, lease, []plugins.Result{done("AMQA000001"), done("AMQA000009")}); !errors.Is(err, ErrNotIntended) {
		t.Errorf("got %v", err)
	}
	if err := l.Seen(ctx, lease, []plugins.Result{{Action: "AMQA000001", State: plugins.Planned}}); err == nil || !strings.Contains(err.Error(), "no outcome") {
		t.Errorf("got %v", err)
	}
	open, err := l.OpenIntents(ctx, "ORDERS")
	must(t, err)
	if len(open) != 2 {
		t.Errorf("%d open after two refused, want both", len(open))
	}
	if open, err := l.OpenIntents(ctx, "PAYROLL"); err != nil || len(open) != 0 {
		t.Errorf("another target: %v, %v", open, err)
	}
}

// What another task left open may be settled when its lease no longer stands,
// and only by who has a lease on the same target.
func TestSettle(t *testing.T) {
	ctx := context.Background()
	clock := newClock()
	l := openAt(t, folder(t), Options{Clock: clock.Now})
	first := claim(t, l, firing("1"))
	must(t, l.Intend(ctx, first, batch(1, 1)))
	open, err := l.OpenIntents(ctx, "ORDERS")
	must(t, err)
	gone := []Settlement{{Intent: open[0].ID, State: plugins.Done, Evidence: "gone"}}
	f := firing("1")
	f.Task, f.For = "structures", time.Hour
	other := claim(t, l, f)
	if err := l.Settle(ctx, other, gone); err == nil || !strings.Contains(err.Error(), "still stands") {
		t.Errorf("settled what is being done: %v", err)
	}
	f.Target = "PAYROLL"
	if err := l.Settle(ctx, claim(t, l, f), gone); !errors.Is(err, ErrNotIntended) {
		t.Errorf("settled on another target: %v", err)
	}
	clock.Advance(time.Minute)
	must(t, l.Settle(ctx, other, gone))
	if err := l.Settle(ctx, other, gone); !errors.Is(err, ErrNotIntended) {
		t.Errorf("settled twice: %v", err)
	}
}

// The stored form of an intent and an outcome outlives this version.
func TestStoredForm(t *testing.T) {
	ctx := context.Background()
	clock := newClock()
	l := openAt(t, folder(t), Options{Clock: clock.Now})
	lease := claim(t, l, firing("02:00"))
	must(t, l.Intend(ctx, lease, []plugins.Action{fullAction()}))
	must(t, l.Seen(ctx, lease, []plugins.Result{{Action: "1", State: plugins.Failed, Evidence: "CPF7022"}}))
	must(t, l.Missed(ctx, firing("01:00"), "no agent was running"))
	must(t, lease.Release(ctx, "failed"))
	hold, err := l.AddHold(ctx, Hold{Target: "ORDERS", Segment: "QMORDERS/AMQA000007", Reason: "case 4711", By: "operator", Until: clock.Now().Add(time.Hour)})
	must(t, err)
	must(t, l.LiftHold(ctx, hold.ID, "operator"))
	_, err = l.AddNote(ctx, Note{Target: "ORDERS", Kind: Saved, Library: "QMORDERS", Segment: "AMQA000007", Text: "BRMS nightly", By: "job"})
	must(t, err)
	must(t, l.Accept(ctx, "operator", "moved"))
	found, err := rows(ctx, l.db, scanRow, "SELECT "+rowColumns+" FROM trail WHERE seq > 1 ORDER BY seq")
	must(t, err)
	var text strings.Builder
	for _, r := range found {
		body, _, _ := strings.Cut(string(r.Body), `,"was"`) // a sum, other in each ledger
		fmt.Fprintf(&text, "%d %s %s target=%s task=%s run=%s about=%d %s\n", r.Seq, r.At, r.Kind, r.Target, r.Task, r.Run, r.About, body)
	}
	golden(t, "stored.txt", text.String())
}

func BenchmarkIntents(b *testing.B) {
	ctx := context.Background()
	l := openAt(b, folder(b), Options{})
	f := firing("")
	f.For = time.Hour
	lease := claim(b, l, f)
	actions := batch(0, MaxBatch)
	results := make([]plugins.Result, len(actions))
	for i, a := range actions {
		results[i] = plugins.Result{Action: a.ID, State: plugins.Done, Evidence: "it is no longer listed"}
	}
	b.Run("intend and see 256 deletes", func(b *testing.B) {
		for b.Loop() {
			must(b, l.Intend(ctx, lease, actions))
			must(b, l.Seen(ctx, lease, results))
		}
		b.ReportMetric(float64(b.N*MaxBatch)/b.Elapsed().Seconds(), "deletes/s")
	})
	b.Run("check", func(b *testing.B) {
		for b.Loop() {
			must(b, lease.Check(ctx))
		}
	})
}
