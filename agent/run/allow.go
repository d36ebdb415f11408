package run

import (
	"errors"
	"fmt"
	"strings"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/policies"
)

// takes gives what a task has to allow for an action. A command counts as what
// the reader of its language recognises: a comment, a continued line and lower
// case are no other command. The error says that no task can allow it.
func takes(a plugins.Action) ([]policies.Capability, error) {
	var list []policies.Capability
	if a.Kind != plugins.KindCommand {
		c, err := policies.ParseCapability(string(a.Kind))
		if err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	if a.Kind == plugins.KindCommand || a.Command != (plugins.Command{}) {
		class, verb, err := observe.Classify(a.Command.Language, a.Command.Text)
		switch {
		case err != nil:
			return nil, err
		case class != observe.Change:
			return nil, fmt.Errorf("%s is a %s", verb, class)
		}
		list = append(list, policies.Capability{Kind: policies.AllowCommand, Verb: verb})
	}
	return list, nil
}

// notAllowed finds what the task does not let its plugin plan, with the line
// that would permit it. All of the plan is in one finding: who permits a part
// sees the whole that was wanted.
func notAllowed(j job, plan plugins.Plan) []finding.Finding {
	var lacks policies.Capabilities
	first := map[policies.Capability]string{}
	count := map[policies.Capability]int{}
	for _, a := range plan.Actions {
		list, _ := takes(a) // of what can't be allowed [refuse] says more
		for _, c := range list {
			if j.task.Allow.Has(c) {
				continue
			}
			if count[c]++; count[c] == 1 {
				lacks, first[c] = append(lacks, c), a.ID
			}
		}
	}
	if len(lacks) == 0 {
		return nil
	}
	var parts []string
	for _, c := range lacks {
		part := fmt.Sprintf("%s (action %s", c, first[c])
		if more := count[c] - 1; more > 0 {
			part += fmt.Sprintf(" and %d more", more)
		}
		parts = append(parts, part+")")
	}
	return []finding.Finding{finding.New(finding.ActionRefused, "%s: task %s does not let plugin %s plan %s; this line in the task would: %s",
		j.target.Name, j.name(), j.task.Plugin, strings.Join(parts, ", "), j.task.Allow.With(lacks...))}
}

// allowed is the last look at actions before they are done, whatever was planned,
// kept or approved. A plan with such an action is refused before, so that it gets
// here only by a mistake of this program.
func (a *applier) allowed(actions []plugins.Action) error {
	for _, action := range actions {
		list, err := takes(action)
		for _, c := range list {
			if !a.job.task.Allow.Has(c) {
				err = errors.Join(err, fmt.Errorf("the task does not allow %s", c))
			}
		}
		if err != nil {
			return stopped(finding.ActionRefused, "%s: %s %s: %v", a.job.target.Name, action.Kind, action.ID, err)
		}
	}
	return nil
}
