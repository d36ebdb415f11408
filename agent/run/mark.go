package run

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

// markArchived tells the queue manager that a copy of a segment is kept: from
// then on it may remove or reuse it at once, so that the copy has to be durable
// before (SET LOG, case 36). Its error ends the run.
func (a *applier) markArchived(ctx context.Context, action plugins.Action) (plugins.Result, error) {
	skipped := func(err error) (plugins.Result, error) {
		return plugins.Result{State: plugins.Skipped, Evidence: "not attempted: " + err.Error()}, err
	}
	if err := a.key.recent(ctx); err != nil {
		return skipped(err)
	}
	if a.heard(action.Segment) {
		return heardOf, nil
	}
	if err := a.key.each.AllowReport(action.Segment, action.Fingerprint); err != nil {
		return skipped(stopped(finding.GuardRefused, "%s: %v", a.job.target.Name, err))
	}
	if !a.savedLately(action.Segment) {
		if err := a.proveCopy(ctx, action.Segment); err != nil && a.heardMeanwhile(ctx, action.Segment) {
			return heardOf, nil
		} else if err != nil {
			return skipped(err)
		}
	}
	left := a.claim.Left()
	if left <= 0 {
		return skipped(stopped(finding.RunStopped, "%s: %v", a.job.target.Name, ledger.ErrLeaseLost))
	}
	step, cancel := context.WithTimeout(context.WithoutCancel(ctx), min(left, cmp.Or(action.Within, deleteWithin)))
	defer cancel()
	answer, state, err := a.writer.MarkArchived(step, action.Segment)
	if state != plugins.Done && a.heardMeanwhile(ctx, action.Segment) {
		return heardOf, nil
	}
	return plugins.Result{State: state, Evidence: cmp.Or(evidence(answer, err), "the queue manager said so")}, nil
}

// heardOf is what becomes of a report that nobody waits for any more.
var heardOf = plugins.Result{State: plugins.Done, Evidence: "looked again: the queue manager does not wait for it any more"}

// heard tells whether the queue manager does not wait for word of a segment, by
// the newest look: a run that died had told it, and with older ones out of the
// way it has taken that one too. ARCHLOG names only the oldest that waits.
func (a *applier) heard(id recovery.SegmentID) bool {
	if a.key.seen.whole() != "" || a.key.seen.others[id.Name] {
		return false
	}
	there, ok := a.key.seen.segment(id)
	return !ok || there.State == recovery.Saved
}

// heardMeanwhile looks again.
func (a *applier) heardMeanwhile(ctx context.Context, id recovery.SegmentID) bool {
	a.key.changed()
	return a.key.refresh(ctx) == nil && a.heard(id)
}

// proveCopy reads the copy of a segment that is on the system, and the segment
// where that can be read too: a copy that was whole when it was made may not be
// any more, and one of the same name may be of another life of the queue
// manager. A copy that is not whole is marked in its store, so that the second
// key refuses. The error is *Stopped, or that of the context.
func (a *applier) proveCopy(ctx context.Context, id recovery.SegmentID) error {
	c, ok := a.key.seen.copyOf(id)
	if !ok {
		return stopped(finding.CopyDamaged, "%s: no store has a whole copy of %s", a.job.target.Name, id)
	}
	keeper, known := a.Keepers[c.Store]
	if !known {
		return stopped(finding.CopyDamaged, "%s: %s may go only with a whole copy, and store %s is not here to be read", a.job.target.Name, id, c.Store)
	}
	step, cancel := context.WithTimeout(context.WithoutCancel(ctx), archiveWithin)
	defer cancel()
	err := keeper.Verify(step, c)
	if err == nil && a.key.seen.directory != "" {
		err = a.sameAsCopy(step, c)
	}
	if err != nil {
		return stopped(finding.CopyDamaged, "%s: %s may go only with a whole copy: %v", a.job.target.Name, id, err)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// errOther says that a segment and the copy of its name are not alike.
var errOther = errors.New("the copy in the store is not of this segment: their contents differ")

// sameAsCopy compares a segment that is a file with its copy. Numbers come again
// when a queue manager was put back to an older state, and nothing but the
// content tells such extents apart.
func (a *applier) sameAsCopy(ctx context.Context, c recovery.Copy) error {
	content, err := a.writer.Save(ctx, c.Segment, a.Stores[c.Store])
	if err != nil {
		return err
	}
	sum := sha256.New()
	_, err = io.Copy(sum, content)
	if err := errors.Join(err, content.Close()); err != nil {
		return fmt.Errorf("reading %s: %w", c.Segment, err)
	}
	if hex.EncodeToString(sum.Sum(nil)) != c.SHA256 {
		return errOther
	}
	return nil
}
