package run

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/ledger"
)

// keepPlan plans and puts the plan into a file and out again.
func (s *station) keepPlan(policy string) Kept {
	s.t.Helper()
	_, kept, err := PlanToKeep(s.t.Context(), s.order(connect.Plan, policy))
	s.must(err)
	file := filepath.Join(s.t.TempDir(), "plan.json")
	s.must(WriteKept(file, kept))
	read, err := ReadKept(file)
	s.must(err)
	return read
}

func (s *station) runKept(mode connect.Mode, policy string, k Kept) (ledger.Record, error) {
	s.t.Helper()
	order := s.order(mode, policy)
	order.Kept = &k
	return Run(s.t.Context(), order)
}

// A kept plan does its own actions and no others, also when more could go by
// then; and it runs once.
func TestKeptPlanRunsOnce(t *testing.T) {
	s := ready(t)
	kept := s.keepPlan("unsaved")
	s.advance(12)
	s.cl(changeReceiver, recordImages) // marks only moved forward
	before := s.receivers()
	if record, err := s.runKept(connect.Plan, "unsaved", kept); err != nil || !record.DryRun || len(s.receivers()) != len(before) {
		t.Fatalf("a look at it: %v", err)
	}
	record, err := s.runKept(connect.Apply, "unsaved", kept)
	if err != nil {
		t.Fatal(err)
	}
	target := record.Targets[0]
	if record.Run.Outcome != Applied || record.Run.Plan != kept.ID || len(target.Actions) != len(kept.Tasks[0].Actions) {
		t.Errorf("%s: %d actions of %d, %v %s", record.Run.Outcome, len(target.Actions), len(kept.Tasks[0].Actions), target.Findings, target.Error)
	}
	if after := s.receivers(); strings.Join(after, " ") != strings.Join(before[len(kept.Tasks[0].Actions):], " ") {
		t.Errorf("left %v of %v", after, before)
	}
	if _, err := s.runKept(connect.Apply, "unsaved", kept); !errors.Is(err, ledger.ErrTaken) {
		t.Errorf("a second time: %v", err)
	}
	// What it left may go by a run of its own.
	if record := s.run(connect.Apply, "unsaved"); record.Targets[0].ReadBack == nil || record.Targets[0].ReadBack.Deleted == 0 {
		t.Errorf("afterwards: %s", inOrder(record))
	}
}

// A kept plan is refused for each of the listed reasons, and nothing is done.
func TestKeptPlanIsRefused(t *testing.T) {
	tests := []struct {
		name   string
		reason PlanReason
		change func(s *station, k *Kept)
		policy string
	}{
		{"too old", PlanTooOld, func(s *station, _ *Kept) { s.now = func() time.Time { return time.Now().Add(25 * time.Hour) } }, "unsaved"},
		{"of the future", PlanTooOld, func(s *station, _ *Kept) { s.now = func() time.Time { return time.Now().Add(-time.Hour) } }, "unsaved"},
		{"another policy", PolicyDiffers, func(s *station, _ *Kept) {
			s.text = strings.Replace(s.text, `unsaved  = "delete"`, "unsaved  = \"delete\"\n    margin   = 1", 1)
		}, "unsaved"},
		{"another plugin", PluginDiffers, func(s *station, _ *Kept) { s.plugin = otherFile{served{}} }, "unsaved"},
		{"no such task", TargetUnknown, func(*station, *Kept) {}, "conservative"},
		{"a segment vanished", SegmentVanished, func(s *station, k *Kept) {
			s.cl("DLTJRNRCV JRNRCV(QMORDERS/" + k.Tasks[0].Actions[0].Segment.Name + ") DLTOPT(*IGNINQMSG)")
		}, "unsaved"},
		{"a segment changed", SegmentChanged, func(s *station, k *Kept) { // it was another of its name
			k.Tasks[0].Actions[0].Fingerprint = "attached 2026-05-01"
			changed, err := KeepPlan(k.Made, k.Host, k.Tasks)
			s.must(err)
			*k = changed
		}, "unsaved"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := ready(t)
			kept := s.keepPlan("unsaved")
			test.change(s, &kept)
			before := s.receivers()
			record, err := s.runKept(connect.Apply, test.policy, kept)
			said := err
			if err == nil {
				said = errors.New(record.Targets[0].Error)
			}
			if !errors.Is(err, test.reason) && !strings.Contains(said.Error(), string(test.reason)) {
				t.Errorf("got %v, want %s", said, test.reason)
			}
			if len(s.receivers()) != len(before) {
				t.Error("something was deleted")
			}
			if taken, err := s.ledger.Taken(t.Context(), kept.ID); err != nil || taken {
				t.Errorf("a plan that was refused is used up: %v", err)
			}
		})
	}
}

type otherFile struct{ served }

func (otherFile) SHA256() string { return "ff" }
