package recovery

import "github.com/mqhk/mqhk/core/finding"

// Cost says what a step of [Reach] gives up. The order is the order of loss.
type Cost uint8

// The costs. Up to CostMargin no recovery loses anything.
const (
	CostNothing    Cost = iota // the promise lets it go as it is
	CostStrategy               // the promise is only reported on this platform; a stronger one is carried out
	CostLimits                 // MaxDeletes and MaxPercent
	CostMinAge                 // MinAge
	CostKeepNewest             // KeepNewest
	CostMargin                 // Margin
	CostUnsaved                // pieces that no recovery needs and that were never saved: saved first
	CostRebuild                // a rebuild restores first
	CostRestart                // so does a restart
)

var costWords = [...]string{"nothing", "strategy", "limits", "min-age", "keep-newest", "margin", "unsaved", "rebuild", "restart"}

// String gives the word used in reports.
func (c Cost) String() string {
	if int(c) < len(costWords) {
		return costWords[c]
	}
	return ""
}

// Step is what may go beyond the steps before it once more is given up.
type Step struct {
	Cost     Cost
	Promise  Promise     // that lets these go and all of the steps before, and gives up no more than that takes
	Segments []SegmentID // oldest first in each inventory; in no other step
	Save     int         // of these, to be saved first
	Bytes    int64       // what they free; a size that is not known counts as nothing
	Total    int64       // likewise, with the steps before
	Enough   int         // the first so many of Segments would do; 0: all are not enough, or the steps before are
	Outlook  []Outlook   // of each inventory, after this step and those before
}

// Rest is what no step frees, for one reason.
type Rest struct {
	Verdict     Verdict // of the first of them, under the weakest promise that the platform bears
	Needed      bool    // a recovery reads them; of what is held nothing is said
	First, Last SegmentID
	Segments    int
	Bytes       int64
}

// Room is what can be made of it when a disk is filling.
type Room struct {
	Blocked string // why nothing may go, by whatever step; empty: something may, or nothing is there that could
	Steps   []Step // that free something, by rising cost
	Rest    []Rest // what stays in any case, oldest first
	Met     bool   // all steps together free as much as is needed
}

// Reach says what may go when need bytes are wanted now, at the least loss
// of the promise first. Each step is what [Decide] lets go under a promise that
// gives up one thing more: the limits, the counts and ages that keep more than
// any recovery needs, the saving of what nobody needs, and then a strategy after
// the other, down to the weakest that the platform lets be carried out. So no
// step names what that one keeps.
//
// A critical finding under the promise itself ends it: what is not known keeps
// everything, also when a disk is filling. That too much would go at once is no
// such finding, but a limit of the promise.
//
// Reach only tells. What is done is what the promise says.
func Reach(inventories []Inventory, promise Promise, need int64) Room {
	r := reach{inventories: inventories, need: need, gone: make([][]bool, len(inventories))}
	for i, inv := range inventories {
		r.gone[i] = make([]bool, len(inv.Segments))
	}
	for i, rung := range ladder(promise, weakest(inventories, promise)) {
		deciders, why := decideAll(inventories, rung.promise)
		if why != "" && i == 0 {
			return Room{Blocked: why}
		}
		if why == "" {
			r.take(rung, deciders)
		}
	}
	for i := range r.room.Steps {
		r.room.Steps[i].Promise = tightened(inventories, r.room.Steps[i].Promise, promise)
	}
	r.leave()
	r.room.Met = r.total >= need
	return r.room
}

// reach is what is worked out on the way.
type reach struct {
	inventories []Inventory
	need, total int64
	gone        [][]bool   // in a step, by inventory and segment
	last        []*decider // of the last promise that left a bound
	room        Room
}

// rung is one promise of the ladder, and what it gives up beyond the one before.
type rung struct {
	cost    Cost
	promise Promise
}

// ladder gives the promises from the one that binds down to the weakest that
// the platform bears. A promise that is only reported begins anew with the
// strongest.
func ladder(p Promise, weakest Strategy) []rung {
	rungs := []rung{{CostNothing, p}}
	weaker := func(cost Cost, applies bool, change func(*Promise)) {
		if applies {
			change(&p)
			rungs = append(rungs, rung{cost, p})
		}
	}
	weaker(CostStrategy, p.Strategy > weakest, func(p *Promise) { p.Strategy = Conservative })
	weaker(CostLimits, p.MaxDeletes > 0 || p.MaxPercent > 0, func(p *Promise) { p.MaxDeletes, p.MaxPercent = 0, 0 })
	weaker(CostMinAge, p.MinAge > 0, func(p *Promise) { p.MinAge = 0 })
	weaker(CostKeepNewest, p.KeepNewest > 0, func(p *Promise) { p.KeepNewest = 0 })
	weaker(CostMargin, p.Margin > 0, func(p *Promise) { p.Margin = 0 })
	weaker(CostUnsaved, p.Unsaved == HoldUnsaved, func(p *Promise) { p.Unsaved = SaveUnsaved })
	weaker(CostRebuild, p.Strategy < FastStartup && FastStartup <= weakest, func(p *Promise) { p.Strategy = FastStartup })
	weaker(CostRestart, p.Strategy < Aggressive && Aggressive <= weakest, func(p *Promise) { p.Strategy = Aggressive })
	return rungs
}

