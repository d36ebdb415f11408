package agent

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/schedule"
)

// DefaultStop is how long runs may take to end when the agent is stopped: less
// than systemd's TimeoutStopSec of 90 s, after which it kills (systemd.service(5)).
const DefaultStop = time.Minute

// Agent runs tasks on their schedules. All fields but Stop are needed.
type Agent struct {
	Tasks  []Task
	Ledger Ledger
	Run    Runner
	Log    *slog.Logger
	Clock  schedule.Clock
	// Stop is how long runs may take to end once Serve is to stop; 0:
	// DefaultStop.
	Stop time.Duration
}

// Stuck says that runs did not end when the agent was stopped.
type Stuck struct {
	Runs []string // task and key
	Stop time.Duration
}

func (e *Stuck) Error() string {
	return fmt.Sprintf("not ended %s after the stop: %s; what they were at is open in the ledger, and the next run looks at it first",
		e.Stop, strings.Join(e.Runs, ", "))
}

// Serve says in the log what it will run and when, and runs it until ctx ends.
// Runs that go on then may finish the action they are at.
//
// The error is *Stuck when they don't, or says why the ledger could not be read
// at the start. What goes wrong later is in the log, and costs one run.
func (a *Agent) Serve(ctx context.Context) error {
	h := newHandler(a)
	entries, err := h.entries(ctx)
	if err != nil {
		return err
	}
	a.announce(ctx, entries)
	over := make(chan struct{})
	go func() {
		defer close(over)
		schedule.Loop(ctx, entries, a.Clock, h)
		h.written.Wait()
	}()
	<-ctx.Done()
	a.Log.Info("agent stops", "why", context.Cause(ctx), "runs", strings.Join(h.runs(), ", "))
	stop := a.Stop
	if stop == 0 {
		stop = DefaultStop
	}
	select {
	case <-over:
		a.Log.Info("agent stopped")
		return nil
	case <-a.Clock.After(stop):
		return &Stuck{h.runs(), stop}
	}
}

// entries gives the loop what there is to wait for. What each task has missed
// is in the ledger.
func (h *handler) entries(ctx context.Context) ([]schedule.Entry, error) {
	var entries []schedule.Entry
	now := h.Clock.Now()
	for _, t := range h.Tasks {
		if len(t.Targets) == 0 {
			continue
		}
		past, err := t.past(ctx, h.Ledger, now)
		if err != nil {
			return nil, err
		}
		h.begun[t.Name()] = past.begun
		entries = append(entries, schedule.Entry{
			Name:     t.Name(),
			Schedule: t.when,
			Jitter:   t.Schedule.Jitter,
			Overlap:  t.overlap(),
			CatchUp:  t.Schedule.CatchUpWithin,
			Last:     past.last,
		})
	}
	return entries, nil
}

// announce says what will run and when, so that a wrong zone or a forgotten
// mode shows before the night.
func (a *Agent) announce(ctx context.Context, entries []schedule.Entry) {
	byName := make(map[string]schedule.Entry)
	for _, e := range entries {
		byName[e.Name] = e
	}
	applying := 0
	for _, t := range a.Tasks {
		log := a.Log.With(t.keys()...)
		entry, ok := byName[t.Name()]
		if !ok {
			log.Warn("task matches no target: it will not run", "patterns", strings.Join(t.Policy.Tasks[0].Targets, ","))
			continue
		}
		attrs := []any{"mode", t.mode(), "cron", t.Schedule.Cron, "timezone", t.Schedule.Timezone}
		for _, due := range entry.From(a.Clock.Now().Add(1), 1) {
			attrs = append(attrs, "next", due.Start.Format(time.RFC3339), "next_utc", due.Start.UTC().Format(time.RFC3339))
		}
		level := slog.LevelInfo
		if doubt := t.when.Doubt(a.Clock.Now()); doubt != "" {
			level, attrs = slog.LevelWarn, append(attrs, "warning", doubt, "at", t.Schedule.At.String())
		}
		log.Log(ctx, level, "task is scheduled", attrs...)
		if t.Mode() == connect.Apply {
			applying++
		}
	}
	a.Log.Info("agent starts", "tasks", len(entries), "in_mode_apply", applying)
}

// keys are what every log record of a task has.
func (t Task) keys() []any {
	task := t.Policy.Tasks[0]
	return []any{"policy", t.Policy.Name, "target", t.targets(), "task", task.Name, "plugin", task.Plugin}
}
