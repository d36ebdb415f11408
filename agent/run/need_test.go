package run

import (
	"slices"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/policies"
)

// extents is the log of a queue manager on Multiplatforms: S0000100.LOG to
// S0000105.LOG of 100 bytes each, MEDIALOG the third, RECLOG the fifth.
func extents() recovery.Inventory {
	inv := recovery.Inventory{QueueManager: "QM1", Ordered: true, Weakest: recovery.FastStartup}
	for i := range 6 {
		inv.Segments = append(inv.Segments, recovery.Segment{
			ID:   recovery.SegmentID{QueueManager: "QM1", Name: observe.ExtentName(100 + i)},
			From: recovery.Position(i + 1), To: recovery.Position(i + 1), Bytes: 100, State: recovery.Online,
		})
	}
	inv.Segments[5].State = recovery.Current
	inv.Needs = []recovery.Need{{Kind: recovery.Restart, From: 5, Source: "RECLOG"}, {Kind: recovery.Media, From: 3, Source: "MEDIALOG"}}
	return inv
}

// roomOf asks for room on the log of extents.
func roomOf(need int64, change func(*planner, *job, *jobPlan)) ledger.Target {
	r := newPlanner(Order{Need: need, Gate: connect.New(connect.Plan, nil)})
	j := job{target: observe.Target{Name: "QM1", Platform: observe.Multiplatforms}, policy: policies.Policy{Name: "site"},
		task: policies.Task{Name: "extents", Store: "vault"}}
	j.request.Promise = recovery.Promise{Strategy: recovery.Conservative, Unsaved: recovery.DeleteUnsaved}
	p := jobPlan{seen: look{inventories: []recovery.Inventory{extents()}}}
	r.Stores = map[string]connect.Store{"vault": {Kind: "directory"}}
	if change != nil {
		change(r, &j, &p)
	}
	r.room(j, &p)
	return p.record
}

