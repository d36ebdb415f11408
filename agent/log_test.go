package agent

import (
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/agent/run"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// golden compares a text with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s, run with -update when this is meant (-want +got):\n%s", file, diff)
	}
}

// What an agent says at its start, of its runs, and at its end.
func TestLog(t *testing.T) {
	tasks, err := Tasks(loaded(t, strings.Replace(site, `"0 2 * * *"`, `"37 2 * * *"`, 1)+`
policy "late" {
  task "archive" "logs" {
    targets  = ["zos/*"]
    strategy = "conservative"
    schedule {
      cron     = "@daily"
      timezone = "UTC"
    }
  }
}
`), []observe.Target{orders, {Name: "STOCK", Platform: observe.IBMi}})
	if err != nil {
		t.Fatal(err)
	}
	var l log
	synctest.Test(t, func(t *testing.T) {
		runs := endings()
		a := &Agent{Tasks: tasks, Ledger: shelf{"ORDERS": {}, "STOCK": {}}, Log: l.logger(), Run: func(_ context.Context, f Firing) (ledger.Record, error) {
			end := runs[f.Key]
			time.Sleep(1500 * time.Millisecond)
			end.record.Run.ID = "run-of-" + f.Key
			return end.record, end.err
		}}
		if err := serve(t, 110*time.Minute, a); err != nil {
			t.Error(err)
		}
	})
	folder := filepath.Dir(tasks[0].Schedule.At.File) + string(filepath.Separator)
	golden(t, "log.txt", strings.ReplaceAll(l.text.String(), folder, ""))
}

// endings are runs that end in all ways, by key.
func endings() map[string]ending {
	record := func(outcome string, targets ...ledger.Target) ledger.Record {
		return ledger.Record{Run: ledger.Run{Outcome: outcome}, Targets: targets}
	}
	lost := ledger.Target{Name: "ORDERS", Findings: []finding.Finding{
		{Severity: finding.Warning, Code: "not-saved", Text: "two receivers are not saved"},
		{Severity: finding.Critical, Code: "receiver-lost", Text: "AMQA000007 is needed, and nowhere"},
	}}
	half := ledger.Target{Name: "ORDERS", Findings: []finding.Finding{{Severity: finding.Warning, Code: finding.FirstRun}},
		Actions: []ledger.Action{
			{Kind: "archive", Outcome: "done"}, {Kind: "delete", Outcome: "done"},
			{Kind: "delete", Outcome: "done"}, {Kind: "delete", Outcome: "failed"},
		},
		ReadBack: &ledger.ReadBack{Deleted: 2, BytesFreed: 2 << 20},
	}
	held := record(run.LeftAlone)
	held.Run.Skipped = []ledger.Skipped{{Target: "ORDERS", Task: "site/watch", Why: "held by other@host", Fired: false}}
	fired := record(run.LeftAlone)
	fired.Run.Skipped = []ledger.Skipped{{Target: "ORDERS", Task: "site/watch", Why: "this firing was run already", Fired: true}}
	return map[string]ending{
		"2000-01-01T00:15:00Z": {record: record(run.Planned)},
		"2000-01-01T00:30:00Z": {record: record(run.InPart, lost)},
		"2000-01-01T00:45:00Z": {record: record(run.Failed, ledger.Target{Name: "ORDERS", Error: "plugin journal: ended with status 1"})},
		"2000-01-01T01:00:00Z": {err: errors.New("starting plugin journal: no such file")},
		"2000-01-01T01:15:00Z": {record: held},
		"2000-01-01T01:30:00Z": {record: fired},
		// It did all, and the ledger could not write that down: it is not done.
		"2000-01-01T01:45:00Z": {record: record(run.Applied, ledger.Target{Name: "ORDERS"}), err: errors.New("recording the run: the disk is full")},
		// Applied: what was done stands beside it, and why it was only a part.
		"2000-01-01T02:37": {record: record(run.InPart, half)},
	}
}
