package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/plugins"
)

// How long an action may take where its plan does not say.
const (
	commandWithin = 10 * time.Minute
	archiveWithin = time.Hour
	deleteWithin  = 2 * time.Minute
)

// perform does the actions of one round: each when all that it waits for are
// done. What waits for one that was not done is skipped, what does not goes on.
// Deletes go in batches, behind the copies that are ready: what is saved for
// many is judged in one look. Commands come last. The error ends the round:
// *Stopped, that of the context, or of the ledger; what was not attempted then
// is skipped.
func (a *applier) perform(ctx context.Context, actions []plugins.Action) error {
	open := actions
	for moved := true; moved && len(open) > 0; {
		moved = false
		for _, step := range []func(context.Context, []plugins.Action) ([]plugins.Action, bool, error){
			a.copies, a.deletes, a.others,
		} {
			left, some, err := step(ctx, open)
			if open, moved = left, moved || some; err != nil {
				a.skip(open, err.Error())
				return err
			}
		}
	}
	a.skip(open, "what it waits for was not done")
	return nil
}

// copies does what is ready and makes or reports a copy, in the order of the
// plan, and gives what is left.
func (a *applier) copies(ctx context.Context, open []plugins.Action) (left []plugins.Action, moved bool, err error) {
	return a.allBut(ctx, open, plugins.KindDelete, plugins.KindCommand, plugins.KindCustom)
}

// others does whatever is ready and no delete: commands too, which may have to
// be confirmed for an hour (images), while what could go had waited on a disk
// that is filling.
func (a *applier) others(ctx context.Context, open []plugins.Action) (left []plugins.Action, moved bool, err error) {
	return a.allBut(ctx, open, plugins.KindDelete)
}

// allBut does whatever is ready and not of some kinds, in the order of the
// plan, and gives what is left. Archives of files are done side by side.
func (a *applier) allBut(ctx context.Context, open []plugins.Action, later ...plugins.Kind) (left []plugins.Action, moved bool, err error) {
	var together []plugins.Action // archives that are done at the same time
	from := 0                     // in left: what has waited since archives were last done
	for i, action := range open {
		if ready, why := a.ready(action); !ready || slices.Contains(later, action.Kind) {
			if why == "" {
				left = append(left, action)
				continue
			}
			a.note(action, plugins.Skipped, why)
			moved = true
			continue
		}
		if ctx.Err() != nil {
			return slices.Concat(left, together, open[i:]), moved, context.Cause(ctx)
		}
		moved = true
		if a.sideBySide(action) {
			if together = append(together, action); len(together) < mostAtOnce {
				continue
			}
			if err, together = a.archives(ctx, together), nil; err == nil {
				left, err = a.follow(ctx, left, from)
			}
			from = len(left)
		} else {
			err = a.one(ctx, action)
		}
		if err != nil {
			return slices.Concat(left, together, open[i+1:]), moved, err
		}
	}
	return left, moved, a.archives(ctx, together)
}

// follow does what waited for archives that have just been done, and is no
// delete: the queue manager hears of the oldest segments before newer ones are
// copied, and can use their room. It gives what is left.
func (a *applier) follow(ctx context.Context, left []plugins.Action, from int) ([]plugins.Action, error) {
	still := left[:from]
	for i, action := range left[from:] {
		if ready, _ := a.ready(action); !ready || action.Kind == plugins.KindDelete || ctx.Err() != nil {
			still = append(still, action)
			continue
		}
		if err := a.one(ctx, action); err != nil {
			return append(still, left[from+i+1:]...), err
		}
	}
	return still, nil
}

// ready tells whether all that an action waits for is done; why says that it
// will never be.
func (a *applier) ready(action plugins.Action) (ready bool, why string) {
	ready = true
	for _, id := range action.After {
		switch result, ended := a.results[id]; {
		case !ended:
			ready = false
		case result.State != plugins.Done:
			return false, fmt.Sprintf("%s before it is %s", id, result.State)
		}
	}
	return ready, ""
}

