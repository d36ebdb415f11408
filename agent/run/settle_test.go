package run

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

// What became of a delete of which nobody saw the end is told by the list, if
// that can be relied on: gone is also what is there under its name and is
// another (case 6).
func TestDeleteOfTheDead(t *testing.T) {
	log := keptLog{from: 3, to: 9, restart: 8, media: 7}
	torn := log.inventory()
	torn.Open = []finding.Finding{finding.New(finding.RunStopped, "the list is not whole")}
	doubtful := log.inventory()
	doubtful.Open = []finding.Finding{{Severity: finding.Warning, Text: "a clock went back"}}
	there := log.inventory().Segments[1]
	tests := []struct {
		name        string
		seen        look
		id          recovery.SegmentID
		fingerprint string
		want        plugins.State
	}{
		{"gone", lookOf(log.inventory()), receiverID(2), "attached 2 detached 3", plugins.Done},
		{"there", lookOf(log.inventory()), there.ID, there.Fingerprint, plugins.Failed},
		{"another of its name is there", lookOf(log.inventory()), there.ID, "attached 1 detached 2", plugins.Done},
		{"gone, by a list that is not whole", lookOf(torn), receiverID(2), "attached 2 detached 3", plugins.Unknown},
		{"another, by a list that is not whole", lookOf(torn), there.ID, "attached 1 detached 2", plugins.Unknown},
		{"there, by a list that is not whole", lookOf(torn), there.ID, there.Fingerprint, plugins.Unknown},
		{"gone, with a warning", lookOf(doubtful), receiverID(2), "attached 2 detached 3", plugins.Done},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			intent := ledger.OpenIntent{Action: plugins.Action{Kind: plugins.KindDelete, Segment: test.id, Fingerprint: test.fingerprint}}
			if got, evidence := new(applier).cameOf(t.Context(), intent, test.seen); got != test.want || evidence == "" {
				t.Errorf("%s, want %s: %s", got, test.want, evidence)
			}
		})
	}
}

// deleteOf is an action that deletes a receiver of a station.
func (s *station) deleteOf(id string) plugins.Action {
	segment := recovery.SegmentID{QueueManager: "ORDERS", Library: "QMORDERS", Name: id}
	return plugins.Action{ID: "delete-" + id, Kind: plugins.KindDelete, QueueManager: "ORDERS", Object: segment.String(), Segment: segment, Fingerprint: "of another"}
}

// What another process is at is left to it, and hinders nobody who acts on
// something else.
func TestLiveIntentIsLeftAlone(t *testing.T) {
	s := ready(t)
	receivers := s.receivers()
	lease, err := s.ledger.Claim(t.Context(), ledger.Firing{Target: "ORDERS", Task: "another", Policy: "another", Run: "alive", By: "another", For: time.Hour})
	s.must(err)
	s.must(s.ledger.Intend(t.Context(), lease, []plugins.Action{s.deleteOf(receivers[0])}))
	record := s.run(connect.Apply, "unsaved")
	if record.Run.Outcome != Applied || record.Targets[0].ReadBack.Deleted == 0 {
		t.Errorf("%s, %v %s", record.Run.Outcome, record.Targets[0].Findings, record.Targets[0].Error)
	}
	open, err := s.ledger.OpenIntents(t.Context(), "ORDERS")
	if err != nil || len(open) != 1 || open[0].Run != "alive" || open[0].State != "" {
		t.Errorf("%+v, %v", open, err)
	}
	s.must(s.ledger.Seen(t.Context(), lease, []plugins.Result{{Action: open[0].Action.ID, State: plugins.Skipped, Evidence: "it thought better of it"}}))
}

// A list that can't be had leaves open what the dead intended: the next run
// that sees it settles it.
func TestDeadIntentStaysOpenUnseen(t *testing.T) {
	s := ready(t)
	s.died(s.deleteOf(s.receivers()[0]))
	s.now = func() time.Time { return time.Now().Add(time.Hour) }
	blind := true
	s.wrap = func(d connect.Dialer) connect.Dialer {
		w := tamper(d)
		w.ask = func(_ int, q observe.Question) error {
			if blind && q.Language == observe.SQL && strings.Contains(q.Text, "RECEIVER") {
				return &observe.TimedOut{Question: q, After: time.Minute}
			}
			return nil
		}
		return w
	}
	before := s.receivers()
	record := s.run(connect.Apply, "unsaved")
	open, err := s.ledger.OpenIntents(t.Context(), "ORDERS")
	if err != nil || len(open) != 1 || open[0].State != plugins.Unknown || !hasFinding(record.Targets[0], finding.OutcomeUnknown) || !slices.Equal(s.receivers(), before) {
		t.Errorf("%+v, %v, %v", open, err, record.Targets[0].Findings)
	}
	blind = false
	if record := s.run(connect.Apply, "unsaved"); record.Run.Outcome != Applied || s.openActions() != 0 {
		t.Errorf("%s, %d open", record.Run.Outcome, s.openActions())
	}
}
