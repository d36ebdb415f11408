package run

import (
	"context"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/journal"
)

// The first run on a target is a plan; the second does what it says.
func TestApply(t *testing.T) {
	s := newStation(t, 48)
	s.cl(changeReceiver, recordImages)
	before := s.receivers()
	first := s.run(connect.Apply, "unsaved")
	if !hasFinding(first.Targets[0], finding.FirstRun) || len(s.receivers()) != len(before) {
		t.Fatalf("the first run: %v", first.Targets[0].Findings)
	}
	second := s.run(connect.Apply, "unsaved")
	target := second.Targets[0]
	if second.Run.Outcome != Applied || second.DryRun || len(target.Actions) < 2 {
		t.Fatalf("outcome %s, %v\n%s", second.Run.Outcome, target.Findings, outcomes(target))
	}
	for _, a := range target.Actions {
		if a.Kind != "delete" || a.Outcome != "done" || a.Evidence == "" {
			t.Errorf("%+v", a)
		}
	}
	after := s.receivers()
	if len(after) != len(before)-len(target.Actions) || target.ReadBack == nil || target.ReadBack.Deleted != len(target.Actions) {
		t.Errorf("%d receivers before, %d after, read back %+v", len(before), len(after), target.ReadBack)
	}
	if strings.Join(after, " ") != strings.Join(before[len(target.Actions):], " ") {
		t.Errorf("left are %v of %v", after, before)
	}
	third := s.run(connect.Apply, "unsaved")
	if len(third.Targets[0].Actions) != 0 || third.Run.Outcome != Applied {
		t.Errorf("a third run: %s\n%s", third.Run.Outcome, outcomes(third.Targets[0]))
	}
}

// What is needed by a recovery that the policy does not promise at once is in
// the store before it goes.
func TestApplySavesFirst(t *testing.T) {
	for _, policy := range []string{"conservative", "fast-startup", "aggressive"} {
		t.Run(policy, func(t *testing.T) {
			s := newStation(t, 48)
			s.cl(changeReceiver, recordImages)
			s.advance(12)
			s.run(connect.Plan, policy)
			before := s.receivers()
			record := s.run(connect.Apply, policy)
			target := record.Targets[0]
			if record.Run.Outcome != Applied {
				t.Fatalf("outcome %s, %s, %v\n%s", record.Run.Outcome, target.Error, target.Findings, outcomes(target))
			}
			saved := map[string]bool{}
			for c, err := range s.keeper.List(t.Context(), "ORDERS") {
				s.must(err)
				saved[c.Segment.Name] = c.Verified
			}
			for i, name := range before[:target.ReadBack.Deleted] {
				if !saved[name] {
					t.Errorf("%d: %s went and is not in the store", i, name)
				}
			}
			if target.ReadBack.Deleted == 0 || len(s.receivers()) != len(before)-target.ReadBack.Deleted {
				t.Errorf("%d before, %d after: %+v", len(before), len(s.receivers()), target.ReadBack)
			}
			t.Logf("%s: %+v", policy, *target.ReadBack)
		})
	}
}

// other is a plugin that has nothing to do with the log: what it plans and does
// is its own.
type other struct{ served }

func (other) Describe() plugins.Description {
	d := journal.Plugin{Version: "1"}.Describe()
	d.Actions = []plugins.Kind{plugins.KindCustom}
	return d
}

func (other) Plan(context.Context, plugins.Request, observe.Asker, func(string)) (plugins.Plan, error) {
	return plugins.Plan{Actions: []plugins.Action{{ID: "do", Kind: plugins.KindCustom, QueueManager: "ORDERS", Object: "reports", Reason: "they are old"}}}, nil
}

func (other) Confirms() bool { return false }
func (other) Performs() bool { return true }

func (other) Perform(context.Context, plugins.Action, observe.Asker, func(context.Context, plugins.Command) (observe.Answer, error), func(string)) (plugins.Result, error) {
	return plugins.Result{State: plugins.Done, Evidence: "did it"}, nil
}

// A target is known from its first run on, also where the plugin says nothing of
// its log: the host has seen it.
func TestApplyOfAPluginThatSaysNothingOfTheLog(t *testing.T) {
	s := newStation(t, 2)
	s.plugin = other{}
	first := s.run(connect.Apply, "unsaved").Targets[0]
	if !hasFinding(first, finding.FirstRun) || first.Observed == "" {
		t.Fatalf("the first run, observed at %q: %v", first.Observed, first.Findings)
	}
	second := s.run(connect.Apply, "unsaved").Targets[0]
	if len(second.Actions) != 1 || second.Actions[0].Outcome != "done" || second.Actions[0].Evidence != "did it" {
		t.Errorf("the second run: %v\n%s", second.Findings, outcomes(second))
	}
}
