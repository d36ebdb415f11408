package recovery

import "github.com/mqhk/mqhk/core/finding"

// leaveToManager leaves what would go to the queue manager where that removes
// the pieces itself: no strategy changes anything about it. Where it waits for
// word that they are archived, all that are complete and not yet reported are
// to be archived, needed or not: they go as soon as they are superfluous.
func (d *decider) leaveToManager() {
	if d.Remover == ByHousekeeper {
		return
	}
	for i := range d.Segments {
		s, v := &d.Segments[i], &d.verdicts[i]
		if v.Kind.Goes() || v.Kind == HoldBack && (v.Reason == string(finding.NotSaved) || v.Reason == "behind") {
			*v = Verdict{Keep, "queue-manager-removes", "no recovery needs it; the queue manager removes or reuses it itself"}
			if i >= d.needed {
				v.Why = "a rebuild needs it; the queue manager removes or reuses it itself once nothing does"
			}
		}
		if d.Remover == OnceReported && d.blocked == nil && i < d.current && s.State == Online {
			*v = Verdict{Archive, "not-archived", "the queue manager waits for word that it is archived, and keeps it until then"}
		}
	}
}

// onlyReport keeps all that would go by a promise that is weaker than the
// platform bears.
func (d *decider) onlyReport() {
	if d.Weakest == NoStrategy || d.promise.Strategy <= d.Weakest {
		return
	}
	count := 0
	for i := range d.verdicts {
		if d.verdicts[i].Kind.Goes() {
			d.verdicts[i] = Verdict{HoldBack, string(finding.ReportOnly), "would go under " + d.promise.Strategy.String() + ", which is only reported here"}
			count++
		}
	}
	if d.Remover == ByHousekeeper {
		d.findings = append(d.findings, finding.New(finding.ReportOnly,
			"%s: %s would let %d segments go; it is only reported, since all that a restart reads must be on the system of a running queue manager: without it the next start fails",
			d.QueueManager, d.promise.Strategy, count))
	}
}

// checkTrust fails where a recovery point is told by an error log alone and the
// promise does not trust it.
func (d *decider) checkTrust() {
	if d.promise.TrustErrorLog {
		return
	}
	for _, need := range d.Needs {
		if need.Logged {
			d.fail(finding.ErrorLogNotTrusted, "%s: only the error log tells the %s (%s), and the task does not say trust_error_log = true", d.QueueManager, need.describe(), need.Source)
			return
		}
	}
}
