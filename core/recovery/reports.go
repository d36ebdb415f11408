package recovery

import (
	"cmp"
	"fmt"

	"github.com/mqhk/mqhk/core/finding"
)

// notArchived is the reason of what the queue manager is to be told of.
const notArchived = "not-archived"

// unreported gives a function that says why the queue manager is not to be told
// yet that a segment is archived. What it was told of it removes or reuses as it
// sees fit (LogManagement=Archive; SET LOG, case 36), so that word of it is a
// delete by another hand: what a hold or another queue manager keeps, and what
// the counts and ages of the promise keep, is not to be reported.
//
// A data backup is no reason: a copy will do for it.
func (d *decider) unreported() func(i int) (Verdict, bool) {
	margin, newest := len(d.Segments), d.back(len(d.Segments), d.promise.KeepNewest)
	if d.promise.Margin > 0 {
		margin = d.back(max(d.cut, 0), d.promise.Margin)
	}
	hold, held := d.earliest(Hold)
	replay, replayed := d.earliest(Replay)
	return func(i int) (Verdict, bool) {
		switch {
		case i >= held:
			return Verdict{HoldBack, string(finding.OnHold), "held: " + hold.Source}, true
		case i >= replayed:
			return Verdict{Keep, "needed-" + Replay.String(), "needed by " + cmp.Or(replay.Source, "the "+replay.describe())}, true
		case i >= margin:
			return Verdict{Keep, "margin", fmt.Sprintf("not older than the %d that are kept beyond what is needed", d.promise.Margin)}, true
		case i >= newest:
			return Verdict{Keep, "keep-newest", fmt.Sprintf("one of the %d newest", d.promise.KeepNewest)}, true
		case d.tooYoung(&d.Segments[i]):
			return Verdict{Keep, "min-age", fmt.Sprintf("not known to have been unneeded for %s", d.promise.MinAge)}, true
		}
		return Verdict{}, false
	}
}

// earliest gives the need of a kind that begins first, and the index from which
// on it covers segments; beyond all of them where there is none.
func (d *decider) earliest(kind NeedKind) (Need, int) {
	var earliest Need
	from := len(d.Segments)
	for _, need := range d.Needs {
		if at := max(d.index(need.From), 0); need.Kind == kind && at < from {
			earliest, from = need, at
		}
	}
	return earliest, from
}

// onlyCopied is the verdict of a segment that the queue manager waits to hear of
// and is not to be told of yet: it is copied, once.
func onlyCopied(why Verdict, copied bool) Verdict {
	if copied {
		why.Why += "; the queue manager is not told yet that it is archived"
		return why
	}
	why.Why += "; copied, and the queue manager is not told yet that it is archived"
	why.Kind = Archive
	return why
}

// limitReports reports no more than MaxDeletes segments in one run, the oldest
// first.
func (d *decider) limitReports() {
	limit := d.promise.MaxDeletes
	if d.Remover != OnceReported || limit <= 0 {
		return
	}
	count := 0
	for i, v := range d.verdicts {
		if v.Kind != Archive || v.Reason != notArchived {
			continue
		}
		if count++; count > limit {
			_, copied := d.copies[d.Segments[i].ID]
			d.verdicts[i] = onlyCopied(Verdict{HoldBack, string(finding.LimitReached), fmt.Sprintf("not among the oldest %d", limit)}, copied)
		}
	}
	if count > limit {
		d.findings = append(d.findings, finding.New(finding.LimitReached,
			"%s: of %d segments the queue manager waits for word that they are archived; it is told of the oldest %d", d.QueueManager, count, limit))
	}
}
