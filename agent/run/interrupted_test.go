package run

import (
	"context"
	"errors"
	"testing"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/plugins"
)

// A run that is ended while a command is under way hears what became of it, and
// does nothing more: what waited for it is skipped.
func TestInterruptedBehindACommand(t *testing.T) {
	s := ready(t)
	ctx, cancel := context.WithCancel(t.Context())
	plugin := newCommander(changeReceiver)
	plugin.first = true
	plugin.says = func(int) (plugins.Result, error) {
		cancel()
		return plugins.Result{State: plugins.Done, Evidence: "attached"}, nil
	}
	s.plugin = plugin
	before := len(s.receivers())
	record, err := Run(ctx, s.order(connect.Apply, "unsaved"))
	if !errors.Is(err, context.Canceled) || record.Run.Outcome != Interrupted {
		t.Errorf("%v, %s", err, record.Run.Outcome)
	}
	for i, a := range record.Targets[0].Actions {
		if want := map[bool]string{true: "done", false: "skipped"}[i == 0]; a.Outcome != want {
			t.Errorf("%s %s is %s, want %s", a.Kind, a.ID, a.Outcome, want)
		}
	}
	if left := len(s.receivers()); left != before+1 {
		t.Errorf("%d of %d left, want one more", left, before)
	}
}

// What was refused was not done: the plugin is not asked, and could say that it
// was.
func TestRefusedIsNotConfirmed(t *testing.T) {
	s := ready(t)
	plugin := newCommander(noSuchJournal)
	plugin.says = func(int) (plugins.Result, error) { return plugins.Result{State: plugins.Done, Evidence: "surely"}, nil }
	s.plugin = plugin
	record := s.run(connect.Apply, "unsaved")
	if got := record.Targets[0].Actions[0]; got.Outcome != "failed" || *plugin.asked != 0 {
		t.Errorf("%s, asked %d times: %s", got.Outcome, *plugin.asked, got.Evidence)
	}
}
