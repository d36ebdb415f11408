package run

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

// mostRefusals is how many refused actions, and questions, are named one by one.
const mostRefusals = 3

// refusals says which actions of a plan nobody may carry out, whatever the
// second key says of segments. One is enough, and nothing of the plan is done:
// who plans such a thing is wrong or hostile in the rest too.
func refusals(j job, described plugins.Description, plan plugins.Plan, questions []string) []finding.Finding {
	var found []finding.Finding
	for i, q := range questions {
		if i == mostRefusals {
			found = append(found, finding.New(finding.QuestionRefused, "%s: so are %d more questions", j.target.Name, len(questions)-i))
			break
		}
		found = append(found, finding.New(finding.QuestionRefused, "%s: plugin %s: %s", j.target.Name, j.task.Plugin, q))
	}
	earlier := make(map[string]bool, len(plan.Actions))
	deleted := make(map[recovery.SegmentID]bool)
	refused := 0
	for _, a := range plan.Actions {
		if why := refuse(j, described, a, earlier, deleted); why != "" {
			if refused++; refused <= mostRefusals {
				found = append(found, finding.New(finding.ActionRefused, "%s: %s %s: %s", j.target.Name, a.Kind, a.ID, why))
			}
		}
		earlier[a.ID] = true
		if a.Kind == plugins.KindDelete {
			deleted[a.Segment] = true
		}
	}
	if more := refused - mostRefusals; more > 0 {
		found = append(found, finding.New(finding.ActionRefused, "%s: so are %d more actions of the plan", j.target.Name, more))
	}
	return append(found, notAllowed(j, plan)...)
}

// contradicted finds a delete of a segment that the plan's own verdict keeps:
// the report would show one thing, and another be done.
func contradicted(j job, plan plugins.Plan) []finding.Finding {
	goes := make(map[recovery.SegmentID]bool)
	for _, m := range plan.Decision.Managers {
		for i, v := range m.Verdicts {
			if v.Kind.Goes() {
				goes[m.Inventory.Segments[i].ID] = true
			}
		}
	}
	for _, a := range plan.Actions {
		if a.Kind == plugins.KindDelete && !goes[a.Segment] {
			return []finding.Finding{finding.New(finding.ActionRefused, "%s: delete %s: the plan's own verdict keeps %s", j.target.Name, a.ID, a.Segment)}
		}
	}
	return nil
}

// refuse says why one action is not carried out; empty: it may be.
func refuse(j job, described plugins.Description, a plugins.Action, earlier map[string]bool, deleted map[recovery.SegmentID]bool) string {
	switch {
	case a.ID == "":
		return "it has no ID"
	case earlier[a.ID]:
		return "another action has its ID"
	case !slices.Contains(described.Actions, a.Kind):
		return "the plugin did not describe that it plans such actions"
	case a.Within < 0:
		return "it may take less than no time"
	case a.Within > plugins.MostWithin:
		return fmt.Sprintf("it may take %s, and %s is the most", a.Within, plugins.MostWithin)
	case a.QueueManager != "" && !j.target.Owns(a.QueueManager):
		return fmt.Sprintf("it is labelled %q, which is not the target", a.QueueManager)
	case slices.ContainsFunc(a.After, func(id string) bool { return !earlier[id] }):
		return "it waits for an action that is not before it"
	}
	switch a.Kind {
	case plugins.KindCommand:
		return refuseCommand(j.target, a.Command)
	case plugins.KindCustom:
		if a.Command == (plugins.Command{}) {
			return ""
		}
		return refuseCommand(j.target, a.Command)
	case plugins.KindArchive:
		if a.Store != j.task.Store {
			return fmt.Sprintf("it saves to store %q, and the task's store is %q", a.Store, j.task.Store)
		}
		return refuseSegment(j.target, a)
	case plugins.KindDelete, plugins.KindMarkArchived:
		if deleted[a.Segment] {
			return "the segment is deleted by an earlier action"
		}
		if a.Kind == plugins.KindMarkArchived && j.target.Platform == observe.IBMi {
			return "receivers are not marked"
		}
		return refuseSegment(j.target, a)
	case plugins.KindAlert:
		if a.Command != (plugins.Command{}) {
			return "it comes with a command, and an alert tells a person and does nothing"
		}
		return ""
	default:
		return "nobody knows such actions"
	}
}

// astray finds commands that are aimed at what is not the target's own, whatever
// label they bear. The writer refuses them too.
func astray(j job, p *jobPlan) []finding.Finding {
	found := misnamed(j, p)
	for _, inv := range p.seen.inventories {
		library, _, _ := strings.Cut(inv.Incarnation, "/")
		for _, a := range p.plan.Actions {
			if a.Command == (plugins.Command{}) || a.QueueManager != inv.QueueManager && a.Command.QueueManager != inv.QueueManager {
				continue
			}
			if err := connect.Aimed(j.target, library, a.Command); err != nil {
				found = append(found, finding.New(finding.ActionRefused, "%s: %s %s: %v", j.target.Name, a.Kind, a.ID, err))
			}
		}
	}
	return found
}

// misnamed finds actions on files whose object is another file than the segment
// that the second key is asked about: a person reads the object, and so does
// who runs the script.
func misnamed(j job, p *jobPlan) []finding.Finding {
	if p.seen.directory == "" {
		return nil
	}
	for _, a := range p.plan.Actions {
		ofFile := a.Kind == plugins.KindDelete || a.Kind == plugins.KindArchive || a.Kind == plugins.KindMarkArchived
		if ofFile && a.Object != observe.ExtentPath(p.seen.directory, a.Segment.Name) {
			return []finding.Finding{finding.New(finding.ActionRefused, "%s: %s %s: it says %s, and its segment is %s in %s",
				j.target.Name, a.Kind, a.ID, a.Object, a.Segment, p.seen.directory)}
		}
	}
	return nil
}

// refuseCommand lets through what changes something and releases nothing,
// however it is wrapped.
func refuseCommand(target observe.Target, c plugins.Command) string {
	class, verb, err := observe.Classify(c.Language, c.Text)
	switch {
	case !target.Owns(c.QueueManager):
		return fmt.Sprintf("its command is for %q, which is not the target", c.QueueManager)
	case err != nil:
		return err.Error()
	case class != observe.Change:
		return fmt.Sprintf("%s is a %s, and a command has to be a change", verb, class)
	}
	if target.Platform == observe.ZOS { // what a command acts on elsewhere is known after a look ([astray])
		if err := connect.Aimed(target, "", c); err != nil {
			return err.Error()
		}
	}
	return ""
}

func refuseSegment(target observe.Target, a plugins.Action) string {
	switch {
	case !target.Owns(a.Segment.QueueManager):
		return fmt.Sprintf("its segment is of %q, which is not the target", a.Segment.QueueManager)
	case a.Command != (plugins.Command{}):
		return "it comes with a command, and the host has its own"
	}
	return ""
}
