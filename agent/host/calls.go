package host

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/serve/wire"
)

// Check asks what the plugin does not like about a configuration. A plugin
// without a Checker likes everything.
//
// The errors of this and of the calls below are *CrashError, *DeadlineError,
// *LimitError, *PluginError, ErrStopped, or those of the context.
func (p *Process) Check(ctx context.Context, request plugins.Request) ([]plugins.Complaint, error) {
	if !p.checks {
		return nil, nil
	}
	message, err := wire.EncodeRequest(request)
	if err != nil {
		return nil, fmt.Errorf("asking plugin %s to check: %w", p.source.Name, err)
	}
	began := time.Now()
	ctx, cancel := p.deadline(ctx)
	defer cancel()
	reply, err := p.service.Check(ctx, &wire.CheckRequest{Request: message})
	if err != nil {
		return nil, p.failed(ctx, "Check", began, err)
	}
	return wire.DecodeComplaints(reply), nil
}

// Plan has the plugin plan for one target. Its questions go to asker, which
// must heed its context and refuse what is not a display; those in a language
// that the plugin's description does not list are refused before. A question
// that fails is the plugin's to deal with, and fails the plan only if the
// plugin says so. A plan with an action of a kind that the description does
// not list is an error.
func (p *Process) Plan(ctx context.Context, request plugins.Request, asker observe.Asker, events Events) (plugins.Plan, error) {
	message, err := wire.EncodeRequest(request)
	if err != nil {
		return plugins.Plan{}, fmt.Errorf("asking plugin %s to plan: %w", p.source.Name, err)
	}
	c := p.call("Plan", asker, events, request.Target.Name)
	err = c.converse(ctx, p.service.Plan, &wire.Start{Request: message}, wire.EncodeResults(request.Earlier))
	if err != nil {
		return plugins.Plan{}, err
	}
	plan, err := c.plan.Plan()
	if err != nil {
		return plugins.Plan{}, c.badly(err)
	}
	for _, action := range plan.Actions {
		if !slices.Contains(p.description.Actions, action.Kind) {
			return plugins.Plan{}, c.badly(fmt.Errorf("action %q is of kind %q, which its description does not list",
				clean(action.ID, 100), clean(string(action.Kind), 100)))
		}
	}
	return plan, nil
}

// Confirm asks whether an action was done; see [Process.Confirms].
func (p *Process) Confirm(ctx context.Context, action plugins.Action, asker observe.Asker, events Events) (plugins.Result, error) {
	c := p.call("Confirm", asker, events, action.QueueManager)
	return c.onAction(ctx, p.service.Confirm, action)
}

// Perform has the plugin do its own action; see [Process.Performs]. Through
// do it can send the action's command, word for word, and no other.
func (p *Process) Perform(ctx context.Context, action plugins.Action, asker observe.Asker, do Do, events Events) (plugins.Result, error) {
	c := p.call("Perform", asker, events, action.QueueManager)
	c.desk.do, c.desk.command = do, action.Command
	return c.onAction(ctx, p.service.Perform, action)
}

func (p *Process) call(name string, asker observe.Asker, events Events, target string) *call {
	c := &call{process: p, name: name, listen: newListener(events, p.source.Name, target, p.settings.LogRate)}
	c.desk = &desk{
		plugin:    p.source.Name,
		languages: p.description.Languages,
		call:      name,
		most:      p.settings.MaxAsked,
		asker:     asker,
		send:      c.send,
		slots:     make(chan struct{}, p.settings.MaxQuestions),
		room:      make(chan struct{}, maxOpen),
		open:      make(map[uint64]context.CancelFunc),
	}
	return c
}

func (c *call) onAction(ctx context.Context, open opener, action plugins.Action) (plugins.Result, error) {
	texts, message := wire.EncodeAction(action)
	if err := c.converse(ctx, open, &wire.Start{Strings: texts, Action: message}, nil); err != nil {
		return plugins.Result{}, err
	}
	switch {
	case c.result == nil:
		return plugins.Result{}, c.badly(errors.New("it answered with a plan"))
	case c.result.Action == "":
		c.result.Action = action.ID
	case c.result.Action != action.ID:
		return plugins.Result{}, c.badly(fmt.Errorf("its result is that of action %q, not of %q", clean(c.result.Action, 100), action.ID))
	}
	return *c.result, nil
}
