package run

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mqhk/mqhk/agent/host"
)

// together starts plugins only when so many starts are on their way.
type together struct {
	keeper
	wait    *sync.WaitGroup
	fails   map[string]error
	started *sync.Map // how often, by name
	running *atomic.Int64
}

func newTogether(n int, fails map[string]error) together {
	k := together{keeper: newKeepers().keeper, wait: new(sync.WaitGroup), fails: fails, started: new(sync.Map), running: new(atomic.Int64)}
	k.wait.Add(n)
	return k
}

func (k together) Start(ctx context.Context, name string) (Plugin, error) {
	k.wait.Done()
	all := make(chan struct{})
	go func() { k.wait.Wait(); close(all) }()
	select {
	case <-all:
	case <-time.After(time.Minute):
		return nil, errors.New("the others were not started meanwhile")
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if _, twice := k.started.LoadOrStore(name, true); twice {
		return nil, errors.New("it was started twice")
	}
	if err := k.fails[name]; err != nil {
		return nil, err
	}
	k.running.Add(1)
	return counted{k.keeper, k.running}, nil
}

// counted is a plugin that counts how many run.
type counted struct {
	keeper
	running *atomic.Int64
}

func (c counted) Stop() error { c.running.Add(-1); return nil }

// manyPlugins is a policy with two tasks for each of these plugins.
func manyPlugins(names ...string) string {
	var b strings.Builder
	b.WriteString("policy \"many\" {\n")
	for _, name := range names {
		for n := range 2 {
			fmt.Fprintf(&b, "task %q \"%s-%d\" {\n targets = [\"ibmi/*\"]\n strategy = \"conservative\"\n}\n", name, name, n)
		}
	}
	return b.String() + "}\n"
}

// The plugins of a run are started at the same time, each once, and all are
// ended with it.
func TestPluginsStartTogether(t *testing.T) {
	k := newTogether(3, nil)
	o := order(t, manyPlugins("a", "b", "c"), newKeepers())
	o.Plugins = k
	record, err := Plan(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if len(record.Targets) != 6 || len(record.Run.Plugins) != 3 || k.running.Load() != 0 {
		t.Errorf("%d targets, plugins %v, %d left running", len(record.Targets), record.Run.Plugins, k.running.Load())
	}
}

// What tells that a process is gone, and what does not.
func TestDied(t *testing.T) {
	limit := &host.LimitError{Plugin: "x", What: "bytes"}
	for _, test := range []struct {
		err  error
		want bool
	}{
		{nil, false},
		{&host.CrashError{Plugin: "x"}, true},
		{&PluginError{"x", &host.CrashError{Plugin: "x"}}, true},
		{fmt.Errorf("plugin x: Plan: %w", host.ErrStopped), true},
		{limit, true}, // of its memory: the host has ended it
		{&host.PluginError{Plugin: "x", Call: "Plan", Err: limit}, false},
		{&host.PluginError{Plugin: "x", Call: "Plan", Err: errors.New("no")}, false},
		{&host.DeadlineError{Plugin: "x", Call: "Plan"}, false},
		{context.Canceled, false},
	} {
		if got := died(test.err); got != test.want {
			t.Errorf("%v: %v", test.err, got)
		}
	}
}
