package agent

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/agent/run"
	"github.com/mqhk/mqhk/agent/schedule"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/policies"
)

var orders = observe.Target{Name: "ORDERS", Platform: observe.IBMi}

// nightly gives the tasks of a policy "nightly" with one task "receivers", whose
// schedule block is written out.
func nightly(t *testing.T, schedule string, targets ...observe.Target) []Task {
	t.Helper()
	file := filepath.Join(t.TempDir(), "nightly.hcl")
	text := `policy "nightly" {
  task "journal" "receivers" {
    targets  = ["ibmi/*"]
    strategy = "conservative"
  }
  schedule {
` + schedule + `
  }
}`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	configuration, err := policies.Load(policies.Checks{}, file)
	if err != nil {
		t.Fatal(err)
	}
	if len(targets) == 0 {
		targets = []observe.Target{orders}
	}
	own, err := configuration.Find("nightly")
	if err != nil {
		t.Fatal(err)
	}
	tasks, err := Tasks(own, targets)
	if err != nil {
		t.Fatal(err)
	}
	return tasks
}

// open opens the ledger in a folder for as long as the test lasts, or until
// it is closed.
func open(t *testing.T, folder string) *ledger.Ledger {
	t.Helper()
	book, err := ledger.Open(context.Background(), folder, ledger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return book
}

// station is a runner that claims as a real one does, and only takes time.
type station struct {
	book  *ledger.Ledger
	name  string
	takes time.Duration
	stuck bool // it does not stop when it is told to
	leave bool // it dies: claims are not given back

	mu   sync.Mutex
	runs []string // "02T01:30:00 KEY late 4h0m0s made up 3"
}

func (s *station) run(ctx context.Context, f Firing) (ledger.Record, error) {
	record := ledger.Record{Schema: ledger.Schema}
	record.Run.ID, record.Run.Key, record.Run.Outcome = s.name+f.Key, f.Key, run.LeftAlone
	var leases []*ledger.Lease
	for _, target := range f.Task.Targets {
		lease, err := s.book.Claim(context.WithoutCancel(ctx), ledger.Firing{
			Target: target.Name, Task: f.Task.Name(), Policy: f.Task.Policy.Name, Key: f.Key, By: cmp.Or(s.name, "test"), For: max(Lease, 2*s.takes),
		})
		var held *ledger.Held
		switch {
		case errors.As(err, &held):
			record.Run.Skipped = append(record.Run.Skipped, ledger.Skipped{Target: target.Name, Task: f.Task.Name(), Why: held.Error()})
		case errors.Is(err, ledger.ErrFired):
			record.Run.Skipped = append(record.Run.Skipped, ledger.Skipped{Target: target.Name, Task: f.Task.Name(), Why: err.Error(), Fired: true})
		case err != nil:
			return record, err
		default:
			leases = append(leases, lease)
			record.Targets = append(record.Targets, ledger.Target{Name: target.Name})
		}
	}
	if len(leases) == 0 {
		return record, nil
	}
	record.Run.Outcome = run.Planned
	s.note(f)
	err := s.work(ctx)
	for _, lease := range leases {
		if s.leave {
			break
		}
		if err := lease.Release(context.WithoutCancel(ctx), record.Run.Outcome); err != nil {
			return record, err
		}
	}
	return record, err
}

// work takes its time, or until the run is to stop.
func (s *station) work(ctx context.Context) error {
	if s.stuck {
		time.Sleep(s.takes)
		return nil
	}
	select {
	case <-time.After(s.takes):
		return nil
	case <-ctx.Done():
		time.Sleep(time.Second) // it is seen after the agent has seen it, which would else be as it happens
		return ctx.Err()
	}
}

func (s *station) note(f Firing) {
	line := time.Now().UTC().Format("02T15:04:05 ") + f.Key
	if f.Late > 0 {
		line += " late " + f.Late.String()
	}
	if f.MadeUp > 0 {
		line += " for others"
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.runs = append(s.runs, line)
}

// log is a log that tests read.
type log struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *log) lines(parts ...string) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var found []string
	for line := range strings.Lines(l.text.String()) {
		if !slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(line, part) }) {
			found = append(found, strings.TrimSpace(line))
		}
	}
	return found
}

// logger writes into the log, without the times.
func (l *log) logger() *slog.Logger {
	return slog.New(slog.NewTextHandler(l, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}))
}

// serve lets an agent stay for a time.
func serve(t *testing.T, stay time.Duration, a *Agent) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), stay)
	defer cancel()
	a.Clock = schedule.System()
	if a.Log == nil {
		a.Log = slog.New(slog.DiscardHandler)
	}
	return a.Serve(ctx)
}

// night is one stay of an agent with a ledger, in a bubble of its own time.
func night(t *testing.T, tasks []Task, s *station, play func(*testing.T, *ledger.Ledger)) {
	t.Helper()
	folder := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		s.book = open(t, folder)
		play(t, s.book)
		if err := s.book.Close(); err != nil {
			t.Error(err)
		}
	})
}

// fired gives what the ledger says of a target's firings, oldest first.
func fired(t *testing.T, book *ledger.Ledger, target string) []string {
	t.Helper()
	rows, err := book.Firings(context.Background(), target, "nightly/receivers", 0)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, r := range slices.Backward(rows) {
		lines = append(lines, r.Key+" "+r.State+" "+r.Outcome)
	}
	return lines
}
