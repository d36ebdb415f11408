package ledger

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/plugins"
)

// lived gives a ledger with some of everything in its trail.
func lived(t *testing.T) (*Ledger, string) {
	t.Helper()
	ctx := context.Background()
	clock := newClock()
	dir := folder(t)
	l := openAt(t, dir, Options{Clock: clock.Now})
	for n := range 3 {
		clock.Advance(24 * time.Hour)
		lease := claim(t, l, firing(fmt.Sprint(n)))
		r := testRecord(fmt.Sprintf("run-%d", n), clock.Now())
		must(t, l.Begin(ctx, r))
		must(t, l.Intend(ctx, lease, batch(10*n, 3)))
		must(t, l.Seen(ctx, lease, []plugins.Result{
			{Action: fmt.Sprintf("AMQA%06d", 10*n), State: plugins.Done}, {Action: fmt.Sprintf("AMQA%06d", 10*n+1), State: plugins.Unknown},
		}))
		must(t, l.Finish(ctx, r))
		must(t, lease.Release(ctx, "done"))
	}
	_, err := l.AddHold(ctx, Hold{Target: "ORDERS", Reason: "case 4711"})
	must(t, err)
	if _, err := l.Verify(ctx); err != nil {
		t.Fatal(err)
	}
	return l, dir
}

func broken(t *testing.T, l *Ledger) *Broken {
	t.Helper()
	_, err := l.Verify(context.Background())
	b := new(Broken)
	if !errors.As(err, &b) {
		t.Fatalf("verifies: %v", err)
	}
	return b
}

// A change to any column of an old row is found, at that row; so is a row that
// is gone, or put in.
func TestTamperedRow(t *testing.T) {
	const old = 5
	for name, statement := range map[string]string{
		"seq":    "UPDATE trail SET seq = 1000 WHERE seq = 5",
		"at":     "UPDATE trail SET at = '2020-01-01T00:00:00Z' WHERE seq = 5",
		"kind":   "UPDATE trail SET kind = 'note' WHERE seq = 5",
		"target": "UPDATE trail SET target = 'PAYROLL' WHERE seq = 5",
		"task":   "UPDATE trail SET task = 'other' WHERE seq = 5",
		"run":    "UPDATE trail SET run = 'other' WHERE seq = 5",
		"about":  "UPDATE trail SET about = 1 WHERE seq = 5",
		"body":   "UPDATE trail SET body = CAST(body || x'20' AS BLOB) WHERE seq = 5",
		"sum":    "UPDATE trail SET sum = zeroblob(32) WHERE seq = 5",
		"moved":  "UPDATE trail SET target = '', task = target || task WHERE seq = 5",
		"gone":   "DELETE FROM trail WHERE seq = 5",
		"swapped": `CREATE TEMP TABLE s AS SELECT * FROM trail WHERE seq IN (5, 6); DELETE FROM trail WHERE seq IN (5, 6);
			INSERT INTO trail SELECT 11 - seq, at, kind, target, task, run, about, body, sum FROM s`,
	} {
		t.Run(name, func(t *testing.T) {
			l, _ := lived(t)
			_, err := l.db.Exec(statement)
			must(t, err)
			if b := broken(t, l); b.Row != old {
				t.Errorf("found at row %d, want %d: %v", b.Row, old, b)
			}
		})
	}
}

