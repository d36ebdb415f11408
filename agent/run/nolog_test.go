package run

import (
	"context"
	"testing"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

// silent is a plugin that plans for no queue manager's log.
type silent struct{ keeper }

func (silent) Plan(_ context.Context, request plugins.Request, _ observe.Asker, _ func(string)) (plugins.Plan, error) {
	return plugins.Plan{Decision: recovery.Decision{Promise: request.Promise}}, nil
}

// The record of a plan tells whether it speaks of log pieces.
func TestNoLog(t *testing.T) {
	k := newKeepers()
	o := order(t, manyPlugins("a", "b"), k)
	o.Plugins = byName{k, map[string]Plugin{"b": silent{k.keeper}}}
	record, err := Plan(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range record.Targets {
		if target.NoLog != (target.Plugin == "b") {
			t.Errorf("task %s: %v", target.Task, target.NoLog)
		}
	}
}
