package run

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/host"
	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
)

// byPlugin gives what became of the tasks of each plugin: "done", or the error.
func byPlugin(record ledger.Record) map[string][]string {
	said := make(map[string][]string)
	for _, t := range record.Targets {
		word := "planned"
		if t.Error != "" {
			word = t.Failure + ": " + t.Error
		}
		said[t.Plugin] = append(said[t.Plugin], word)
	}
	return said
}

// Case 72: plugins that can't be started fail their own tasks, each with its
// reason; those of the others are planned.
func TestPluginsThatCantBeStarted(t *testing.T) {
	k := newTogether(4, map[string]error{"b": errors.New("it printed \"loading\""), "d": errors.New("it is not locked")})
	o := order(t, manyPlugins("a", "b", "c", "d"), newKeepers())
	o.Plugins = k
	record, err := Plan(t.Context(), o)
	if err != nil || k.running.Load() != 0 || len(record.Run.Plugins) != 2 || record.Run.Outcome != Failed {
		t.Fatalf("error %v, %d left running, plugins %v, outcome %s", err, k.running.Load(), record.Run.Plugins, record.Run.Outcome)
	}
	said := byPlugin(record)
	for name, want := range map[string]string{
		"a": "planned", "b": `plugin: plugin b: it printed "loading"`, "c": "planned", "d": "plugin: plugin d: it is not locked",
	} {
		if got := said[name]; len(got) != 2 || got[0] != want || got[1] != want {
			t.Errorf("plugin %s: %q, want twice %q", name, got, want)
		}
	}
}

// Where none can be started the run has nothing to do: the error tells of each,
// the record too, and no target is asked.
func TestNoPluginCanBeStarted(t *testing.T) {
	k := newTogether(2, map[string]error{"b": errors.New("no such file"), "d": errors.New("it is not locked")})
	o := order(t, manyPlugins("b", "d"), newKeepers())
	o.Plugins = k
	record, err := Plan(t.Context(), o)
	if !errors.As(err, new(*PluginError)) || err.Error() != "plugin b: no such file\nplugin d: it is not locked" {
		t.Errorf("error %v", err)
	}
	if len(record.Targets) != 4 || k.asked.Load() != 0 {
		t.Errorf("%d targets, %d questions", len(record.Targets), k.asked.Load())
	}
}

// fickle is a plugin whose calls fail as they are told.
type fickle struct {
	keeper
	check, plan func() error
}

func (f fickle) Check(ctx context.Context, request plugins.Request) ([]plugins.Complaint, error) {
	if f.check != nil {
		return nil, f.check()
	}
	return f.keeper.Check(ctx, request)
}

func (f fickle) Plan(ctx context.Context, request plugins.Request, asker observe.Asker, progress func(string)) (plugins.Plan, error) {
	if f.plan != nil {
		return plugins.Plan{}, f.plan()
	}
	return f.keeper.Plan(ctx, request, asker, progress)
}

// byName starts a plugin of its own for some names, and a keeper for the others.
type byName struct {
	keepers
	plugins map[string]Plugin
}

func (n byName) Start(ctx context.Context, name string) (Plugin, error) {
	if p, ok := n.plugins[name]; ok {
		return p, nil
	}
	return n.keepers.Start(ctx, name)
}

// The check of a configuration that fails is the failure of that plugin alone.
func TestCheckThatFails(t *testing.T) {
	for name, failure := range map[string]error{
		"said":  &host.PluginError{Plugin: "b", Call: "Check", Err: errors.New("no")},
		"died":  &host.CrashError{Plugin: "b", Call: "Check", Exit: "exit status 2"},
		"hangs": &host.DeadlineError{Plugin: "b", Call: "Check", After: time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			k := newKeepers()
			o := order(t, manyPlugins("a", "b"), k)
			o.Plugins = byName{k, map[string]Plugin{"b": fickle{keeper: k.keeper, check: func() error { return failure }}}}
			record, err := Plan(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			said := byPlugin(record)
			if want := fmt.Sprintf("plugin: plugin b: %v", failure); said["a"][1] != "planned" || said["b"][0] != want || said["b"][1] != want {
				t.Errorf("%q, want %q", said, want)
			}
		})
	}
}

// A plugin that hangs is waited for twice in a run. Its other tasks are not
// tried, and say why; those of others are planned.
func TestPluginThatHangs(t *testing.T) {
	for _, call := range []string{"Check", "Plan"} {
		t.Run(call, func(t *testing.T) {
			var calls atomic.Int64
			hang := func() error {
				calls.Add(1)
				return &host.DeadlineError{Plugin: "b", Call: call, After: time.Minute}
			}
			k := newKeepers()
			slow := fickle{keeper: k.keeper, plan: hang}
			if call == "Check" {
				slow.check = hang
			}
			text := manyPlugins("a", "b") + strings.Replace(manyPlugins("b"), `"many"`, `"more"`, 1)
			o := order(t, text, k)
			o.Plugins = byName{k, map[string]Plugin{"b": slow}}
			record, err := Plan(t.Context(), o)
			if err != nil || calls.Load() != 2 {
				t.Fatalf("error %v, %d calls, want 2", err, calls.Load())
			}
			said := byPlugin(record)
			if len(said["a"]) != 2 || said["a"][1] != "planned" || len(said["b"]) != 4 {
				t.Fatalf("%q", said)
			}
			for i, got := range said["b"] {
				want := "plugin: plugin b: plugin b: " + call + " did not end within 1m0s"
				if i > 1 {
					want = "plugin: plugin b: not tried on this target: in this run it did not answer in time 2 times"
				}
				if got != want {
					t.Errorf("task %d: %s, want %s", i, got, want)
				}
			}
		})
	}
}

// locked starts the journal plugin, and nothing else.
type locked struct{ inProcess }

func (l locked) Start(ctx context.Context, name string) (Plugin, error) {
	if name != "journal" {
		return nil, errors.New("it is not locked")
	}
	return l.inProcess.Start(ctx, name)
}

// An apply does what the plugins plan that there are. What could not be tried is
// in the ledger with its reason, and its firing can be claimed again.
func TestApplyBesideAPluginThatCantBeStarted(t *testing.T) {
	s := ready(t)
	s.text += strings.ReplaceAll(manyPlugins("stranger"), `policy "many"`, `policy "others"`)
	order := s.order(connect.Apply, "unsaved")
	order.Policies = append(order.Policies, s.order(connect.Apply, "others").Policies...)
	order.Plugins, order.Key = locked{}, "2026-06-02T02:00:00+02:00"
	record, err := Run(t.Context(), order)
	s.must(err)
	said := byPlugin(record)
	if !strings.Contains(outcomes(record.Targets[0]), " done\n") || said["journal"][0] != "planned" {
		t.Errorf("the journal plugin: %q\n%s", said, outcomes(record.Targets[0]))
	}
	kept, err := s.ledger.Run(t.Context(), record.Run.ID)
	s.must(err)
	if got := byPlugin(kept)["stranger"]; len(got) != 2 || got[1] != "plugin: plugin stranger: it is not locked" {
		t.Errorf("in the ledger: %q", got)
	}
	order.ID, order.Plugins = order.ID+"-again", inProcess{}
	record, err = Run(t.Context(), order)
	s.must(err)
	if len(record.Run.Skipped) != 1 || !record.Run.Skipped[0].Fired || len(record.Targets) != 2 {
		t.Errorf("once more: skipped %+v, %q", record.Run.Skipped, byPlugin(record))
	}
}
