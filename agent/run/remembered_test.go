package run

import (
	"strings"
	"testing"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

// history gives what the ledger answers later runs about earlier ones.
func (s *station) history() string {
	s.t.Helper()
	answer, err := s.ledger.Ask(s.t.Context(), observe.Question{Language: observe.History, QueueManager: "ORDERS", Text: observe.SegmentsQuestion})
	s.must(err)
	_, lines, _ := strings.Cut(string(answer.Body), "\n")
	return lines
}

// What a recorded run saw is remembered: where the recovery points stood, and
// since when segments are not needed. A dry run beside the ledger leaves
// nothing in it.
func TestSeenIsRemembered(t *testing.T) {
	s := newStation(t, 30)
	s.cl(changeReceiver, recordImages)
	if _, err := Plan(t.Context(), s.order(connect.Plan, "unsaved")); err != nil {
		t.Fatal(err)
	}
	if known, err := s.ledger.Known(t.Context(), "ORDERS"); err != nil || known || s.history() != "" {
		t.Fatalf("a plan that is not recorded is remembered: %v\n%s", err, s.history())
	}
	s.run(connect.Plan, "unsaved")
	planned := s.history()
	for _, kind := range []string{"restart", "media", "unneeded"} {
		if !strings.Contains(planned, ","+kind+",") {
			t.Errorf("of a recorded plan no %s is remembered:\n%s", kind, planned)
		}
	}
	unneeded := strings.Count(planned, ",unneeded,")
	record := s.run(connect.Apply, "unsaved")
	if left := strings.Count(s.history(), ",unneeded,"); record.Targets[0].ReadBack.Deleted == 0 || left != unneeded-record.Targets[0].ReadBack.Deleted {
		t.Errorf("%d of %d were deleted, and %d are still remembered", record.Targets[0].ReadBack.Deleted, unneeded, left)
	}
}

// What is deleted and stands in the list again is no success, whatever the
// system said.
func TestListedAgain(t *testing.T) {
	s := ready(t)
	newest := len(s.receivers()) - 1 // of those that go: none behind it finds out
	s.wrap = func(d connect.Dialer) connect.Dialer {
		w := tamper(d)
		w.remove = func(n int, next func() (observe.Answer, plugins.State, error)) (observe.Answer, plugins.State, error) {
			if n == newest {
				return observe.Answer{}, plugins.Done, nil
			}
			return next()
		}
		return w
	}
	record := s.run(connect.Apply, "unsaved")
	target := record.Targets[0]
	left := s.receivers()
	if len(left) != 2 {
		t.Fatalf("%v are left", left)
	}
	if f := target.Findings[0]; !strings.Contains(f.Text, left[0]+" was deleted and is listed again") || record.Run.Outcome != InPart {
		t.Errorf("%v, %s", f, record.Run.Outcome)
	}
	if target.ReadBack.Deleted != len(target.Actions)-1 || target.ReadBack.Segments != 2 {
		t.Errorf("%d actions: %+v", len(target.Actions), *target.ReadBack)
	}
}

// Of the same name another receiver may be attached at once: what was deleted
// is gone all the same.
func TestAnotherOfItsNameIsNotListedAgain(t *testing.T) {
	s := ready(t)
	r := newPlanner(s.order(connect.Apply, "unsaved"))
	a := r.newApplier(job{target: s.target})
	seen, err := a.look(t.Context())
	s.must(err)
	first := seen.inventories[0].Segments[0]
	for fingerprint, deleted := range map[string]int{first.Fingerprint: 0, first.Fingerprint + " and again": 1} {
		a.record = &ledger.Target{}
		a.deleted = map[recovery.SegmentID]int64{first.ID: 100}
		a.fingerprints = map[recovery.SegmentID]string{first.ID: fingerprint}
		s.must(a.readBack(t.Context()))
		if back := a.record.ReadBack; back.Deleted != deleted || back.BytesFreed != int64(deleted)*100 || len(a.record.Findings) != 1-deleted {
			t.Errorf("%q: %+v, %v", fingerprint, *back, a.record.Findings)
		}
	}
}
