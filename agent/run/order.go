package run

import (
	"context"
	"log/slog"
	"time"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/agent/store"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/policies"
)

// Order says what one run is to do.
type Order struct {
	ID       string
	Host     string // of this process
	Policies []policies.Policy
	Targets  []observe.Target
	Stores   map[string]connect.Store // what statements need of those that are configured, by name
	Gate     connect.Gate
	// Simulated names the targets that are no real queue managers.
	Simulated []string
	Plugins   Plugins
	Log       *slog.Logger
	Progress  func(target, what string) // nil: nobody watches
	Now       func() time.Time
	// After is how a run waits; nil: time.After.
	After func(time.Duration) <-chan time.Time
	// Need is how many bytes of room are wanted now: a plan then says too what
	// could go beyond the policy, at what loss; 0: none.
	Need int64

	// What follows is for a run that is recorded or applies; [Plan] looks at
	// Ledger and Keepers alone, and needs neither.

	// Ledger is where it is recorded; a plan may have none, or one that can
	// only be read.
	Ledger *ledger.Ledger
	// Keepers are the stores themselves, by name.
	Keepers map[string]store.Store
	// Binds gives what the tasks of the configuration that apply on schedule
	// promise a target: each binds the guard beside the task that runs.
	// nil: none does.
	Binds func(observe.Target) []Binding
	// Key names the firing (schedule); empty: by hand. Late tells that it was
	// missed and is made up for.
	Key  string
	Late bool
	// By says who runs it, for people: host and process.
	By string
	// Lease is how long a claim lasts without a sign of life; 0: two minutes.
	Lease time.Duration
	// Kept is the plan that is to be carried out, and no other.
	Kept *Kept
}

// Plugins starts plugins by name.
type Plugins interface {
	Start(ctx context.Context, name string) (Plugin, error)
}

// Plugin is a plugin process that has been started and has described itself.
type Plugin interface {
	Describe() plugins.Description
	SHA256() string
	Check(ctx context.Context, request plugins.Request) ([]plugins.Complaint, error)
	Plan(ctx context.Context, request plugins.Request, asker observe.Asker, progress func(string)) (plugins.Plan, error)
	// Confirms tells whether Confirm can be called, Performs whether Perform can.
	Confirms() bool
	Confirm(ctx context.Context, action plugins.Action, asker observe.Asker, progress func(string)) (plugins.Result, error)
	Performs() bool
	// Perform has the plugin do its own action; through do it can send the
	// action's command and no other.
	Perform(ctx context.Context, action plugins.Action, asker observe.Asker,
		do func(context.Context, plugins.Command) (observe.Answer, error), progress func(string)) (plugins.Result, error)
	Stop() error
}

// job is one task of one policy on one target.
type job struct {
	target  observe.Target
	policy  policies.Policy
	task    policies.Task
	request plugins.Request
	claim   *claim    // of a run that is recorded
	kept    *KeptTask // what is done in place of a plan of the plugin's
	failed  error     // why its plugin can't be used; nil: it can
}

// name tells the task apart from others: policy/task.
func (j job) name() string { return j.policy.Name + "/" + j.task.Name }

// jobs gives what is to be done, by target and then in the order of the
// policies.
func (o Order) jobs() []job {
	var list []job
	for _, target := range o.Targets {
		for _, policy := range o.Policies {
			for _, task := range policy.Tasks {
				if target.Matches(task.Targets) {
					list = append(list, job{target: target, policy: policy, task: task})
				}
			}
		}
	}
	return list
}

// Idle gives the tasks that match none of the targets, as policy/task. A bundled
// policy has a task for each platform, and few sites have them all: it is idle
// only as a whole.
func (o Order) Idle() []string {
	var idle []string
	for _, policy := range o.Policies {
		var mine []string
		for _, task := range policy.Tasks {
			used := false
			for _, target := range o.Targets {
				used = used || target.Matches(task.Targets)
			}
			if !used {
				mine = append(mine, policy.Name+"/"+task.Name)
			}
		}
		if !policy.Bundled || len(mine) == len(policy.Tasks) {
			idle = append(idle, mine...)
		}
	}
	return idle
}
