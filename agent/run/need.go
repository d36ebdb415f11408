package run

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/recovery"
)

// room writes down what could go where room was asked for, at the least loss
// of promise first. It is a report: no action comes of it, and nothing of it is
// said where anything critical stands in the way of the plan.
func (r *planner) room(j job, p *jobPlan) {
	if r.Need <= 0 {
		return
	}
	need := &ledger.Need{Bytes: r.Need, Steps: []ledger.NeedStep{}, Rest: []ledger.NeedRest{}, Hints: pins(p.record.Findings)}
	p.record.Need = need
	if need.Blocked = standing(j, p); need.Blocked == "" {
		r.reach(j, p, need)
	}
	if !need.Met {
		r.needNotMet(j, p, need)
	}
}

// standing says what keeps all of a target, whatever is given up. That too much
// would go at once is a limit of the policy, and a step by itself.
func standing(j job, p *jobPlan) string {
	for _, f := range p.record.Findings {
		if f.Severity == finding.Critical && f.Code != finding.TooMuchAtOnce {
			return f.Text
		}
	}
	switch {
	case p.blocked:
		return p.record.Findings[0].Text
	case len(p.seen.inventories) == 0:
		return fmt.Sprintf("on %s nobody can tell by the log what may go", j.target.Platform)
	}
	return ""
}

func (r *planner) reach(j job, p *jobPlan, need *ledger.Need) {
	room := recovery.Reach(p.seen.inventories, j.request.Promise, r.Need)
	need.Blocked, need.Met = room.Blocked, room.Met
	others := r.othersKeep(j, p)
	for _, step := range room.Steps {
		written := r.needStep(j, step, others)
		if step.Save > 0 {
			written.Store = j.task.Store
			written.Missing = append(r.noStore(j, p.seen), written.Missing...)
		}
		need.Steps = append(need.Steps, written)
	}
	if room.Blocked == "" {
		need.Rest = reusable(p.seen)
	}
	for _, rest := range room.Rest {
		need.Rest = append(need.Rest, ledger.NeedRest{
			Reason: rest.Verdict.Reason, Why: rest.Verdict.Why, First: rest.First.String(), Last: rest.Last.String(),
			Segments: rest.Segments, Bytes: rest.Bytes, Hint: hint(j.target.Platform, rest),
		})
	}
}

// reusable gives the files that the queue manager has emptied and keeps to use
// again: nobody else may touch one, and it gives them back itself when it is
// asked (RESET QMGR, topic "RESET QMGR").
func reusable(seen look) []ledger.NeedRest {
	if len(seen.reuse) == 0 {
		return []ledger.NeedRest{}
	}
	rest := ledger.NeedRest{
		Reason: recovery.Reuse.String(), Why: "holds no log data; the queue manager keeps it to use it again",
		First: seen.reuse[0].Name, Last: seen.reuse[len(seen.reuse)-1].Name, Segments: len(seen.reuse),
	}
	for _, e := range seen.reuse {
		rest.Bytes += e.Bytes
	}
	if seen.inventories[0].Remover != recovery.ByHousekeeper {
		rest.Hint = "RESET QMGR TYPE(REDUCELOG) has the queue manager give them back; mqhk never sends it"
	}
	return []ledger.NeedRest{rest}
}

func (r *planner) needStep(j job, step recovery.Step, others []otherPolicy) ledger.NeedStep {
	written := ledger.NeedStep{
		Cost: step.Cost.String(), Why: costWhy(step.Cost),
		First: step.Segments[0].String(), Last: step.Segments[len(step.Segments)-1].String(),
		Segments: len(step.Segments), Save: step.Save, Bytes: step.Bytes, TotalBytes: step.Total, Enough: step.Enough,
		Do: carryOut(j, step.Promise), Outlook: outlookOf(worst(step.Outlook)),
	}
	for _, other := range others {
		if count := other.keepsOf(step.Segments); count > 0 {
			written.Missing = append(written.Missing, fmt.Sprintf("policy %s, which applies on this target too, keeps %d of them", other.name, count))
		}
	}
	return written
}

// worst gives the outlook that is the worst of several queue managers, for each
// recovery by itself.
func worst(all []recovery.Outlook) recovery.Outlook {
	pick := func(of func(recovery.Outlook) recovery.Recovery) recovery.Recovery {
		found := of(all[0])
		for _, o := range all[1:] {
			if other := of(o); other.Ready == recovery.ReadinessUnknown || found.Ready != recovery.ReadinessUnknown && other.Ready > found.Ready {
				found = other
			}
		}
		return found
	}
	return recovery.Outlook{
		Restart:       pick(func(o recovery.Outlook) recovery.Recovery { return o.Restart }),
		Rebuild:       pick(func(o recovery.Outlook) recovery.Recovery { return o.Rebuild }),
		StartUpDamage: pick(func(o recovery.Outlook) recovery.Recovery { return o.StartUpDamage }),
	}
}

// noStore says why what has to be saved first can't be, or would free nothing.
func (r *planner) noStore(j job, seen look) []string {
	var missing []string
	for _, f := range r.storeFindings(j, r.Gate.LogHere(j.target, seen.directory)) {
		missing = append(missing, f.Text)
	}
	if r.Stores[j.task.Store].Kind == externalStore {
		missing = append(missing, fmt.Sprintf("store %s is external: the site saves them first", j.task.Store))
	}
	return missing
}

// otherPolicy is what another policy keeps that binds the second key too.
type otherPolicy struct {
	name string
	goes map[recovery.SegmentID]bool
}

func (r *planner) othersKeep(j job, p *jobPlan) []otherPolicy {
	var list []otherPolicy
	for _, b := range r.bindings(j)[1:] {
		other := otherPolicy{b.Policy, make(map[recovery.SegmentID]bool)}
		for _, manager := range recovery.Decide(p.seen.inventories, b.Promise).Managers {
			for i, v := range manager.Verdicts {
				other.goes[manager.Inventory.Segments[i].ID] = v.Kind.Goes()
			}
		}
		list = append(list, other)
	}
	return list
}

func (o otherPolicy) keepsOf(segments []recovery.SegmentID) int {
	count := 0
	for _, id := range segments {
		if !o.goes[id] {
			count++
		}
	}
	return count
}

// needNotMet adds a warning in its place among the findings: the worst first.
func (r *planner) needNotMet(j job, p *jobPlan, need *ledger.Need) {
	text := fmt.Sprintf("%s: %d bytes were asked for, %d can go at the most", j.target.Name, need.Bytes, most(need.Steps))
	if need.Blocked != "" {
		text = fmt.Sprintf("%s: %d bytes were asked for, and nothing can go: %s", j.target.Name, need.Bytes, strings.TrimPrefix(need.Blocked, "nothing goes: "))
	}
	found := append(slices.Clone(p.record.Findings), finding.New(finding.NeedNotMet, "%s", text))
	slices.SortStableFunc(found, func(a, b finding.Finding) int { return int(b.Severity) - int(a.Severity) })
	p.record.Findings = found
}

// pins are the findings that name what a recovery point stays for.
func pins(found []finding.Finding) []string {
	hints := []string{}
	for _, f := range found {
		if slices.Contains([]finding.Code{finding.PinnedByUnit, finding.PinnedByQueue, finding.NeverImaged, finding.ObjectDamaged}, f.Code) {
			hints = append(hints, f.Text)
		}
	}
	return hints
}

// most gives what all steps together free.
func most(steps []ledger.NeedStep) int64 {
	if len(steps) == 0 {
		return 0
	}
	return steps[len(steps)-1].TotalBytes
}