func TestRoom(t *testing.T) {
	tests := []struct {
		name    string
		need    int64
		change  func(*planner, *job, *jobPlan)
		steps   string // cost:first-last, and + where something is missing
		missing string // in the first step that lacks something
		blocked string
		met     bool
	}{
		{name: "the policy is enough", need: 200, steps: "nothing:100-101 rebuild:102-103", met: true},
		{name: "nobody asked"},
		{name: "more than there is", need: 401, steps: "nothing:100-101 rebuild:102-103"},
		{name: "no store", need: 300, change: func(_ *planner, j *job, _ *jobPlan) { j.task.Store = "" },
			steps: "nothing:100-101 rebuild:102-103+", missing: "names no store", met: true},
		{name: "a store that nobody configured", need: 300, change: func(r *planner, _ *job, _ *jobPlan) { r.Stores = nil },
			steps: "nothing:100-101 rebuild:102-103+", missing: "not configured", met: true},
		{name: "a store on the same disk", need: 300, change: func(r *planner, _ *job, _ *jobPlan) {
			r.Stores["vault"] = connect.Store{Kind: "directory", Disk: true}
		}, steps: "nothing:100-101 rebuild:102-103+", missing: "file system of the log", met: true},
		{name: "the site saves", need: 300, change: func(r *planner, _ *job, _ *jobPlan) { r.Stores["vault"] = connect.Store{Kind: externalStore} },
			steps: "nothing:100-101 rebuild:102-103+", missing: "the site saves them first", met: true},
		{name: "another policy binds too", need: 300, change: func(r *planner, _ *job, _ *jobPlan) {
			r.Binds = func(observe.Target) []Binding {
				return []Binding{{"nightly", recovery.Promise{Strategy: recovery.Conservative, Unsaved: recovery.DeleteUnsaved}}}
			}
		}, steps: "nothing:100-101 rebuild:102-103+", missing: "policy nightly, which applies on this target too, keeps 2 of them", met: true},
		{name: "a limit is no fact", need: 100, change: func(_ *planner, j *job, p *jobPlan) {
			j.request.Promise.MaxPercent = 10
			p.record.Findings = []finding.Finding{finding.New(finding.TooMuchAtOnce, "QM1: 2 of 6")}
		}, steps: "limits:100-101 rebuild:102-103", met: true},
		{name: "a critical finding of the plan", need: 100, change: func(_ *planner, _ *job, p *jobPlan) {
			p.record.Findings = []finding.Finding{finding.New(finding.PinnedByQueue, "QM1: Q1"), finding.New(finding.DirectoryNotProven, "QM1: no amqhlctl.lfh")}
		}, blocked: "QM1: no amqhlctl.lfh"},
		{name: "the second key says no", need: 100, change: func(_ *planner, _ *job, p *jobPlan) {
			p.blocked = true
			p.record.Findings = []finding.Finding{finding.New(finding.OtherPolicyKeeps, "policy nightly keeps S0000100.LOG")}
		}, blocked: "policy nightly keeps"},
		{name: "what is not known", need: 100, change: func(_ *planner, _ *job, p *jobPlan) {
			p.seen.inventories[0].Open = []finding.Finding{finding.New(finding.NotAnswered, "QM1: nobody answered")}
		}, blocked: "nothing goes: QM1: nobody answered"},
		{name: "nobody can look there", need: 100, change: func(_ *planner, j *job, p *jobPlan) {
			j.target.Platform, p.seen.inventories = observe.ZOS, nil
		}, blocked: "on zos nobody can tell"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			record := roomOf(test.need, test.change)
			if test.need == 0 {
				if record.Need != nil || len(record.Findings) > 0 {
					t.Errorf("%+v", record)
				}
				return
			}
			got := record.Need
			if steps := stepsOf(*got); steps != test.steps {
				t.Errorf("steps %s, want %s", steps, test.steps)
			}
			if !strings.HasPrefix(got.Blocked, test.blocked) || (got.Blocked == "") != (test.blocked == "") || got.Met != test.met {
				t.Errorf("blocked %q, met %t", got.Blocked, got.Met)
			}
			for _, s := range got.Steps {
				if len(s.Missing) > 0 && !strings.Contains(strings.Join(s.Missing, "; "), test.missing) {
					t.Errorf("missing %q, want %q", s.Missing, test.missing)
				}
			}
			warned := slices.ContainsFunc(record.Findings, func(f finding.Finding) bool { return f.Code == finding.NeedNotMet })
			if warned == test.met || !slices.IsSortedFunc(record.Findings, func(a, b finding.Finding) int { return int(b.Severity) - int(a.Severity) }) && test.name != "a critical finding of the plan" {
				t.Errorf("%+v", record.Findings)
			}
		})
	}
}

func stepsOf(need ledger.Need) string {
	var list []string
	for _, s := range need.Steps {
		text := s.Cost + ":" + strings.Trim(s.First, "S0.LOG") + "-" + strings.Trim(s.Last, "S0.LOG")
		if len(s.Missing) > 0 {
			text += "+"
		}
		list = append(list, strings.ReplaceAll(text, ":1-", ":100-"))
	}
	return strings.Join(list, " ")
}

// What keeps the rest, and what a person can do about it.
func TestRoomRest(t *testing.T) {
	of := func(change func(*recovery.Inventory)) map[string]ledger.NeedRest {
		record := roomOf(1000, func(_ *planner, _ *job, p *jobPlan) {
			p.record.Findings = []finding.Finding{finding.New(finding.PinnedByQueue, "QM1: the media point stays for Q1")}
			change(&p.seen.inventories[0])
		})
		if !slices.Equal(record.Need.Hints, []string{"QM1: the media point stays for Q1"}) {
			t.Errorf("hints %q", record.Need.Hints)
		}
		rest := make(map[string]ledger.NeedRest)
		for _, r := range record.Need.Rest {
			rest[r.Reason] = r
		}
		return rest
	}
	for _, test := range []struct {
		change       func(*recovery.Inventory)
		reason, hint string
		segments     int
	}{
		{func(*recovery.Inventory) {}, "needed-restart", "UOWLOG", 1},
		{func(*recovery.Inventory) {}, "current", "", 1},
		{func(inv *recovery.Inventory) {
			inv.Needs = append(inv.Needs, recovery.Need{Kind: recovery.Hold, From: 1, Source: "hold 7 case 4711"})
		}, "on-hold", "mqhk hold lift", 4},
		{func(inv *recovery.Inventory) { inv.Remover = recovery.ByManager }, "queue-manager-removes", "", 2},
		{func(inv *recovery.Inventory) { inv.Remover = recovery.ByManager }, "needed-media", "rcdmqimg", 2},
		{func(inv *recovery.Inventory) { inv.Remover = recovery.OnceReported }, "not-archived", "SET LOG ARCHIVED", 0},
		{func(inv *recovery.Inventory) {
			inv.Needs = append(inv.Needs, recovery.Need{Kind: recovery.Replay, From: 2, Source: "note 9"})
		}, "needed-replay", "mqhk note replayed", 3},
	} {
		got, ok := of(test.change)[test.reason]
		if !ok || !strings.Contains(got.Hint, test.hint) && test.segments > 0 || (test.hint == "") != (got.Hint == "") || test.segments > 0 && got.Segments != test.segments {
			t.Errorf("%s: %+v", test.reason, got)
		}
	}
}

