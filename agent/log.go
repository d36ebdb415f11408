package agent

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/mqhk/mqhk/agent/connect"
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

// outcome gives the run's own word for its end. A run that could not be recorded
// has its word for what it did; it has failed all the same.
func (e ending) outcome() string {
	if word := e.record.Run.Outcome; e.err == nil || word != run.Applied && word != run.Planned {
		return word
	}
	return run.Failed
}

// warnings gives the codes of a record's warnings, each once: they say why a
// run did only a part.
func warnings(record ledger.Record) string {
	var codes []string
	for _, t := range record.Targets {
		for _, f := range t.Findings {
			if f.Severity == finding.Warning && !slices.Contains(codes, string(f.Code)) {
				codes = append(codes, string(f.Code))
			}
		}
	}
	return strings.Join(codes, ",")
}

// outcome says in one log record how a run ended, and in one for each what
// critical it found.
func (h *handler) outcome(ctx context.Context, f Firing, e ending) {
	level, what := e.word()
	attrs := append(f.Task.keys(), "run", e.record.Run.ID, "key", f.Key, "mode", f.Task.mode(),
		"dur", e.took.Round(time.Millisecond), "outcome", e.outcome())
	if f.Task.Mode() == connect.Apply && len(e.record.Targets) > 0 {
		did := DeedsOf(e.record)
		attrs = append(attrs, "deleted", did.Deleted, "saved", did.Saved, "freed", did.Freed)
	}
	if codes := warnings(e.record); e.record.Run.Outcome == run.InPart && codes != "" {
		attrs = append(attrs, "warnings", codes)
	}
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
