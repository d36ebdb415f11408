package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

// deletes does the deletes that are ready, oldest first, in batches that share
// an intent, and gives what is left. The first that is not done ends them all:
// nothing is ever deleted past a failure (case 9).
func (a *applier) deletes(ctx context.Context, open []plugins.Action) (left []plugins.Action, moved bool, err error) {
	batch, in := make([]plugins.Action, 0, ledger.MaxBatch), map[string]bool{}
	for i, action := range open {
		if !a.readyWith(action, in) {
			left = append(left, action)
			continue
		}
		batch, in[action.ID] = append(batch, action), true
		if len(batch) < ledger.MaxBatch {
			continue
		}
		whole, err := a.batch(ctx, batch)
		if err != nil || !whole {
			return append(left, open[i+1:]...), true, a.afterFailure(append(left, open[i+1:]...), err)
		}
		batch, in, moved = batch[:0], map[string]bool{}, true
	}
	if len(batch) == 0 {
		return left, moved, nil
	}
	whole, err := a.batch(ctx, batch)
	if err == nil && !whole {
		err = a.afterFailure(left, nil)
	}
	return left, true, err
}

// readyWith tells whether an action is a delete that waits for nothing but
// what is done, or is deleted before it in the same batch.
func (a *applier) readyWith(action plugins.Action, batch map[string]bool) bool {
	if action.Kind != plugins.KindDelete {
		return false
	}
	for _, id := range action.After {
		if a.results[id].State != plugins.Done && !batch[id] {
			return false
		}
	}
	return true
}

// afterFailure skips the deletes behind one that was not done; other actions
// may go on.
func (a *applier) afterFailure(open []plugins.Action, err error) error {
	for _, action := range open {
		if action.Kind == plugins.KindDelete {
			a.note(action, plugins.Skipped, "not attempted: one before it was not deleted")
		}
	}
	return err
}

// batch deletes segments under one intent. whole tells that all of them are
// gone. Whatever happens, the ledger learns what was seen of each.
func (a *applier) batch(ctx context.Context, batch []plugins.Action) (whole bool, err error) {
	if err := a.intend(ctx, batch); err != nil {
		a.skip(batch, err.Error())
		return false, err
	}
	results := make([]plugins.Result, 0, len(batch))
	whole = true
	for _, action := range batch {
		result := plugins.Result{State: plugins.Skipped, Evidence: "not attempted: one before it was not deleted"}
		switch {
		case err != nil:
			result.Evidence = "not attempted: " + err.Error()
		case whole:
			result, err = a.remove(ctx, action)
		}
		result.Action = action.ID
		whole = whole && result.State == plugins.Done
		a.note(action, result.State, result.Evidence)
		results = append(results, result)
	}
	seen := a.writer.Force(context.WithoutCancel(ctx)) // before the ledger says that they are gone
	if seen == nil {
		seen = a.Ledger.Seen(context.WithoutCancel(ctx), a.claim.Lease, results)
	}
	return whole, errors.Join(err, seen)
}

// remove deletes one segment, if the lease still stands and the second key
// lets it go. The error ends the run.
func (a *applier) remove(ctx context.Context, action plugins.Action) (plugins.Result, error) {
	skipped := func(err error) (plugins.Result, error) {
		return plugins.Result{State: plugins.Skipped, Evidence: "not attempted: " + err.Error()}, err
	}
	if ctx.Err() != nil {
		return skipped(context.Cause(ctx))
	}
	if err := a.key.refresh(ctx); err != nil {
		return skipped(err)
	}
	if limit := a.key.reached(); limit != "" {
		return plugins.Result{State: plugins.Skipped, Evidence: limit}, nil
	}
	if err := a.key.may(action); err != nil {
		return skipped(stopped(finding.GuardRefused, "%s: %v", a.job.target.Name, err))
	}
	segment, _ := a.key.seen.segment(action.Segment)
	left := a.claim.Left()
	if left <= 0 {
		return skipped(stopped(finding.RunStopped, "%s: %v", a.job.target.Name, ledger.ErrLeaseLost))
	}
	step, cancel := context.WithTimeout(context.WithoutCancel(ctx), min(left, cmp.Or(action.Within, deleteWithin)))
	answer, state, err := a.writer.Remove(step, action.Segment, neverSaved(segment))
	cancel()
	if state == plugins.Done {
		a.gone(segment)
		return plugins.Result{State: plugins.Done, Evidence: cmp.Or(evidence(answer, err), "the system said so")}, nil
	}
	return a.lookAfter(ctx, segment, answer, err), nil
}

// neverSaved tells whether the system would ask before it deletes the segment
// (CPA7025, case 6).
func neverSaved(s recovery.Segment) bool {
	return s.State != recovery.Saved && s.State != recovery.Freed
}

func (a *applier) gone(segment recovery.Segment) {
	a.key.gone()
	a.deleted[segment.ID] = segment.Bytes
	a.fingerprints[segment.ID] = segment.Fingerprint
}

// lookAfter looks what became of a delete that the system did not confirm: a
// number of a message, or a time that is over, says nothing. Gone is done; still
// there, and nothing that could delete it later, is failed; all else is unknown
// (case 6).
func (a *applier) lookAfter(ctx context.Context, segment recovery.Segment, answer observe.Answer, err error) plugins.Result {
	a.key.changed()
	said := evidence(answer, err)
	seen, looked := a.look(context.WithoutCancel(ctx))
	switch {
	case looked != nil:
		return plugins.Result{State: plugins.Unknown, Evidence: fmt.Sprintf("%s; it could not be looked at: %v", said, looked)}
	case seen.whole() != "":
		return plugins.Result{State: plugins.Unknown, Evidence: fmt.Sprintf("%s; the list does not tell: %s", said, seen.whole())}
	}
	var timeout *connect.Timeout
	switch there, ok := seen.segment(segment.ID); {
	case !ok || there.Fingerprint != segment.Fingerprint:
		a.gone(segment)
		return plugins.Result{State: plugins.Done, Evidence: said + "; looked again: it is gone"}
	case errors.As(err, &timeout) && !timeout.Ended:
		return plugins.Result{State: plugins.Unknown, Evidence: said + "; looked again: it is still there, and its job may still run"}
	default:
		return plugins.Result{State: plugins.Failed, Evidence: said + "; looked again: it is still there"}
	}
}
