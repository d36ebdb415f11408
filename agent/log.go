package agent

import (
	"context"
	"log/slog"
	"time"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/agent/run"
	"github.com/mqhk/mqhk/core/finding"
)

// ending is how a run ended.
type ending struct {
	record  ledger.Record
	err     error
	took    time.Duration
	stopped bool // the agent was told to stop meanwhile
}

// word gives the level and the message of the log record of an ending.
func (e ending) word() (slog.Level, string) {
	switch outcome := e.record.Run.Outcome; {
	case e.stopped && e.err != nil:
		return slog.LevelWarn, "run stopped"
	case e.err != nil || outcome == run.Failed:
		return slog.LevelError, "run failed"
	case outcome == run.LeftAlone:
		return slog.LevelInfo, "run left to others"
	case outcome == run.InPart:
		return slog.LevelWarn, "run ended in part"
	default:
		return slog.LevelInfo, "run ended"
	}
}

// outcome says in one log record how a run ended, and in one for each what
// critical it found.
func (h *handler) outcome(ctx context.Context, f Firing, e ending) {
	level, what := e.word()
	attrs := append(f.Task.keys(), "run", e.record.Run.ID, "key", f.Key, "mode", f.Task.mode(),
		"dur", e.took.Round(time.Millisecond), "outcome", e.record.Run.Outcome)
	if f.Late > 0 {
		attrs = append(attrs, "late", f.Late)
	}
	if f.MadeUp > 0 {
		attrs = append(attrs, "made_up", f.MadeUp)
	}
	if e.err != nil {
		attrs = append(attrs, "err", e.err)
	}
	h.Log.Log(ctx, level, what, attrs...) //nolint:sloglint // it is one of three words
	h.particulars(f, e.record)
}

// particulars reports what went wrong on single targets, and what critical was
// found there.
func (h *handler) particulars(f Firing, record ledger.Record) {
	task := f.Task.Policy.Tasks[0]
	of := func(target string) *slog.Logger {
		return h.Log.With("policy", f.Task.Policy.Name, "target", target, "task", task.Name, "plugin", task.Plugin, "run", record.Run.ID)
	}
	for _, s := range record.Run.Skipped {
		of(s.Target).Info("target left to others", "why", s.Why)
	}
	for _, t := range record.Targets {
		log := of(t.Name)
		if t.Error != "" {
			log.Error("target failed", "err", t.Error)
		}
		for _, found := range t.Findings {
			if found.Severity == finding.Critical {
				log.Error("critical finding", "code", string(found.Code), "text", found.Text)
			}
		}
	}
}
