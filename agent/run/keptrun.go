package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/policies"
)

// ErrNothingToKeep says that a plan has no action, or none that may be done.
var ErrNothingToKeep = errors.New("the plan holds nothing that would be done")

// PlanToKeep plans as [Plan] does, and gives the plan as it can be put away and
// carried out later. Tasks that plan nothing, or of which nothing may be done,
// are not in it; without any it is ErrNothingToKeep.
func PlanToKeep(ctx context.Context, order Order) (ledger.Record, Kept, error) {
	r := newPlanner(order)
	r.keeps = true
	defer r.stop()
	record, err := r.plan(ctx)
	if err != nil {
		return record, Kept{}, err
	}
	if len(r.toKeep) == 0 {
		return record, Kept{}, ErrNothingToKeep
	}
	slices.SortFunc(r.toKeep, func(a, b KeptTask) int { return strings.Compare(a.String(), b.String()) })
	kept, err := KeepPlan(order.Now(), order.Host, r.toKeep)
	return record, kept, err
}

// keep notes a plan that is to be put away.
func (r *planner) keep(j job, by ledger.Plugin, p jobPlan) {
	if !r.keeps || p.blocked || len(p.plan.Actions) == 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.toKeep = append(r.toKeep, keepTask(j, by, p.plan))
}

// useKept gives each job what the order's kept plan holds of it, and leaves
// out the jobs of which it holds nothing: it does its own actions and no
// others.
func (r *planner) useKept(jobs []job) ([]job, error) {
	if r.Kept == nil {
		return jobs, nil
	}
	var mine []job
	for _, t := range r.Kept.Tasks {
		i := slices.IndexFunc(jobs, func(j job) bool {
			return j.policy.Name == t.Policy && j.task.Name == t.Task && j.target.Name == t.Target && string(j.target.Platform) == t.Platform
		})
		if i < 0 {
			return nil, &PlanRefused{TargetUnknown, t.String(), "there is no such task on such a target now"}
		}
		j := jobs[i]
		j.kept = &t
		mine = append(mine, j)
	}
	return mine, nil
}

// keepKept keeps the plan in the ledger, if nobody ran it before and all of
// it was claimed.
func (r *planner) keepKept(ctx context.Context, record *ledger.Record) error {
	if r.Kept == nil {
		return nil
	}
	if len(record.Run.Skipped) > 0 {
		s := record.Run.Skipped[0]
		return fmt.Errorf("the plan was not taken: %s on %s: %s", s.Task, s.Target, s.Why)
	}
	record.Run.Plan = r.Kept.ID
	text, err := r.Kept.Text()
	if err != nil {
		return err
	}
	if err := r.Ledger.Keep(ctx, r.Kept.ID, text); err != nil && !errors.Is(err, ledger.ErrKept) {
		return err
	}
	taken, err := r.Ledger.Taken(ctx, r.Kept.ID)
	if err == nil && taken {
		err = ledger.ErrTaken
	}
	return err
}

// takeKept takes the plan so that nobody runs it again: when the first target
// is about to be changed, and not for one that is refused.
func (r *planner) takeKept(ctx context.Context) error {
	if r.Kept == nil {
		return nil
	}
	r.taking.Do(func() { _, r.takenErr = r.Ledger.Take(ctx, r.Kept.ID, r.By) })
	return r.takenErr
}

// planKept puts what was kept in the place of a plan of the plugin's, if it
// still fits what is there.
func (r *planner) planKept(ctx context.Context, j job, seen *observation) (jobPlan, error) {
	plugin, err := r.plugin(j.task.Plugin)
	if err != nil {
		return jobPlan{}, err
	}
	now, err := lookAt(ctx, seen.view(), j.target)
	if err != nil {
		return jobPlan{}, err
	}
	present := Present{policies.Digest(j.policy), pluginOf(j.task.Plugin, plugin), now.inventories}
	if err := r.Kept.Refuse(r.Now(), *j.kept, present); err != nil {
		return jobPlan{}, err
	}
	plan := plugins.Plan{Decision: recovery.Decide(now.inventories, j.request.Promise), Actions: make([]plugins.Action, len(j.kept.Actions))}
	for i, a := range j.kept.Actions {
		plan.Actions[i] = a.Action()
	}
	p := jobPlan{plan: plan, record: r.record(j, plan, nil)}
	if err := r.judge(ctx, j, &p, seen, refusals(j, plugin.Describe(), plan, nil)); err != nil {
		return jobPlan{}, err
	}
	return p, nil
}

func pluginOf(name string, p Plugin) ledger.Plugin {
	return ledger.Plugin{Name: name, Version: p.Describe().Version, SHA256: p.SHA256()}
}
