package recovery

import (
	"fmt"

	"github.com/mqhk/mqhk/core/finding"
)

// judgeCandidates gives the verdicts of what lies before the cut.
func (d *decider) judgeCandidates() {
	margin := d.back(max(d.cut, 0), d.promise.Margin)
	newest := d.back(len(d.Segments), d.promise.KeepNewest)
	behind := -1 // the first that is held: in an ordered log nothing after it may go
	for i := range d.Segments[:max(d.cut, 0)] {
		s := &d.Segments[i]
		if s.State == Absent || !s.holdsEntries() {
			continue
		}
		verdict := d.judge(i, margin, newest)
		if d.Ordered && behind >= 0 && verdict.Kind.Goes() {
			held := d.Segments[behind].ID
			verdict = Verdict{HoldBack, "behind", "waits behind " + held.String() + ": segments go oldest first"}
		}
		if behind < 0 && !verdict.Kind.Goes() {
			behind = i
		}
		d.verdicts[i] = verdict
	}
}

// judge gives the verdict of one segment before the cut, without regard to
// its neighbours.
func (d *decider) judge(i, margin, newest int) Verdict {
	s := &d.Segments[i]
	_, copied := d.copies[s.ID]
	switch {
	case d.blocked != nil && i >= d.needed:
		return Verdict{Keep, d.blocked.Reason, "a recovery reads it, and " + d.blocked.Why}
	case d.blocked != nil:
		return *d.blocked
	case i >= margin:
		return Verdict{Keep, "margin", fmt.Sprintf("one of the %d kept beyond what is needed", d.promise.Margin)}
	case i >= newest:
		return Verdict{Keep, "keep-newest", fmt.Sprintf("one of the %d newest", d.promise.KeepNewest)}
	case s.State == StateUnknown:
		return Verdict{HoldBack, string(finding.StateUnknown), "its status is not known"}
	case s.Pin != "":
		return Verdict{HoldBack, string(finding.RemoteBehind), s.Pin}
	case d.tooYoung(s):
		return Verdict{HoldBack, "min-age", fmt.Sprintf("not known to have been unneeded for %s", d.promise.MinAge)}
	case i >= d.needed && copied:
		return Verdict{Delete, "in-store", "a recovery still needs it, and it is in the store"}
	case i >= d.needed:
		return Verdict{ArchiveDelete, "needed-save-first", "a recovery still needs it: saved first"}
	case copied || s.State == Saved || s.State == Freed:
		return Verdict{Delete, "not-needed", "no recovery needs it, and it is saved"}
	}
	return d.judgeUnsaved()
}

// judgeUnsaved gives the verdict of a segment that no recovery needs and that
// was never saved (case 6: its deletion would raise the inquiry CPA7025).
func (d *decider) judgeUnsaved() Verdict {
	switch d.promise.Unsaved {
	case SaveUnsaved:
		return Verdict{ArchiveDelete, "unsaved-save-first", "no recovery needs it; never saved, so saved first"}
	case DeleteUnsaved:
		return Verdict{Delete, "unsaved-allowed", "no recovery needs it; never saved, and the policy lets it go so"}
	default:
		return Verdict{HoldBack, string(finding.NotSaved), "no recovery needs it, but it was never saved"}
	}
}

// tooYoung tells whether MinAge keeps the segment: it has to be known since
// when no need covered it, by the observations of earlier runs and never by
// file times (case 21).
func (d *decider) tooYoung(s *Segment) bool {
	if d.promise.MinAge <= 0 {
		return false
	}
	return s.Unneeded.IsZero() || d.Observed.Sub(s.Unneeded) < d.promise.MinAge
}

// back gives the index from which on the n newest segments lie that are on
// the system and older than index i.
func (d *decider) back(i, n int) int {
	for i > 0 && n > 0 {
		i--
		if d.onSystem(i) {
			n--
		}
	}
	return i
}

func (d *decider) onSystem(i int) bool {
	return d.Segments[i].State != Absent && d.Segments[i].holdsEntries()
}

// applyLimits holds what exceeds the limits of the promise. The share is
// taken of all that would go, before the count cuts it: a point that leapt
// is not made plausible by going in steps.
func (d *decider) applyLimits() {
	going, present := 0, 0
	for i := range d.Segments {
		if d.onSystem(i) {
			present++
		}
		if d.verdicts[i].Kind.Goes() {
			going++
		}
	}
	if limit := d.promise.MaxPercent; limit > 0 && going*100 > limit*present {
		d.findings = append(d.findings, finding.New(finding.TooMuchAtOnce,
			"%s: %d of %d segments would go, more than %d per cent", d.QueueManager, going, present, limit))
		d.holdFrom(0, Verdict{HoldBack, string(finding.TooMuchAtOnce), fmt.Sprintf("more than %d per cent would go at once", limit)})
		return
	}
	if limit := d.promise.MaxDeletes; limit > 0 && going > limit {
		d.findings = append(d.findings, finding.New(finding.LimitReached,
			"%s: %d segments could go, the oldest %d go", d.QueueManager, going, limit))
		d.holdFrom(limit, Verdict{HoldBack, string(finding.LimitReached), fmt.Sprintf("not among the oldest %d", limit)})
	}
}

// holdFrom holds all that would go but the oldest count.
func (d *decider) holdFrom(count int, verdict Verdict) {
	for i := range d.verdicts {
		if !d.verdicts[i].Kind.Goes() {
			continue
		}
		if count > 0 {
			count--
			continue
		}
		d.verdicts[i] = verdict
	}
}

// held are the reasons that are worth a finding of their own, in order.
var held = []struct {
	code finding.Code
	text string
}{
	{finding.NotSaved, "held: not needed, but never saved"},
	{finding.RemoteBehind, "held: not needed, but a remote journal may still want it"},
	{finding.StateUnknown, "held: the status is not known"},
	{finding.OnHold, "held by an operator"},
}

// report adds a finding for each reason that holds segments back.
func (d *decider) report() {
	for _, h := range held {
		var s span
		for i := range d.verdicts {
			if d.verdicts[i].Kind == HoldBack && d.verdicts[i].Reason == string(h.code) {
				s.add(d.Segments[i])
			}
		}
		if s.count > 0 {
			d.findings = append(d.findings, finding.New(h.code, "%s: %s %s", d.QueueManager, s, h.text))
		}
	}
}