func TestTamperedOtherwise(t *testing.T) {
	for _, test := range []struct {
		name string
		do   func(t *testing.T, l *Ledger, dir string)
		says string
	}{
		{"newest rows gone", func(t *testing.T, l *Ledger, _ string) {
			_, err := l.db.Exec("DELETE FROM trail WHERE seq > 15")
			must(t, err)
		}, "are gone"},
		{"chain made anew", func(t *testing.T, l *Ledger, _ string) {
			found, err := rows(context.Background(), l.db, scanRow, "SELECT "+rowColumns+" FROM trail ORDER BY seq")
			must(t, err)
			var sum []byte
			for _, r := range found {
				if r.Kind == kindHold {
					r.Body = []byte(`{"reason":"another"}`)
				}
				sum = r.digest(sum)
				_, err := l.db.Exec("UPDATE trail SET body = ?, sum = ? WHERE seq = ?", r.Body, sum, r.Seq)
				must(t, err)
			}
		}, "not the one that was noted"},
		{"all gone", func(t *testing.T, l *Ledger, _ string) {
			_, err := l.db.Exec("DELETE FROM trail")
			must(t, err)
		}, "it is gone"},
		{"head gone", func(t *testing.T, _ *Ledger, dir string) { must(t, os.Remove(filepath.Join(dir, headFile))) }, "head of the trail is gone"},
		{"head scribbled over", func(t *testing.T, _ *Ledger, dir string) {
			must(t, os.WriteFile(filepath.Join(dir, headFile), []byte(headMark+"\n7 abc\n"), 0o600))
		}, "can't be read"},
		{"run hidden", func(t *testing.T, l *Ledger, _ string) {
			_, err := l.db.Exec("DELETE FROM run WHERE id = 'run-1'")
			must(t, err)
		}, "run run-1 is listed otherwise"},
		{"run made good", func(t *testing.T, l *Ledger, _ string) {
			_, err := l.db.Exec("UPDATE run SET outcome = 'failed' WHERE id = 'run-1'")
			must(t, err)
		}, "run run-1 is listed otherwise"},
		{"totals", func(t *testing.T, l *Ledger, _ string) {
			_, err := l.db.Exec("UPDATE run_target SET totals = '{}' WHERE run = 'run-1'")
			must(t, err)
		}, "run run-1 is listed otherwise"},
		{"intent forgotten", func(t *testing.T, l *Ledger, _ string) {
			_, err := l.db.Exec("DELETE FROM open_intent WHERE action = 'AMQA000002'")
			must(t, err)
		}, "its intents are open"},
		{"intent looked at", func(t *testing.T, l *Ledger, _ string) {
			_, err := l.db.Exec("UPDATE open_intent SET state = ''")
			must(t, err)
		}, "its intents are open"},
	} {
		t.Run(test.name, func(t *testing.T) {
			l, dir := lived(t)
			test.do(t, l, dir)
			if b := broken(t, l); !strings.Contains(b.Error(), test.says) {
				t.Errorf("%v, want %q", b, test.says)
			}
		})
	}
}

// A head that does not fit is left as evidence by all that comes after, until
// a person accepts it.
func TestHeadStays(t *testing.T) {
	ctx := context.Background()
	l, dir := lived(t)
	_, err := l.db.Exec("DELETE FROM trail WHERE seq = (SELECT max(seq) FROM trail)")
	must(t, err)
	path := filepath.Join(dir, headFile)
	before, err := os.ReadFile(path)
	must(t, err)
	hold, err := l.AddHold(ctx, Hold{Target: "ORDERS", Reason: "later"})
	if !errors.As(err, new(*Broken)) {
		t.Errorf("a head that does not fit was not said: %v", err)
	}
	if holds, err := l.Holds(ctx, "ORDERS"); err != nil || len(holds) != 1 || holds[0].ID != hold.ID {
		t.Errorf("the hold does not stand: %+v, %v", holds, err)
	}
	after, err := os.ReadFile(path)
	must(t, err)
	if string(before) != string(after) {
		t.Error("the head was written over")
	}
	must(t, l.Accept(ctx, "operator", "restored from a copy"))
	noted, err := l.Verify(ctx)
	must(t, err)
	if text, err := os.ReadFile(path); err != nil || string(text) != string(noted.text()) {
		t.Errorf("head %s, %v; Verify gives %+v", text, err, noted)
	}
}

// A process that made the ledger and ended before it noted its head leaves one
// that the next one notes.
func TestFirstHead(t *testing.T) {
	dir := folder(t)
	must(t, openAt(t, dir, Options{}).Close())
	must(t, os.Remove(filepath.Join(dir, headFile)))
	l := openAt(t, dir, Options{})
	record(t, l, testRecord("1", time.Now()))
	if _, err := l.Verify(context.Background()); err != nil {
		t.Error(err)
	}
}

// The head may stand elsewhere.
func TestHeadElsewhere(t *testing.T) {
	dir, other := folder(t), t.TempDir()
	l := openAt(t, dir, Options{Head: filepath.Join(other, "orders.head")})
	record(t, l, testRecord("1", time.Now()))
	if _, err := l.Verify(context.Background()); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(dir, headFile)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("there is a head in the folder too: %v", err)
	}
}

func FuzzParseHead(f *testing.F) {
	f.Add([]byte(headMark + "\n7 6f1e000000000000000000000000000000000000000000000000000000000000\n"))
	f.Add([]byte(headMark + "\n-7 6F1E\n"))
	f.Add([]byte(""))
	f.Fuzz(func(t *testing.T, text []byte) {
		noted, err := parseHead(text)
		if err == nil && string(noted.text()) != string(text) {
			t.Errorf("%q is read as %+v", text, noted)
		}
	})
}
