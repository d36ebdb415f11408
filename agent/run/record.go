package run

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/policies"
)

// blank gives what is known of a job before it is planned.
func (r *planner) blank(j job) ledger.Target {
	return ledger.Target{
		Name: j.target.Name, Platform: string(j.target.Platform),
		Policy: j.policy.Name, PolicyDigest: policies.Digest(j.policy), Task: j.task.Name,
		Plugin: j.task.Plugin, Strategy: j.task.Strategy.String(), Allow: j.task.OwnAllow().Words(),
		Recovery: ledger.Recovery{Needs: []ledger.Point{}, Promise: promise(j.task.Strategy), Outlook: unknownOutlook()},
		Segments: []ledger.Segment{}, Objects: []ledger.Object{}, Actions: []ledger.Action{},
		Findings: []finding.Finding{}, Unanswered: []string{}, Pictures: []ledger.Picture{},
	}
}

func unknownOutlook() ledger.Outlook {
	return outlookOf(recovery.Outlook{})
}

// failed records a job that could not be planned.
func (r *planner) failed(j job, err error) ledger.Target {
	t := r.blank(j)
	t.Error, t.Failure = err.Error(), failureOf(err)
	if held := new(ledger.Held); errors.As(err, &held) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.busyUntil[t.Name] = held.Until.UTC().Format(time.RFC3339)
	}
	return t
}

// record writes down a plan.
func (r *planner) record(j job, plan plugins.Plan, unanswered []string) ledger.Target {
	t := r.blank(j)
	t.Unanswered = append(t.Unanswered, unanswered...)
	t.NoLog = len(plan.Decision.Managers) == 0
	for _, manager := range plan.Decision.Managers {
		recordManager(&t, manager)
	}
	for _, o := range plan.Objects {
		t.Objects = append(t.Objects, ledger.Object(o))
	}
	for _, p := range plan.Pictures {
		t.Pictures = append(t.Pictures, drawing(p))
	}
	t.Findings = r.findings(j, plan)
	t.Actions = r.actions(j, plan)
	if r.storeless(j, plan) {
		t.Totals.Waiting, t.Totals.BytesWaiting = waiting(plan)
	}
	return t
}

func recordManager(t *ledger.Target, manager recovery.ManagerDecision) {
	inv := manager.Inventory
	if !inv.Observed.IsZero() {
		t.Observed = inv.Observed.Format(time.RFC3339)
	}
	for i, s := range inv.Segments {
		v := manager.Verdicts[i]
		t.Segments = append(t.Segments, ledger.Segment{
			Name: s.ID.Name, Library: s.ID.Library, QueueManager: s.ID.QueueManager,
			Verdict: v.Kind.String(), Reason: v.Reason, Why: v.Why,
			Bytes: s.Bytes, State: s.State.String(), Opened: s.Opened,
		})
		count(&t.Totals, s, v)
	}
	for _, need := range inv.Needs {
		point := ledger.Point{Kind: need.Kind.String(), QueueManager: inv.QueueManager, Segment: need.Name, Position: need.Entry, Source: need.Source}
		t.Recovery.Needs = append(t.Recovery.Needs, point)
	}
	t.Recovery.Restart = cmp.Or(t.Recovery.Restart, oldestPoint(inv, recovery.Restart))
	t.Recovery.Media = cmp.Or(t.Recovery.Media, oldestPoint(inv, recovery.Media))
	t.Recovery.Outlook = outlookOf(manager.Outlook)
	if picture, ok := timeline(manager); ok {
		t.Pictures = append(t.Pictures, picture)
	}
}

// oldestPoint gives the oldest recovery point of a kind; nil when none is
// known.
func oldestPoint(inv recovery.Inventory, kind recovery.NeedKind) *ledger.Point {
	var oldest *recovery.Need
	for i := range inv.Needs {
		if n := &inv.Needs[i]; n.Kind == kind && (oldest == nil || n.From < oldest.From) {
			oldest = n
		}
	}
	if oldest == nil {
		return nil
	}
	return &ledger.Point{Kind: kind.String(), QueueManager: inv.QueueManager, Segment: oldest.Name, Position: oldest.Entry, Source: oldest.Source}
}

func promise(s recovery.Strategy) ledger.Promise {
	promised := s.Promised()
	return ledger.Promise{
		Restart:       promised.Restart.Ready.String(),
		Rebuild:       promised.Rebuild.Ready.String(),
		StartUpDamage: promised.StartUpDamage.Ready.String(),
	}
}

