package run

import (
	"context"
	"log/slog"
	"time"

	"github.com/mqhk/mqhk/agent/connect"
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
	Stores   map[string]connect.Store // those that are configured, by name
	Gate     connect.Gate
	// Simulated names the targets that are no real queue managers.
	Simulated []string
	Plugins   Plugins
	Log       *slog.Logger
	Progress  func(target, what string) // nil: nobody watches
	Now       func() time.Time
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
	Stop() error
}

// job is one task of one policy on one target.
type job struct {
	target  observe.Target
	policy  policies.Policy
	task    policies.Task
	request plugins.Request
}

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

// Idle gives the tasks that match none of the targets, as policy/task.
func (o Order) Idle() []string {
	var idle []string
	for _, policy := range o.Policies {
		for _, task := range policy.Tasks {
			used := false
			for _, target := range o.Targets {
				used = used || target.Matches(task.Targets)
			}
			if !used {
				idle = append(idle, policy.Name+"/"+task.Name)
			}
		}
	}
	return idle
}
