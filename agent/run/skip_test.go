package run

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/plugins"
)

// Many actions that are skipped for one reason are one warning; each has its
// outcome and the reason in the record all the same.
func TestSkippedForOneReason(t *testing.T) {
	for n, want := range map[int]string{0: "", 1: "outcome=skipped evidence=why", 3: "actions=3 first=S0.LOG evidence=why"} {
		var out bytes.Buffer
		a := &applier{planner: &planner{Order: Order{Log: slog.New(slog.NewTextHandler(&out, nil))}}, results: map[string]plugins.Result{}, place: map[string]int{}, record: &ledger.Target{}}
		var actions []plugins.Action
		for i := range n {
			id := fmt.Sprint(i)
			actions = append(actions, plugins.Action{ID: id, Object: "S" + id + ".LOG"})
			a.place[id] = i
			a.record.Actions = append(a.record.Actions, ledger.Action{ID: id})
		}
		a.skipAll(actions, "why")
		if got := out.String(); strings.Count(got, "\n") != min(n, 1) || !strings.Contains(got, want) {
			t.Errorf("%d: %s", n, got)
		}
		for _, action := range a.record.Actions {
			if action.Outcome != string(plugins.Skipped) || action.Evidence != "why" {
				t.Errorf("%+v", action)
			}
		}
	}
}
