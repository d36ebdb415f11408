package plugintest

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"testing"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/core/transcript"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/schema"
)

// Outcome is all that came of one call.
type Outcome struct {
	Plan   plugins.Plan
	Result plugins.Result // of a confirm or perform
	Err    error

	Questions []observe.Question // that were asked, in order
	Refused   []*observe.Refused // questions that a host would not pass on
	Progress  []Progress
	Records   []slog.Record
}

// Progress is one report of how far the plugin is.
type Progress struct {
	Done, Total int64
	What        string
}

// Open reads a transcript; the test ends when it can't be read.
func Open(tb testing.TB, path string) *transcript.Transcript {
	tb.Helper()
	script, err := transcript.Open(path)
	if err != nil {
		tb.Fatal(err)
	}
	return script
}

// Request makes the request for the only target of a transcript, with the
// settings of a config block in the Go types of [schema.Kind]; nil settings
// are all defaults. The test ends when they do not fit the plugin's schema.
func Request(tb testing.TB, p plugins.Plugin, script *transcript.Transcript, settings map[string]any) plugins.Request {
	tb.Helper()
	config, err := schema.New(p.Describe().Schema, settings)
	if err != nil {
		tb.Fatal(err)
	}
	targets := script.Targets()
	if len(targets) != 1 {
		tb.Fatalf("the transcript has %d targets: choose one, and put it into the request", len(targets))
	}
	return plugins.Request{
		Run: "test", Task: "test/" + p.Describe().Name, Round: 1, Target: targets[0], Config: config,
		Promise: recovery.Promise{Strategy: recovery.Conservative},
	}
}

// Plan makes one plan for the only target of a transcript.
func Plan(tb testing.TB, p plugins.Plugin, script *transcript.Transcript, settings map[string]any) Outcome {
	tb.Helper()
	return Start(tb, p).Plan(tb.Context(), Request(tb, p, script, settings), script.Player())
}

// Plugin is a plugin that was started for a test.
type Plugin struct{ Running }

// Start serves a plugin in memory until the test ends. A call that does not
// end by then fails the test. The stack of a panic is in the test's output.
func Start(tb testing.TB, p plugins.Plugin) Plugin {
	tb.Helper()
	running, err := inMemory{p, outputOf(tb)}.Start(tb.Context(), StartOptions{})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := running.Stop(); err != nil {
			tb.Error(err)
		}
	})
	return Plugin{running}
}

// Plan makes one plan. Its questions go to asker, a transcript's Player for
// one.
func (p Plugin) Plan(ctx context.Context, request plugins.Request, asker observe.Asker) Outcome {
	return watched(asker, func(w *watcher, o *Outcome) { o.Plan, o.Err = p.Running.Plan(ctx, request, w, w.events()) })
}

// Confirm asks whether an action was done.
func (p Plugin) Confirm(ctx context.Context, action plugins.Action, asker observe.Asker) Outcome {
	return watched(asker, func(w *watcher, o *Outcome) { o.Result, o.Err = p.Running.Confirm(ctx, action, w, w.events()) })
}

// Perform has the plugin do its own action. Through do it sends the action's
// command; nil: it has none.
func (p Plugin) Perform(ctx context.Context, action plugins.Action, asker observe.Asker, do Do) Outcome {
	return watched(asker, func(w *watcher, o *Outcome) { o.Result, o.Err = p.Running.Perform(ctx, action, w, do, w.events()) })
}

// watcher hands questions on and notes all that a call says.
type watcher struct {
	asker observe.Asker

	mu      sync.Mutex
	outcome Outcome
}

func watched(asker observe.Asker, do func(*watcher, *Outcome)) Outcome {
	w := &watcher{asker: asker}
	var said Outcome
	do(w, &said)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.outcome.Plan, w.outcome.Result, w.outcome.Err = said.Plan, said.Result, said.Err
	return w.outcome
}

// Ask notes the question and hands it on.
func (w *watcher) Ask(ctx context.Context, q observe.Question) (observe.Answer, error) {
	w.note(func(o *Outcome) { o.Questions = append(o.Questions, q) })
	if w.asker == nil {
		return observe.Answer{}, &observe.NotAnswered{Question: q}
	}
	return w.asker.Ask(ctx, q)
}

// Refused notes a question that was not passed on.
func (w *watcher) Refused(refused *observe.Refused) {
	w.note(func(o *Outcome) { o.Refused = append(o.Refused, refused) })
}

func (w *watcher) note(add func(*Outcome)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	add(&w.outcome)
}

func (w *watcher) events() Events {
	return Events{
		Progress: func(done, total int64, what string) {
			w.note(func(o *Outcome) { o.Progress = append(o.Progress, Progress{done, total, what}) })
		},
		Log: noting{func(r slog.Record) { w.note(func(o *Outcome) { o.Records = append(o.Records, r) }) }},
	}
}

// noting is a handler of every level. What comes over the wire has its
// attributes in the record; there are no groups.
type noting struct{ note func(slog.Record) }

func (noting) Enabled(context.Context, slog.Level) bool { return true }

func (n noting) Handle(_ context.Context, r slog.Record) error {
	n.note(r)
	return nil
}

func (n noting) WithAttrs([]slog.Attr) slog.Handler { return n }
func (n noting) WithGroup(string) slog.Handler      { return n }

// Line shows a record as a test compares it: "WARN late object=A".
func Line(r slog.Record) string {
	line := fmt.Sprintf("%s %s", r.Level, r.Message)
	r.Attrs(func(a slog.Attr) bool {
		line += fmt.Sprintf(" %s=%s", a.Key, a.Value)
		return true
	})
	return line
}