// one does a single action that is no delete, with its intent before it and
// its outcome after it.
func (a *applier) one(ctx context.Context, action plugins.Action) error {
	if action.Kind == plugins.KindAlert {
		a.Log.Warn("alert", "target", a.job.target.Name, "policy", a.job.policy.Name, "action", action.ID, "object", action.Object, "why", action.Reason)
		a.note(action, plugins.Done, "logged")
		return nil
	}
	if why, ok := a.unclear[sameDeed(action)]; ok {
		a.note(action, plugins.Skipped, "not sent again: "+why)
		return nil
	}
	if err := a.intend(ctx, []plugins.Action{action}); err != nil {
		a.note(action, plugins.Skipped, err.Error())
		return err
	}
	var result plugins.Result
	var ended error // of the run
	switch action.Kind {
	case plugins.KindCommand:
		result = a.command(ctx, action)
	case plugins.KindArchive:
		result = a.archive(ctx, action)
		a.saved(action.Segment, result.State)
	case plugins.KindMarkArchived:
		result, ended = a.markArchived(ctx, action)
	case plugins.KindCustom:
		result, ended = a.custom(ctx, action)
	default:
		result = plugins.Result{State: plugins.Failed, Evidence: fmt.Sprintf("there is no way to do it on %s", a.job.target.Platform)}
	}
	result.Action = action.ID
	a.key.changed()
	a.note(action, result.State, result.Evidence)
	return errors.Join(ended, a.Ledger.Seen(context.WithoutCancel(ctx), a.claim.Lease, []plugins.Result{result}))
}

// sameDeed names what an action does, so that it is known again in another
// plan. Deletes and archives can be looked at, and are no deeds of this kind.
func sameDeed(a plugins.Action) string {
	switch a.Kind {
	case plugins.KindCommand, plugins.KindCustom:
		return fmt.Sprintf("%s %q %q %v", a.Kind, a.Object, a.Items, a.Command)
	default:
		return ""
	}
}

// intend makes the intent of actions durable: nothing is done without one, and
// none is made of what the task does not allow. A lease that was lost stops the
// run.
func (a *applier) intend(ctx context.Context, actions []plugins.Action) error {
	if err := a.allowed(actions); err != nil {
		return err
	}
	err := a.Ledger.Intend(ctx, a.claim.Lease, actions)
	if errors.Is(err, ledger.ErrLeaseLost) {
		return stopped(finding.RunStopped, "%s: %v", a.job.target.Name, err)
	}
	return err
}

// maxTries is how often a command is sent whose plugin says that it was not
// done and may be sent again.
const maxTries = 3

// command sends a command and has the plugin confirm it: that it was accepted
// proves nothing (case 11).
func (a *applier) command(ctx context.Context, action plugins.Action) plugins.Result {
	within := cmp.Or(action.Within, commandWithin)
	var result plugins.Result
	for range maxTries {
		if err := a.claim.Check(ctx); err != nil {
			return plugins.Result{State: plugins.Failed, Evidence: "not sent: " + err.Error()}
		}
		step, cancel := context.WithTimeout(context.WithoutCancel(ctx), within)
		answer, state, err := a.writer.Do(step, action.Command)
		cancel()
		result = a.confirm(ctx, action, plugins.Result{State: state, Evidence: evidence(answer, err)}, within)
		if result.State != plugins.Retry || !a.wait(ctx, min(result.After, within)) {
			return result
		}
	}
	return plugins.Result{State: plugins.Failed, Evidence: fmt.Sprintf("not done after %d times: %s", maxTries, result.Evidence)}
}

// note writes down what became of an action.
func (a *applier) note(action plugins.Action, state plugins.State, evidence string) {
	level := a.Log.Debug
	if state != plugins.Done {
		level = a.Log.Warn
	}
	a.tell(level, action, state, evidence)
}

// tell writes it down, and in the log at a level.
func (a *applier) tell(level func(string, ...any), action plugins.Action, state plugins.State, evidence string) {
	a.results[action.ID] = plugins.Result{Action: action.ID, State: state, Evidence: evidence}
	if i, ok := a.place[action.ID]; ok {
		a.record.Actions[i].Outcome, a.record.Actions[i].Evidence = string(state), evidence
	}
	level("action", "target", a.job.target.Name, "policy", a.job.policy.Name, "action", action.ID, "object", action.Object, "outcome", state, "evidence", evidence)
}

// skip notes that actions were not attempted.
func (a *applier) skip(actions []plugins.Action, why string) {
	a.skipAll(slices.DeleteFunc(slices.Clone(actions), func(action plugins.Action) bool {
		_, ended := a.results[action.ID]
		return ended
	}), "not attempted: "+why)
}

// skipAll notes that actions are skipped for one reason, of which one warning is
// enough however many they are.
func (a *applier) skipAll(actions []plugins.Action, why string) {
	if len(actions) == 1 {
		a.note(actions[0], plugins.Skipped, why)
		return
	}
	for _, action := range actions {
		a.tell(a.Log.Debug, action, plugins.Skipped, why)
	}
	if len(actions) > 1 {
		a.Log.Warn("actions skipped", "target", a.job.target.Name, "policy", a.job.policy.Name, "actions", len(actions), "first", actions[0].Object, "evidence", why)
	}
}