func outlookOf(o recovery.Outlook) ledger.Outlook {
	return ledger.Outlook{Restart: readiness(o.Restart), Rebuild: readiness(o.Rebuild), StartUpDamage: readiness(o.StartUpDamage)}
}

func readiness(r recovery.Recovery) ledger.Readiness {
	return ledger.Readiness{
		Ready: r.Ready.String(), Needs: r.Needs, OnSystem: r.OnSystem, InStore: r.InStore,
		Missing: r.Missing, First: r.First, Last: r.Last,
	}
}

// count adds one segment to the totals.
func count(t *ledger.Totals, s recovery.Segment, v recovery.Verdict) {
	if s.State != recovery.Absent {
		t.Segments++
	}
	switch v.Kind {
	case recovery.Delete:
		t.Delete++
	case recovery.ArchiveDelete:
		t.Delete++
		t.Archive++
	case recovery.Archive:
		t.Archive++
	case recovery.HoldBack:
		t.Hold++
	case recovery.Archived:
		t.Archived++
	case recovery.Lost:
		t.Lost++
	default:
		t.Keep++
	}
	if v.Kind.Goes() {
		t.BytesFreed += s.Bytes
	} else {
		t.BytesKept += s.Bytes
	}
}

// findings gives all findings of a plan, the worst first, each once. Those of
// the facts stand before those that follow from them.
func (r *planner) findings(j job, plan plugins.Plan) []finding.Finding {
	found := append(slices.Clone(plan.Findings), plan.Decision.Findings...)
	if slices.ContainsFunc(plan.Actions, func(a plugins.Action) bool { return a.Kind == plugins.KindArchive }) {
		found = append(found, r.storeFindings(j, r.logHere(j, plan))...)
	}
	slices.SortStableFunc(found, func(a, b finding.Finding) int { return int(b.Severity) - int(a.Severity) })
	kept := []finding.Finding{}
	for _, f := range found {
		if !slices.Contains(kept, f) {
			kept = append(kept, f)
		}
	}
	return kept
}

// actions writes down the steps with the statements that carry them out.
func (r *planner) actions(j job, plan plugins.Plan) []ledger.Action {
	unsaved := unsavedSegments(plan)
	list := make([]ledger.Action, 0, len(plan.Actions))
	for _, a := range plan.Actions {
		step := ledger.Action{
			ID: a.ID, Kind: string(a.Kind), Object: a.Object, QueueManager: a.QueueManager,
			After: append([]string{}, a.After...), Reason: a.Reason, Outcome: string(plugins.Planned),
		}
		commands, err := connect.Statements(j.target, a, unsaved[a.Segment], r.Stores[a.Store])
		if err != nil {
			step.Evidence = err.Error() // [refusals] says so too
		}
		for i, c := range commands {
			step.Language = string(c.Language)
			if i < len(commands)-1 {
				step.Prepare = append(step.Prepare, c.Text)
				continue
			}
			step.Command = c.Text
		}
		list = append(list, step)
	}
	return list
}

// unsavedSegments gives the segments that would go and were never saved as the
// system knows it: a copy of mqhk's leaves their status as it is.
func unsavedSegments(plan plugins.Plan) map[recovery.SegmentID]bool {
	unsaved := make(map[recovery.SegmentID]bool)
	for _, manager := range plan.Decision.Managers {
		for i, s := range manager.Inventory.Segments {
			if manager.Verdicts[i].Kind.Goes() && neverSaved(s) {
				unsaved[s.ID] = true
			}
		}
	}
	return unsaved
}

// finish adds up the totals and says how the run ended, the worst first.
func finish(record *ledger.Record) {
	worst := map[string]int{LeftAlone: 0, Planned: 1, Applied: 1, InPart: 2, Failed: 3}
	record.Run.Outcome = LeftAlone
	for _, t := range record.Targets {
		add(&record.Totals, t.Totals)
		if outcome := outcomeOf(t, record.DryRun); worst[outcome] > worst[record.Run.Outcome] {
			record.Run.Outcome = outcome
		}
	}
}

func add(sum *ledger.Totals, t ledger.Totals) {
	sum.Segments += t.Segments
	sum.Delete += t.Delete
	sum.Archive += t.Archive
	sum.Keep += t.Keep
	sum.Hold += t.Hold
	sum.Archived += t.Archived
	sum.Lost += t.Lost
	sum.BytesFreed += t.BytesFreed
	sum.BytesKept += t.BytesKept
	sum.Waiting += t.Waiting
	sum.BytesWaiting += t.BytesWaiting
}
