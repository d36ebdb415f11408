package recovery

import (
	"cmp"
	"strings"

	"github.com/mqhk/mqhk/core/finding"
)

// leaveToManager leaves what would go to the queue manager where that removes
// the pieces itself: no strategy changes anything about it. Where it waits for
// word that they are archived, all that are complete and not yet reported are
// to be archived, needed or not: they go as soon as they are superfluous. Those
// that the promise or the site keeps beyond that are copied and not reported.
//
// It knows of a restart and of media recovery, and of nothing else that the site
// needs the log for: of that a copy is to be made, since it may remove the piece
// at any time. That it was told of one as archived is no copy.
func (d *decider) leaveToManager() {
	if d.Remover == ByHousekeeper {
		return
	}
	unknown := d.reasonsFrom(d.unknownToManager)
	var wanted *Verdict // what the needs of the site say of segment i
	complete := d.complete()
	unreported := d.unreported()
	for i := range d.Segments {
		for len(unknown) > 0 && unknown[0].from <= i {
			wanted, unknown = &unknown[0].verdict, unknown[1:]
		}
		s, v := &d.Segments[i], &d.verdicts[i]
		if v.Kind.Goes() || v.Kind == HoldBack && (v.Reason == string(finding.NotSaved) || v.Reason == "behind") {
			*v = Verdict{Keep, "queue-manager-removes", "no recovery needs it; the queue manager removes or reuses it itself"}
			if i >= d.needed {
				v.Why = "a rebuild needs it; the queue manager removes or reuses it itself once nothing does"
			}
		}
		_, copied := d.copies[s.ID]
		switch {
		case d.blocked != nil || i >= d.current || s.State != Online && s.State != Saved:
		case d.Remover == OnceReported && s.State == Online:
			*v = Verdict{Archive, notArchived, "the queue manager waits for word that it is archived, and keeps it until then"}
			if held, ok := unreported(i); ok {
				*v = onlyCopied(held, copied)
			}
		case wanted != nil && !copied && i < complete:
			*v = *wanted
		}
	}
	d.limitReports()
}

// complete is the index of the first segment that may still be written to. Where
// only the error log tells the restart point nothing tells which one is written,
// but that it is none before that point.
func (d *decider) complete() int {
	complete := d.current
	for _, need := range d.Needs {
		if need.Kind == Restart && need.Logged {
			complete = min(complete, d.index(need.From))
		}
	}
	return complete
}

// unknownToManager words why segment i is to be copied: what needs it, of which
// the queue manager knows nothing.
func (d *decider) unknownToManager(i int) (Verdict, bool) {
	covering := d.covering(i, NeedKind.ofSite)
	var needs []string
	for kind := Restart; kind <= Hold; kind++ {
		if need, ok := covering[kind]; ok {
			needs = append(needs, cmp.Or(need.Source, "the "+need.describe()))
		}
	}
	return Verdict{Archive, "not-kept", "needed by " + strings.Join(needs, " and ") + ", and in no store; the queue manager knows nothing of that, and removes or reuses it itself"}, len(needs) > 0
}

// ofSite tells whether the site needs the range for something of which a queue
// manager that removes pieces itself knows nothing.
func (k NeedKind) ofSite() bool {
	return k == DataBackup || k == RecoverySet || k == Replay || k == Hold
}

// ToReport tells whether the queue manager waits for word that segment i is
// archived. Of others that are to be archived it has had word, or wants none.
func (m ManagerDecision) ToReport(i int) bool {
	return m.Verdicts[i].Kind == Archive && m.Verdicts[i].Reason == notArchived && m.Inventory.Remover == OnceReported && m.Inventory.Segments[i].State == Online
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
