package ledger

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

// fakeClock stands still until it is moved.
type fakeClock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *fakeClock { return &fakeClock{now: time.Date(2026, 5, 28, 2, 0, 0, 0, time.UTC)} }

func (c *fakeClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *fakeClock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// folder gives the name of a ledger's folder that is not there yet.
func folder(tb testing.TB) string {
	tb.Helper()
	return filepath.Join(tb.TempDir(), "ledger")
}

func openAt(tb testing.TB, dir string, options Options) *Ledger {
	tb.Helper()
	l, err := Open(context.Background(), dir, options)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := l.Close(); err != nil {
			tb.Error(err)
		}
	})
	return l
}

func firing(key string) Firing {
	return Firing{Target: "ORDERS", Task: "receivers", Policy: "conservative", Key: key, Run: "run-" + key, By: "host1/4711", For: time.Minute}
}

func claim(tb testing.TB, l *Ledger, f Firing) *Lease {
	tb.Helper()
	lease, err := l.Claim(context.Background(), f)
	if err != nil {
		tb.Fatal(err)
	}
	return lease
}

// must is for tests and for rapid's.
func must(tb interface {
	Helper()
	Fatal(args ...any)
}, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

func deletion(id string) plugins.Action {
	return plugins.Action{
		ID: id, QueueManager: "ORDERS", Kind: plugins.KindDelete, Object: "QMORDERS/" + id,
		Segment:     recovery.SegmentID{QueueManager: "ORDERS", Library: "QMORDERS", Name: id},
		Fingerprint: "2026-05-27-12.20.00.000000", Reason: "before the older of both points",
	}
}

// testRecord is a run that did all it should on one target.
func testRecord(id string, started time.Time) Record {
	return Record{
		Schema: Schema,
		Run: Run{
			ID: id, Mode: "apply", Started: started.Format(time.RFC3339), Finished: started.Add(time.Minute).Format(time.RFC3339),
			Outcome: "done", Host: "host1",
		},
		Targets: []Target{{
			Name: "ORDERS", Platform: "ibmi", Policy: "conservative", Task: "receivers", Plugin: "journal",
			Observed: started.Format(time.RFC3339),
			Segments: []Segment{{Name: "AMQA000007", Library: "QMORDERS", QueueManager: "ORDERS", Verdict: "delete", Bytes: 100}},
			Actions:  []Action{{ID: "1", Kind: "delete", Object: "QMORDERS/AMQA000007", Outcome: "done"}},
			Findings: []finding.Finding{},
			Totals:   Totals{Segments: 3, Delete: 1, Keep: 2, BytesFreed: 100, BytesKept: 200},
		}},
	}
}

func record(tb testing.TB, l *Ledger, r Record) {
	tb.Helper()
	must(tb, l.Begin(context.Background(), r))
	must(tb, l.Finish(context.Background(), r))
}

func TestFilesAreTheOwnersAlone(t *testing.T) {
	dir := folder(t)
	l := openAt(t, dir, Options{})
	record(t, l, testRecord("1", time.Now()))
	info, err := os.Stat(dir)
	must(t, err)
	if got := info.Mode().Perm(); got != 0o700 {
		t.Errorf("folder has mode %04o, want 0700", got)
	}
	entries, err := os.ReadDir(dir)
	must(t, err)
	var names []string
	for _, e := range entries {
		info, err := e.Info()
		must(t, err)
		names = append(names, e.Name())
		if got := info.Mode().Perm(); got != 0o600 {
			t.Errorf("%s has mode %04o, want 0600", e.Name(), got)
		}
	}
	if len(names) != 4 { // ledger.db, its -shm and -wal, ledger.head: nothing is left of the making
		t.Errorf("the folder holds %v", names)
	}
}

// What makes a change durable is set on every connection.
func TestSettings(t *testing.T) {
	l := openAt(t, folder(t), Options{Patience: 3 * time.Second})
	for pragma, want := range map[string]string{"journal_mode": "wal", "synchronous": "2", "busy_timeout": "3000", "application_id": "1297172555", "user_version": "2"} {
		var got string
		must(t, l.db.QueryRow("PRAGMA "+pragma).Scan(&got))
		if got != want {
			t.Errorf("PRAGMA %s is %s, want %s", pragma, got, want)
		}
	}
}

// Of many that open a folder without a ledger at once, all see the same one.
func TestManyOpenAtOnce(t *testing.T) {
	dir := folder(t)
	const many = 8
	ledgers := make([]*Ledger, many)
	var group sync.WaitGroup
	for i := range many {
		group.Go(func() {
			l, err := Open(context.Background(), dir, Options{})
			if err != nil {
				t.Error(err)
				return
			}
			ledgers[i] = l
			record(t, l, testRecord(string(rune('a'+i)), time.Now()))
		})
	}
	group.Wait()
	for _, l := range ledgers {
		if l == nil {
			continue
		}
		runs, err := l.Runs(context.Background(), Filter{})
		must(t, err)
		if len(runs) != many {
			t.Errorf("sees %d runs, want %d", len(runs), many)
		}
		must(t, l.Close())
	}
	reader, err := OpenReadOnly(context.Background(), dir, Options{})
	must(t, err)
	defer reader.Close()
	if _, err := reader.Verify(context.Background()); err != nil {
		t.Error(err)
	}
}

// A file of an older version is brought up to date by one of those who open
// it, with what it holds.
func TestMigrates(t *testing.T) {
	ctx := context.Background()
	dir := folder(t)
	l := openAt(t, dir, Options{})
	record(t, l, testRecord("1", time.Now()))
	released := migrations
	t.Cleanup(func() { migrations = released })
	migrations = append(released[:len(released):len(released)], "CREATE TABLE later (x)")
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			newer, err := Open(ctx, dir, Options{})
			if err != nil {
				t.Error(err)
				return
			}
			defer newer.Close()
			if runs, err := newer.Runs(ctx, Filter{}); err != nil || len(runs) != 1 {
				t.Errorf("%v, %v", runs, err)
			}
			if _, err := newer.db.Exec("SELECT x FROM later"); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if version, err := schemaVersion(ctx, l.db); err != nil || version != len(migrations) {
		t.Errorf("version %d, %v", version, err)
	}
}
