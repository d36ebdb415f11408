package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

// deletes does the deletes that are ready, in batches that share an intent, and
// gives what is left. The first that is not done ends all of this run: nothing
// is ever deleted past a failure (case 9), whatever a plan says waits for what.
func (a *applier) deletes(ctx context.Context, open []plugins.Action) (left []plugins.Action, moved bool, err error) {
	left, moved, err = a.batches(ctx, open)
	return left, moved, errors.Join(err, a.force(ctx))
}

// batches does the deletes that are ready; what became of the last of them the
// ledger has still to hear.
func (a *applier) batches(ctx context.Context, open []plugins.Action) (left []plugins.Action, moved bool, err error) {
	for err == nil && a.stopped == "" {
		batch, rest := a.nextBatch(open)
		if len(batch) == 0 {
			return open, moved, nil
		}
		open, moved = rest, true
		err = a.batch(ctx, batch)
	}
	if err != nil || a.stopped == "" {
		return open, moved, err
	}
	for _, action := range open {
		if action.Kind == plugins.KindDelete {
			a.note(action, plugins.Skipped, "not attempted: "+a.stopped)
			moved = true
			continue
		}
		left = append(left, action)
	}
	return left, moved, nil
}

// nextBatch takes the deletes that are ready, as many as one intent covers.
func (a *applier) nextBatch(open []plugins.Action) (batch, rest []plugins.Action) {
	in := make(map[string]bool, ledger.MaxBatch)
	n := 0
	for n < len(open) && n < ledger.MaxBatch && a.readyWith(open[n], in) {
		in[open[n].ID] = true
		n++
	}
	batch, rest = open[:n:n], open[n:]
	if n == ledger.MaxBatch || n == len(open) {
		return batch, rest // of a long chain nothing is copied for each batch
	}
	rest = nil
	for i, action := range open[n:] {
		if len(batch) == ledger.MaxBatch {
			return batch, append(rest, open[n+i:]...)
		}
		if a.readyWith(action, in) {
			batch, in[action.ID] = append(batch, action), true
		} else {
			rest = append(rest, action)
		}
	}
	return batch, rest
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

// forcedTogether is how many deletes are made durable at once. Each batch has
// its intent on the disk before it begins; that outcomes come four batches at a
// time spares the disk of the log as many syncs, and after a crash a few more
// open intents are looked at.
const forcedTogether = 4 * ledger.MaxBatch

// force makes durable what was deleted, and only then tells the ledger.
func (a *applier) force(ctx context.Context) error {
	results := a.unheard
	if a.unheard = nil; len(results) == 0 {
		return nil
	}
	if err := a.writer.Force(context.WithoutCancel(ctx)); err != nil {
		return err
	}
	return a.Ledger.Seen(context.WithoutCancel(ctx), a.claim.Lease, results)
}

// batch deletes segments under one intent. Whatever happens, the ledger learns
// what was seen of each.
func (a *applier) batch(ctx context.Context, batch []plugins.Action) error {
	err := a.proveCopies(ctx, batch)
	if err == nil {
		err = a.intend(ctx, batch)
	}
	if err != nil {
		a.skip(batch, err.Error())
		return err
	}
	for _, action := range batch {
		var result plugins.Result
		switch {
		case err != nil:
			result = plugins.Result{State: plugins.Skipped, Evidence: "not attempted: " + err.Error()}
		case a.stopped != "":
			result = plugins.Result{State: plugins.Skipped, Evidence: "not attempted: " + a.stopped}
		default:
			result, err = a.remove(ctx, action)
		}
		result.Action = action.ID
		if result.State != plugins.Done && a.stopped == "" {
			a.stopped = fmt.Sprintf("%s before it was not deleted", action.Object)
		}
		a.note(action, result.State, result.Evidence)
		a.unheard = append(a.unheard, result)
	}
	if len(a.unheard) >= forcedTogether {
		err = errors.Join(err, a.force(ctx))
	}
	return err
}

// readBackHolds is how long the reading back of a copy is believed: a run may
// make copies for hours before it deletes.
const readBackHolds = 10 * time.Minute

// saved notes that this run has made a copy and read it back.
func (a *applier) saved(id recovery.SegmentID, state plugins.State) {
	if state == plugins.Done {
		a.savedBy[id] = a.Now()
	}
}

// savedLately tells whether this run has read back the copy of a segment a
// while ago at most.
func (a *applier) savedLately(id recovery.SegmentID) bool {
	at, ok := a.savedBy[id]
	age := a.Now().Sub(at)
	return ok && age >= 0 && age < readBackHolds
}

// proveCopies reads the copies on the strength of which segments may go, but
// for those that this run has read back lately.
func (a *applier) proveCopies(ctx context.Context, batch []plugins.Action) error {
	for _, action := range batch {
		if a.savedLately(action.Segment) || !a.key.leansOnCopy(action) || !a.key.seen.saved(action.Segment) {
			continue // of one without a copy the second key has its own word
		}
		if err := a.proveCopy(ctx, action.Segment); err != nil {
			return err
		}
	}
	return nil
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
	answer, state, err := a.writer.Remove(step, connect.Removal{Segment: action.Segment, Fingerprint: action.Fingerprint, Unsaved: neverSaved(segment)})
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
	switch why := seen.stands(segment.ID, segment.Fingerprint); {
	case why == "":
		a.gone(segment)
		return plugins.Result{State: plugins.Done, Evidence: said + "; looked again: it is gone"}
	case errors.As(err, &timeout) && !timeout.Ended:
		return plugins.Result{State: plugins.Unknown, Evidence: said + "; looked again: " + why + ", and its job may still run"}
	default:
		return plugins.Result{State: plugins.Failed, Evidence: said + "; looked again: " + why}
	}
}