// Files that are kept for reuse stay; the queue manager gives them back, where
// it manages them.
func TestRoomReuse(t *testing.T) {
	for _, remover := range []recovery.Remover{recovery.ByHousekeeper, recovery.ByManager, recovery.OnceReported} {
		record := roomOf(1000, func(_ *planner, _ *job, p *jobPlan) {
			p.seen.inventories[0].Remover = remover
			p.seen.reuse = []observe.Extent{{Name: "R0000007.LOG", Bytes: 100}, {Name: "R0000009.LOG", Bytes: 100}}
		})
		got := record.Need.Rest[0]
		if got.Reason != "reuse" || got.First != "R0000007.LOG" || got.Last != "R0000009.LOG" || got.Segments != 2 || got.Bytes != 200 {
			t.Errorf("%+v", got)
		}
		if strings.Contains(got.Hint, "RESET QMGR TYPE(REDUCELOG)") != (remover != recovery.ByHousekeeper) {
			t.Errorf("removed by %d: %q", remover, got.Hint)
		}
	}
}

// What carries a step out is the run of the policy, after no more than what
// the step gives up was changed in it.
func TestCarryOut(t *testing.T) {
	j := job{target: observe.Target{Name: "QM1", Platform: observe.Multiplatforms}, policy: policies.Policy{Name: "site"},
		task: policies.Task{Name: "extents"}, request: plugins.Request{Promise: recovery.Promise{Strategy: recovery.Conservative, Margin: 3, MinAge: 1, KeepNewest: 2, MaxDeletes: 5, MaxPercent: 50}}}
	if got, want := carryOut(j, j.request.Promise), "mqhk run --policy site --target multiplatforms/QM1 --apply"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	weak := recovery.Promise{Strategy: recovery.FastStartup, Unsaved: recovery.SaveUnsaved}
	want := `write strategy = "fast-startup", no max_deletes in limits, no max_percent in limits, min_age = "0s", keep_newest = 0, margin = 0, unsaved = "save" in task "extents" of policy site; ` +
		"then mqhk run --policy site --target multiplatforms/QM1 --apply"
	if got := carryOut(j, weak); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	j.policy.Bundled = true
	if got := carryOut(j, weak); !strings.Contains(got, "mqhk policy show --source site") {
		t.Error(got)
	}
	for cost := recovery.CostNothing; cost <= recovery.CostRestart; cost++ {
		if costWhy(cost) == "" {
			t.Errorf("nobody says what %s gives up", cost)
		}
	}
}

// Of several queue managers the worst counts, for each recovery by itself.
func TestWorst(t *testing.T) {
	ready := func(restart, rebuild recovery.Readiness) recovery.Outlook {
		return recovery.Outlook{Restart: recovery.Recovery{Ready: restart}, Rebuild: recovery.Recovery{Ready: rebuild}}
	}
	got := worst([]recovery.Outlook{ready(recovery.AtOnce, recovery.RestoreFirst), ready(recovery.RestoreFirst, recovery.AtOnce), ready(recovery.AtOnce, recovery.ReadinessUnknown)})
	if got.Restart.Ready != recovery.RestoreFirst || got.Rebuild.Ready != recovery.ReadinessUnknown {
		t.Errorf("%+v", got)
	}
}
