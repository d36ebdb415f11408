package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/agent/run"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/policies"
)

// The exit status of a run: the first that holds of 5, 1, 3, 0.
func TestApplied(t *testing.T) {
	actions := func(outcomes ...string) ledger.Target {
		var target ledger.Target
		for _, o := range outcomes {
			target.Actions = append(target.Actions, ledger.Action{Outcome: o})
		}
		return target
	}
	critical := ledger.Target{Findings: []finding.Finding{{Severity: finding.Critical}}}
	tests := map[string]struct {
		record ledger.Record
		want   int
	}{
		"nothing to do":          {ledger.Record{Targets: []ledger.Target{{}}}, 0},
		"all done":               {ledger.Record{Targets: []ledger.Target{actions("done", "done")}}, 0},
		"in part":                {ledger.Record{Targets: []ledger.Target{actions("done", "failed", "skipped")}}, exitCritical},
		"unknown in part":        {ledger.Record{Targets: []ledger.Target{actions("done", "unknown")}}, exitCritical},
		"failed":                 {ledger.Record{Targets: []ledger.Target{actions("failed", "skipped")}}, exitFailed},
		"held back by the guard": {ledger.Record{Targets: []ledger.Target{actions("skipped")}}, exitCritical},
		"critical":               {ledger.Record{Targets: []ledger.Target{actions("done"), critical}}, exitCritical},
		"a plan":                 {ledger.Record{DryRun: true, Targets: []ledger.Target{actions("planned")}}, 0},
		"a critical plan":        {ledger.Record{DryRun: true, Targets: []ledger.Target{critical}}, exitCritical},
		"plugin failed":          {ledger.Record{Targets: []ledger.Target{critical, {Error: "it died", Failure: run.FailedPlugin}}}, exitPlugin},
		"no connection":          {ledger.Record{Targets: []ledger.Target{{Error: "refused", Failure: "connection"}}}, exitFailed},
		"others had it":          {ledger.Record{Run: ledger.Run{Skipped: []ledger.Skipped{{Why: "held"}}}}, exitFailed},
		"others had some of it":  {ledger.Record{Run: ledger.Run{Skipped: []ledger.Skipped{{}}}, Targets: []ledger.Target{actions("done")}}, exitCritical},
		"run by another agent":   {ledger.Record{Run: ledger.Run{Skipped: []ledger.Skipped{{Fired: true}}}}, 0},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := exitOf(applied(test.record, "critical")); got != test.want {
				t.Errorf("exit %d, want %d", got, test.want)
			}
		})
	}
	if got := exitOf(applied(ledger.Record{Targets: []ledger.Target{critical}}, "never")); got != 0 {
		t.Errorf("--fail-on never: exit %d", got)
	}
}

