package run

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

// settle looks at what earlier runs intended and did not live to see the end
// of: done, not done, or unknown. Nothing is done twice blindly: what is known
// not to have been done is planned anew, and a command of which nobody can
// tell is not sent again.
func (a *applier) settle(ctx context.Context) error {
	open, err := a.Ledger.OpenIntents(ctx, a.job.target.Name)
	if err != nil || len(open) == 0 {
		return err
	}
	seen, err := a.look(ctx)
	if err != nil {
		return err
	}
	var found []ledger.Settlement
	for _, o := range open {
		if o.Live {
			continue
		}
		state, evidence := a.cameOf(ctx, o, seen)
		a.Log.Info("an earlier run left this open", "target", a.job.target.Name, "run", o.Run, "action", o.Action.ID, "object", o.Action.Object, "outcome", state, "evidence", evidence)
		if state == plugins.Unknown {
			if deed := sameDeed(o.Action); deed != "" {
				a.unclear[deed] = evidence
			}
			a.extra = append(a.extra, finding.New(finding.OutcomeUnknown, "%s: run %s intended %s %s: %s", a.job.target.Name, o.Run, o.Action.Kind, o.Action.Object, evidence))
		}
		found = append(found, ledger.Settlement{Intent: o.ID, State: state, Evidence: evidence})
	}
	return a.Ledger.Settle(ctx, a.claim.Lease, found)
}

// cameOf says what became of an action that nobody saw the end of.
func (a *applier) cameOf(ctx context.Context, open ledger.OpenIntent, seen look) (plugins.State, string) {
	switch action := open.Action; action.Kind {
	case plugins.KindDelete:
		switch why := seen.stands(action.Segment, action.Fingerprint); {
		case seen.whole() != "":
			return plugins.Unknown, "the list does not tell: " + seen.whole()
		case why == "":
			return plugins.Done, "looked afterwards: it is gone"
		default:
			return plugins.Failed, "looked afterwards: " + why
		}
	case plugins.KindArchive:
		state, evidence := plugins.Failed, "looked afterwards: the store has no copy"
		if seen.saved(action.Segment) {
			state, evidence = plugins.Done, "looked afterwards: the store has a verified copy"
		}
		if err := a.discard(ctx, action); err != nil {
			evidence += fmt.Sprintf("; what was written for it is still there: %v", err)
		}
		return state, evidence
	case plugins.KindMarkArchived:
		there, ok := seen.segment(action.Segment)
		switch {
		case seen.whole() != "":
			return plugins.Unknown, "the list does not tell: " + seen.whole()
		case !ok || there.State == recovery.Saved:
			return plugins.Done, "looked afterwards: the queue manager does not wait for it any more"
		default:
			return plugins.Failed, "looked afterwards: the queue manager still waits for it"
		}
	case plugins.KindCommand:
		return a.confirmLate(ctx, action, open.At)
	case plugins.KindAlert:
		return plugins.Failed, "not known to have been given"
	default:
		return plugins.Unknown, "nobody saw its end"
	}
}

// discard takes away what a save has left that was cut short, before its copy
// was whole or after.
func (a *applier) discard(ctx context.Context, action plugins.Action) error {
	if err := a.open(ctx); err != nil {
		return err
	}
	return a.writer.Discard(ctx, action.Segment, a.Stores[action.Store])
}

// confirmLate has the plugin look for what a command of an earlier run left.
// One that has not shown when its time is over will not: held for pending any
// longer it would never be sent again.
func (a *applier) confirmLate(ctx context.Context, action plugins.Action, since time.Time) (plugins.State, string) {
	if !a.described.Confirms() {
		return plugins.Unknown, "nobody saw its end, and the plugin can't tell"
	}
	within := cmp.Or(action.Within, commandWithin)
	said, err := a.confirmOnce(ctx, action, commandWithin)
	switch {
	case err != nil:
		return plugins.Unknown, err.Error()
	case said.State == plugins.Pending && a.Now().Sub(since) >= within:
		return plugins.Failed, fmt.Sprintf("nothing came of it within %s: %s", within, said.Evidence)
	case said.State == plugins.Pending:
		return plugins.Unknown, "pending: " + said.Evidence
	default:
		said = settledResult(said)
		return said.State, said.Evidence
	}
}
