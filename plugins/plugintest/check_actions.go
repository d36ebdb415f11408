package plugintest

import (
	"context"
	"fmt"
	"slices"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
)

func tryActions(e *exam) {
	if !e.planned() {
		return
	}
	seen := 0
	e.everyPlan(func(request plugins.Request, plan plugins.Plan, _ error) {
		seen += len(plan.Actions)
		for _, problem := range actionProblems(e.description, request, plan.Actions) {
			e.problem("%s: %s", label(request), problem)
		}
	})
	if seen == 0 && len(e.problems) == 0 {
		e.skip("no plan had an action")
		return
	}
	e.needsAnswers()
}

// actionProblems says what is wrong with the actions of a plan, as a run
// judges them before it does any.
func actionProblems(d plugins.Description, request plugins.Request, actions []plugins.Action) (problems []string) {
	earlier := make(map[string]bool, len(actions))
	for _, a := range actions {
		add := func(wrong bool, format string, args ...any) {
			if wrong {
				problems = append(problems, fmt.Sprintf("%s %q: ", a.Kind, a.ID)+fmt.Sprintf(format, args...))
			}
		}
		add(a.ID == "", "it has no identifier")
		add(earlier[a.ID], "another action has its identifier")
		add(!slices.Contains(d.Actions, a.Kind), "the description does not list such actions")
		add(a.Within < 0, "it may take %s, less than no time", a.Within)
		add(a.Within > plugins.MostWithin, "it may take %s, and %s is the most", a.Within, plugins.MostWithin)
		add(a.QueueManager != "" && !belongs(request.Target, a.QueueManager), "it is labelled %q, which is not the target", a.QueueManager)
		add(a.Reason == "", "it has no reason, which is what a person reads")
		for _, id := range a.After {
			add(!earlier[id], "it waits for %q, which is no earlier action", id)
		}
		why := aimProblem(request, a)
		add(why != "", "%s", why)
		earlier[a.ID] = true
	}
	return problems
}

// aimProblem says what is wrong with what an action is aimed at.
func aimProblem(request plugins.Request, a plugins.Action) string {
	switch a.Kind {
	case plugins.KindCommand:
		return commandProblem(request.Target, a.Command)
	case plugins.KindCustom:
		if a.Command == (plugins.Command{}) {
			return ""
		}
		return commandProblem(request.Target, a.Command)
	case plugins.KindAlert:
		if a.Command != (plugins.Command{}) {
			return "it comes with a command, and an alert tells a person and does nothing"
		}
	case plugins.KindArchive, plugins.KindDelete, plugins.KindMarkArchived:
		switch {
		case a.Command != (plugins.Command{}):
			return "it comes with a command, and the host has its own"
		case !belongs(request.Target, a.Segment.QueueManager):
			return fmt.Sprintf("its segment is of %q, which is not the target", a.Segment.QueueManager)
		case a.Segment.Name == "":
			return "it names no segment"
		case a.Kind == plugins.KindArchive && a.Store != request.Store:
			return fmt.Sprintf("it saves to store %q, and the task's store is %q", a.Store, request.Store)
		}
	}
	return ""
}

// commandProblem says why a command is none that a host sends.
func commandProblem(target observe.Target, c plugins.Command) string {
	class, verb, err := observe.Classify(c.Language, c.Text)
	switch {
	case !belongs(target, c.QueueManager):
		return fmt.Sprintf("its command is for %q, which is not the target", c.QueueManager)
	case err != nil:
		return err.Error()
	case class != observe.Change:
		return fmt.Sprintf("%s is a %s, and a command has to be a change", verb, class)
	}
	return ""
}

func belongs(target observe.Target, manager string) bool {
	return manager == target.Name || target.Group && slices.Contains(target.Members, manager)
}

// neverPlanned is an action that no plan holds: it names nothing that there
// is, and has no command.
func (e *exam) neverPlanned(kind plugins.Kind) plugins.Action {
	action := plugins.Action{
		ID: "never-planned", Kind: kind, QueueManager: "QM1", Object: "/no/such/object",
		Items: []string{"no-such-item"}, Reason: "It is tried what happens then.",
	}
	if len(e.requests) > 0 {
		action.QueueManager = e.requests[0].Target.Name
	}
	return action
}

func tryConfirm(e *exam) {
	if !e.confirms {
		e.skip("it has no Confirm")
		return
	}
	e.with(StartOptions{}, func(running Running) {
		for _, kind := range e.description.Actions {
			ctx, cancel := context.WithTimeout(e.ctx, e.options.Limit)
			result, err := running.Confirm(ctx, e.neverPlanned(kind), e.asker(), Events{})
			cancel()
			e.disowned(running, fmt.Sprintf("a %s that it never planned", kind), result, err)
		}
	})
}

func tryPerform(e *exam) {
	if !e.performs {
		e.skip("it has no Perform")
		return
	}
	e.with(StartOptions{}, func(running Running) {
		ctx, cancel := context.WithTimeout(e.ctx, e.options.Limit)
		defer cancel()
		do := func(_ context.Context, c plugins.Command) (observe.Answer, error) {
			e.problem("it sends %q", c.Text)
			return observe.Answer{}, &observe.NotAnswered{Question: observe.Question{Language: c.Language, QueueManager: c.QueueManager, Text: c.Text}}
		}
		result, err := running.Perform(ctx, e.neverPlanned(plugins.KindCustom), e.asker(), do, Events{})
		e.disowned(running, "a custom action that it never planned", result, err)
	})
}

// disowned sees that an action which the plugin can't know has an error, or a
// state that says that it was not done.
func (e *exam) disowned(running Running, which string, result plugins.Result, err error) {
	if bad := crashed(running, err); bad != "" {
		e.problem("%s: %s", which, bad)
	}
	if err == nil && result.State != plugins.Failed && result.State != plugins.Unknown {
		e.problem("%s is %s; it is an error, or failed, or unknown", which, result.State)
	}
}