func TestUntilTime(t *testing.T) {
	now := time.Date(2026, 1, 5, 16, 0, 0, 0, time.FixedZone("CET", 3600))
	for text, want := range map[string]time.Time{
		"": {}, "7d": now.AddDate(0, 0, 7), "1d12h": now.Add(36 * time.Hour), "2026-01-06T00:00:00+01:00": now.Add(8 * time.Hour),
	} {
		if got, err := untilTime(text, now); err != nil || !got.Equal(want) {
			t.Errorf("%q: %v, %v; want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"7", "tomorrow", "-1d", "2026-01-05T16:00:00+01:00", "2020-01-01T00:00:00Z"} {
		if got, err := untilTime(text, now); exitOf(err) != exitUsage {
			t.Errorf("%q: %v, %v; want an error of usage", text, got, err)
		}
	}
}

func TestInDays(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Second: "0s", 5 * time.Second: "5s", 125 * time.Second: "2m5s", 3*time.Hour + 59*time.Minute: "3h59m", 50 * time.Hour: "2d2h",
	} {
		if got := inDays(d); got != want {
			t.Errorf("%s: %s, want %s", d, got, want)
		}
	}
}

// Only tasks whose schedule applies and that may delete bind beside the one that
// runs, and only on targets that they match.
func TestBinds(t *testing.T) {
	file := filepath.Join(t.TempDir(), "site.hcl")
	text := `
policy "night" {
  schedule {
    cron     = "0 2 * * *"
    timezone = "Europe/Berlin"
    mode     = "apply"
  }
  task "journal" "orders" {
    targets  = ["ibmi/ORDERS"]
    strategy = "conservative"
  }
  task "journal" "watched" {
    targets  = ["ibmi/*"]
    strategy = "fast-startup"
    schedule {
      cron     = "@daily"
      timezone = "UTC"
      mode     = "plan"
    }
  }
  task "journal" "deletes-none" {
    targets  = ["ibmi/*"]
    strategy = "aggressive"
    allow    = ["command:CHGJRN", "archive", "alert"]
  }
}
policy "by-hand" {
  task "journal" "receivers" {
    targets  = ["ibmi/*"]
    strategy = "conservative"
  }
}
`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	configuration, err := policies.Load(checks(), file)
	if err != nil {
		t.Fatal(err)
	}
	bound := binds(configuration)
	if got := bound(observe.Target{Name: "ORDERS", Platform: observe.IBMi}); len(got) != 1 || got[0].Policy != "night" || got[0].Promise.Strategy != recovery.Conservative {
		t.Errorf("ORDERS: %+v", got)
	}
	if got := bound(observe.Target{Name: "PAY", Platform: observe.IBMi}); len(got) != 0 {
		t.Errorf("PAY: %+v", got)
	}
}

// The newest good run of a task counts, and of another policy's none.
func TestTaskOf(t *testing.T) {
	now := time.Date(2026, 5, 28, 12, 0, 0, 0, time.UTC)
	ran := func(id string, ago time.Duration, dry, good bool, policy string) ledger.Summary {
		return ledger.Summary{ID: id, DryRun: dry, Started: now.Add(-ago), Finished: now.Add(-ago + time.Minute), Outcome: "done",
			Targets: []ledger.TargetSummary{{Target: "ORDERS", Task: "receivers", Policy: policy, Good: good}}}
	}
	runs := []ledger.Summary{
		ran("5", time.Hour, false, false, "night"), ran("4", 2*time.Hour, true, true, "night"),
		ran("3", 3*time.Hour, false, true, "other"), ran("2", 26*time.Hour, false, true, "night"), ran("1", 50*time.Hour, false, true, "night"),
	}
	got := taskOf(runs, "ORDERS", "night", "receivers", now)
	if got.Last.Run != "5" || got.Good.Run != "4" || got.Applied.Run != "2" || got.Applied.Age != "1d2h" {
		t.Errorf("last %+v, good %+v, applied %+v", got.Last, got.Good, got.Applied)
	}
	if got := taskOf(runs, "PAY", "night", "receivers", now); got.Last != nil || got.Good != nil {
		t.Errorf("PAY: %+v", got)
	}
}

// What nobody ran since the last firing that was run is missed; older ones are
// made up for.
func TestMissedOf(t *testing.T) {
	at := time.Date(2026, 5, 28, 2, 0, 0, 0, time.UTC)
	l, err := ledger.Open(t.Context(), filepath.Join(t.TempDir(), "ledger"), ledger.Options{Clock: func() time.Time { return at }})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	firing := func(key string) ledger.Firing {
		at = at.Add(time.Hour)
		return ledger.Firing{Target: "ORDERS", Task: "night/receivers", Policy: "night", Key: key, By: "a test", For: time.Minute}
	}
	missed := func(key string) error { return l.Missed(t.Context(), firing(key), "nothing was running") }
	if err := missed("2026-05-25T02:00"); err != nil {
		t.Fatal(err)
	}
	lease, err := l.Claim(t.Context(), firing("2026-05-26T02:00"))
	if err = errors.Join(err, lease.Release(t.Context(), "done"), missed("2026-05-27T02:00"), missed("2026-05-28T02:00")); err != nil {
		t.Fatal(err)
	}
	got, err := missedOf(t.Context(), l, "ORDERS", "night/receivers")
	want := []statusDue{{"2026-05-28T02:00", "nothing was running"}, {"2026-05-27T02:00", "nothing was running"}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("missed %v, %v; want %v", got, err, want)
	}
}
