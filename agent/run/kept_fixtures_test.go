package run

import (
	"fmt"
	"testing"
	"time"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/policies"
)

var keptMade = time.Date(2026, 5, 28, 2, 0, 0, 0, time.UTC)

var journalPlugin = ledger.Plugin{Name: "journal", Version: "1.0.0", SHA256: "5f1e"}

// keptLog is the log of ORDERS: receivers by number, and the marks in them.
type keptLog struct {
	from, to       int // on the system; to is attached
	restart, media int
}

func receiverName(n int) string { return fmt.Sprintf("AMQA%06d", n) }

func receiverID(n int) recovery.SegmentID {
	return recovery.SegmentID{QueueManager: "ORDERS", Library: "QMORDERS", Name: receiverName(n)}
}

// oldest is the oldest receiver in the line: the first on the system, or one
// that is gone and that a mark names.
func (l keptLog) oldest() int { return min(l.from, l.restart, l.media) }

// inventory gives the log as core/observe would.
func (l keptLog) inventory() recovery.Inventory {
	inv := recovery.Inventory{QueueManager: "ORDERS", Incarnation: "QMORDERS/AMQAJRN", Observed: keptMade, Ordered: true}
	for n := l.oldest(); n <= l.to; n++ {
		p := recovery.Position(n - l.oldest() + 1)
		s := recovery.Segment{ID: receiverID(n), From: p, To: p, Bytes: 100, State: recovery.Saved, Fingerprint: fmt.Sprintf("attached %d detached %d", n, n+1)}
		switch {
		case n < l.from:
			s.State, s.Bytes, s.Fingerprint = recovery.Absent, 0, ""
		case n == l.to:
			s.State, s.Fingerprint = recovery.Current, fmt.Sprintf("attached %d detached ", n)
		}
		inv.Segments = append(inv.Segments, s)
	}
	inv.Needs = []recovery.Need{l.need(recovery.Restart, "AMQ7460", l.restart), l.need(recovery.Media, "AMQ7462", l.media)}
	return inv
}

func (l keptLog) need(kind recovery.NeedKind, message string, n int) recovery.Need {
	entry := keptEntry(n, 0)
	return recovery.Need{Kind: kind, From: recovery.Position(n - l.oldest() + 1), Name: receiverName(n), Entry: entry, Source: message + " " + entry}
}

// keptEntry is the time of an entry in a receiver: one begins every minute.
func keptEntry(n, second int) string {
	return time.Date(2026, 5, 27, 0, n, second, 0, time.UTC).Format("2006-01-02 15:04:05")
}

// planOn deletes what no recovery needs, saved or not.
func planOn(inv recovery.Inventory) plugins.Plan {
	promise := recovery.Promise{Strategy: recovery.Conservative, Unsaved: recovery.DeleteUnsaved}
	plan := plugins.Plan{Decision: recovery.Decide([]recovery.Inventory{inv}, promise)}
	for i, v := range plan.Decision.Managers[0].Verdicts {
		if s := inv.Segments[i]; v.Kind.Goes() {
			plan.Actions = append(plan.Actions, plugins.Action{
				ID: "delete-" + s.ID.Name, QueueManager: "ORDERS", Kind: plugins.KindDelete, Object: s.ID.String(),
				Segment: s.ID, Fingerprint: s.Fingerprint, Within: 2 * time.Minute, Reason: v.Why,
			})
		}
	}
	return plan
}

func keptJob() job {
	return job{
		target: observe.Target{Name: "ORDERS", Platform: observe.IBMi},
		policy: policies.Policy{Name: "conservative"},
		task:   policies.Task{Name: "receivers", Plugin: "journal", Strategy: recovery.Conservative},
	}
}

// keptOn gives the kept plan of a log.
func keptOn(tb interface {
	Helper()
	Fatal(args ...any)
}, l keptLog) Kept {
	tb.Helper()
	k, err := KeepPlan(keptMade, "host1", []KeptTask{keepTask(keptJob(), journalPlugin, planOn(l.inventory()))})
	if err != nil {
		tb.Fatal(err)
	}
	return k
}

func presentOn(k Kept, inventories ...recovery.Inventory) Present {
	return Present{PolicyDigest: k.Tasks[0].PolicyDigest, Plugin: journalPlugin, Inventories: inventories}
}

func keptText(t *testing.T, k Kept) []byte {
	t.Helper()
	text, err := k.Text()
	if err != nil {
		t.Fatal(err)
	}
	return text
}
