package agent

import (
	"errors"
	"fmt"
	"strings"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/schedule"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/policies"
)

// The errors of a set of policies that gives an agent nothing to do.
var (
	ErrNoSchedule = errors.New("no task has a schedule: write schedule { } into a policy or a task (docs/policies.md)")
	ErrNoTarget   = errors.New("no task that has a schedule matches a target")
)

// Task is one task of a policy and the schedule that it runs on.
type Task struct {
	Policy   policies.Policy   // with this task alone
	Schedule policies.Schedule // the task's own, else the policy's
	Targets  []observe.Target  // those that it matches; none: it never runs

	when schedule.Schedule
}

// Tasks gives the tasks that have a schedule, in the order of the policies,
// with those of the targets that each matches.
//
// It is ErrNoSchedule when there is none, ErrNoTarget when none matches a
// target, and an error when two have one name: a firing is known by it.
func Tasks(all []policies.Policy, targets []observe.Target) ([]Task, error) {
	var tasks []Task
	names := make(map[string]policies.Place)
	matched := false
	for _, p := range all {
		for _, t := range p.Tasks {
			task, ok, err := scheduled(p, t, targets)
			switch {
			case err != nil:
				return nil, err
			case !ok:
				continue
			}
			if first, twice := names[task.Name()]; twice {
				return nil, fmt.Errorf("%s: there are two tasks %s, the other at %s: their firings could not be told apart", t.At, task.Name(), first)
			}
			names[task.Name()] = t.At
			matched = matched || len(task.Targets) > 0
			tasks = append(tasks, task)
		}
	}
	switch {
	case len(tasks) == 0:
		return nil, ErrNoSchedule
	case !matched:
		return nil, ErrNoTarget
	}
	return tasks, nil
}

// scheduled gives a task of a policy; false where it runs by hand only.
func scheduled(p policies.Policy, t policies.Task, targets []observe.Target) (Task, bool, error) {
	written := p.ScheduleOf(t)
	if written == nil {
		return Task{}, false, nil
	}
	when, err := schedule.Parse(written.Cron, written.Timezone)
	if err != nil { // the reader of the configuration has asked the same
		return Task{}, false, fmt.Errorf("%s: schedule of %s: %w", written.At, schedule.Name(p.Name, t.Name), err)
	}
	p.Tasks = []policies.Task{t}
	task := Task{Policy: p, Schedule: *written, when: when}
	for _, target := range targets {
		if target.Matches(t.Targets) {
			task.Targets = append(task.Targets, target)
		}
	}
	return task, true, nil
}

// Name is policy/task: the name of its firings in the loop and in the ledger.
func (t Task) Name() string { return schedule.Name(t.Policy.Name, t.Policy.Tasks[0].Name) }

// Mode is connect.Apply only where the schedule says "apply".
func (t Task) Mode() connect.Mode {
	if t.Schedule.Mode == policies.Apply {
		return connect.Apply
	}
	return connect.Plan
}

// mode is the word for it in the log.
func (t Task) mode() string {
	if t.Mode() == connect.Apply {
		return string(policies.Apply)
	}
	return string(policies.Plan)
}

// targets names the targets for the log.
func (t Task) targets() string {
	names := make([]string, len(t.Targets))
	for i, target := range t.Targets {
		names[i] = target.Name
	}
	return strings.Join(names, ",")
}

// overlap gives what the loop does with a firing during a run.
func (t Task) overlap() schedule.Overlap {
	if t.Schedule.Overlap == policies.QueueRun {
		return schedule.Queue
	}
	return schedule.Skip
}