// weakest gives the weakest strategy that is carried out in all inventories.
// Where the queue manager removes the pieces itself none changes anything.
func weakest(inventories []Inventory, promise Promise) Strategy {
	least := Aggressive
	for _, inv := range inventories {
		if inv.Weakest != NoStrategy {
			least = min(least, inv.Weakest)
		}
	}
	for _, inv := range inventories {
		if inv.Remover != ByHousekeeper {
			least = min(least, promise.Strategy)
		}
	}
	return least
}

// decideAll judges under one promise, and says why nothing may go.
func decideAll(inventories []Inventory, promise Promise) ([]*decider, string) {
	deciders := make([]*decider, len(inventories))
	why := ""
	for i, inv := range inventories {
		deciders[i] = newDecider(inv, promise)
		deciders[i].decide()
		if d := deciders[i]; d.blocked != nil && why == "" {
			why = d.blocked.Why
		}
	}
	return deciders, why
}

// tightened takes back what a promise gives up for nothing: what goes under it,
// and how, is the same without. What a person then changes in a policy is no
// more than it takes.
func tightened(inventories []Inventory, given, first Promise) Promise {
	deciders, _ := decideAll(inventories, given)
	for _, back := range []func(*Promise){
		func(p *Promise) { p.Unsaved = first.Unsaved },
		func(p *Promise) { p.Margin = first.Margin },
		func(p *Promise) { p.KeepNewest = first.KeepNewest },
		func(p *Promise) { p.MinAge = first.MinAge },
		func(p *Promise) { p.MaxPercent = first.MaxPercent },
		func(p *Promise) { p.MaxDeletes = first.MaxDeletes },
	} {
		tighter := given
		back(&tighter)
		if tighter == given {
			continue
		}
		if others, _ := decideAll(inventories, tighter); sameGoes(deciders, others) {
			given = tighter
		}
	}
	return given
}

// sameGoes tells whether the same segments go under two promises, in the same
// way.
func sameGoes(a, b []*decider) bool {
	for m := range a {
		for i, v := range a[m].verdicts {
			w := b[m].verdicts[i]
			if v.Kind != w.Kind && (v.Kind.Goes() || w.Kind.Goes()) {
				return false
			}
		}
	}
	return true
}

// take makes a step of what a promise lets go beyond the steps before.
func (r *reach) take(rung rung, deciders []*decider) {
	step := Step{Cost: rung.cost, Promise: rung.promise, Total: r.total}
	for m, d := range deciders {
		for i, s := range r.inventories[m].Segments {
			if !d.verdicts[i].Kind.Goes() || r.gone[m][i] {
				continue
			}
			r.gone[m][i] = true
			met := step.Total >= r.need
			step.Segments = append(step.Segments, s.ID)
			step.Bytes += s.Bytes
			step.Total += s.Bytes
			if d.verdicts[i].Kind == ArchiveDelete {
				step.Save++
			}
			if !met && step.Total >= r.need {
				step.Enough = len(step.Segments)
			}
		}
		step.Outlook = append(step.Outlook, d.outlook())
	}
	r.last, r.total = deciders, step.Total
	if len(step.Segments) > 0 {
		r.room.Steps = append(r.room.Steps, step)
	}
}

// leave collects what is on the system and in no step, by reason. Each hold
// stands for itself: somebody can lift it.
func (r *reach) leave() {
	type key struct {
		manager, reason, hold string
		needed                bool
	}
	at := make(map[key]int)
	for m, d := range r.last {
		for i, s := range r.inventories[m].Segments {
			if r.gone[m][i] || s.State == Absent {
				continue
			}
			v := d.verdicts[i]
			k := key{manager: d.QueueManager, reason: v.Reason, needed: i >= d.needed}
			if v.Reason == string(finding.OnHold) {
				k.hold, k.needed = v.Why, false
			}
			place, ok := at[k]
			if !ok {
				place = len(r.room.Rest)
				at[k] = place
				r.room.Rest = append(r.room.Rest, Rest{Verdict: v, Needed: k.needed, First: s.ID})
			}
			rest := &r.room.Rest[place]
			rest.Last = s.ID
			rest.Segments++
			rest.Bytes += s.Bytes
		}
	}
}
