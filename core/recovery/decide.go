package recovery

import (
	"slices"

	"github.com/mqhk/mqhk/core/finding"
)

// Decide gives every segment of every inventory a verdict with its reason.
//
// It keeps, for each queue manager, everything from the oldest need that the
// strategy must find on the system: under Conservative every need, under
// FastStartup every need but the media point, under Aggressive holds only;
// what a kept backup would be rolled forward with may be in a store under each.
// What is older goes, oldest first, except where the promise or the segment
// itself says otherwise; what another recovery still needs goes only once a
// verified copy exists. If anything leaves no bound, or a needed segment is
// nowhere, nothing goes. Nor does it where the queue manager removes the
// pieces itself ([Remover]), or where the promise is weaker than the platform
// bears ([Inventory]).
//
// The inventories are shared with the result and not changed.
func Decide(inventories []Inventory, promise Promise) Decision {
	decision := Decision{Promise: promise, Managers: make([]ManagerDecision, len(inventories))}
	for i, inventory := range inventories {
		d := newDecider(inventory, promise)
		d.decide()
		decision.Managers[i] = ManagerDecision{
			Inventory: inventory,
			Verdicts:  d.verdicts,
			Outlook:   d.outlook(),
		}
		if d.blocked == nil {
			decision.Managers[i].Cut = max(d.cut, 0)
		}
		decision.Findings = append(decision.Findings, d.findings...)
	}
	return decision
}

// decider holds what is worked out on the way to the verdicts of one queue
// manager.
type decider struct {
	Inventory
	promise Promise
	copies  map[SegmentID]Copy // verified ones only

	current int // index of the segment being written; -1: none, or not certain
	cut     int // index of the oldest segment that must stay; -1: something older than all that is known
	// promised is the index of the oldest segment that the strategy promises a
	// recovery to find: the cut without holds, which keep what is there and
	// demand nothing that is not.
	promised int
	needed   int // index of the oldest segment that any recovery reads; -1 likewise

	blocked   *Verdict // what every segment gets that would go, when nothing may
	unlearned bool     // something could not be learned; what follows from it is no news

	verdicts []Verdict
	findings []finding.Finding
}

func newDecider(inventory Inventory, promise Promise) *decider {
	d := &decider{
		Inventory: inventory,
		promise:   promise,
		copies:    make(map[SegmentID]Copy, len(inventory.Copies)),
		verdicts:  make([]Verdict, len(inventory.Segments)),
	}
	for _, c := range inventory.Copies {
		if c.Verified {
			d.copies[c.Segment] = c
		}
	}
	return d
}

func (d *decider) decide() {
	for _, f := range d.Open {
		if f.Severity == finding.Critical {
			d.block(f)
			d.unlearned = true
		}
	}
	if d.notPruned() {
		return
	}
	d.findCurrent()
	d.checkTrust()
	d.findBounds()
	d.checkNeeded()
	d.keepNeeded()
	d.judgeCandidates()
	d.leaveToManager()
	d.onlyReport()
	d.applyLimits()
	d.report()
}

// notPruned tells whether the log is circular: it has no segment that could go,
// and no recovery point that somebody would miss.
func (d *decider) notPruned() bool {
	return len(d.Segments) == 0 && len(d.Needs) == 0 &&
		slices.ContainsFunc(d.Open, func(f finding.Finding) bool { return f.Code == finding.LogNotPruned })
}

// block makes every segment stay that would have gone. The first reason is
// the one that is shown.
func (d *decider) block(f finding.Finding) {
	if d.blocked == nil {
		d.blocked = &Verdict{HoldBack, string(f.Code), "nothing goes: " + f.Text}
	}
}

// fail blocks and reports: the facts leave no bound. What only follows from
// something that could not be learned is not reported: its remedy would lead
// away from the cause.
func (d *decider) fail(code finding.Code, format string, args ...any) {
	f := finding.New(code, format, args...)
	if follows := code == finding.AttachedUnknown || code == finding.MarkMissing; !d.unlearned || !follows {
		d.findings = append(d.findings, f)
	}
	d.block(f)
}

// findCurrent finds the segment that is being written. It must be exactly
// one and the newest of all that hold entries (reference, IBM i 4.4 step 3).
func (d *decider) findCurrent() {
	d.current = -1
	for i, s := range d.Segments {
		switch {
		case s.State == Current && d.current >= 0:
			d.fail(finding.AttachedUnknown, "%s: both %s and %s are being written", d.QueueManager, d.Segments[d.current].ID, s.ID)
			return
		case s.State == Current:
			d.current = i
		case d.current >= 0 && s.holdsEntries():
			d.fail(finding.AttachedUnknown, "%s: %s is being written but %s is newer", d.QueueManager, d.Segments[d.current].ID, s.ID)
			return
		}
	}
	if d.current < 0 {
		d.fail(finding.AttachedUnknown, "%s: no segment is being written", d.QueueManager)
	}
}

// holdsEntries tells whether the segment is a part of the log at all: one
// that was never written, or is kept for reuse, is not.
func (s Segment) holdsEntries() bool { return s.State != Empty && s.State != Reuse }
