package run

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/connect/local/standin"
	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

// diesAfter leaves what a process has intended that died at it: the claim runs
// out an hour later.
func (s *extentSite) diesAfter(actions ...plugins.Action) {
	s.t.Helper()
	lease, err := s.ledger.Claim(s.t.Context(), ledger.Firing{Target: "QM1", Task: ApplyTask, Policy: "saved", Run: "died", By: "a test", For: time.Minute})
	s.must(err)
	for _, one := range batches(actions) {
		s.must(s.ledger.Intend(s.t.Context(), lease, one))
	}
	s.shift.Add(int64(time.Hour))
}

// batches gives deletes together, and each other action by itself.
func batches(actions []plugins.Action) [][]plugins.Action {
	var all [][]plugins.Action
	for _, a := range actions {
		if n := len(all); n > 0 && a.Kind == plugins.KindDelete && all[n-1][0].Kind == plugins.KindDelete {
			all[n-1] = append(all[n-1], a)
			continue
		}
		all = append(all, []plugins.Action{a})
	}
	return all
}

// action is one on an extent as it lies there now.
func (s *extentSite) action(kind plugins.Kind, number int) plugins.Action {
	s.t.Helper()
	id := recovery.SegmentID{QueueManager: "QM1", Name: observe.ExtentName(number)}
	segment, ok := s.look().segment(id)
	if !ok {
		s.t.Fatalf("%d is not there", number)
	}
	a := plugins.Action{ID: string(kind) + id.Name, Kind: kind, QueueManager: "QM1", Object: s.path(number), Segment: id, Fingerprint: segment.Fingerprint}
	if kind == plugins.KindArchive {
		a.Store = "vault"
	}
	return a
}

// settled gives what the ledger says became of the dead run's actions.
func (s *extentSite) settled() map[string]string {
	s.t.Helper()
	open, err := s.ledger.OpenIntents(s.t.Context(), "QM1")
	s.must(err)
	found := map[string]string{}
	for _, o := range open {
		found[o.Action.ID] = string(o.State)
	}
	return found
}

// An applier that died in the middle of its deletes: the next run finds out
// which are gone, deletes the others, and none twice.
func TestExtentsDiedDeleting(t *testing.T) {
	s := newExtents(t, case18())
	s.run(connect.Plan, "conservative")
	var intended []plugins.Action
	for n := 100; n < 112; n++ {
		intended = append(intended, s.action(plugins.KindDelete, n))
	}
	s.diesAfter(intended...)
	for n := 100; n < 105; n++ { // so far it came
		s.must(os.Remove(s.path(n)))
	}
	s.wants(s.run(connect.Apply, "conservative").Targets[0], each(105, 111, "delete N done"))
	s.holdsFrom(112, 130)
	if open := s.settled(); len(open) != 0 {
		t.Errorf("open: %v", open)
	}
	if _, err := s.ledger.Verify(t.Context()); err != nil {
		t.Error(err)
	}
}

// One that died after a delete, and what it deleted was restored before the
// next run: the file is there, and nobody says that it is gone.
func TestExtentsDiedAndRestored(t *testing.T) {
	manyProcesses(t)
	s := newExtents(t, longMedia())
	s.run(connect.Plan, "fast-startup")
	var doomed []plugins.Action
	for n := 100; n < 115; n++ {
		doomed = append(doomed, s.action(plugins.KindDelete, n))
	}
	s.wants(s.run(connect.Apply, "fast-startup").Targets[0], each(100, 114, "archive N done", "delete N done"))
	s.diesAfter(doomed[8:]...) // as if nobody had seen the end of these
	list, err := s.restoreFor(connect.Apply, recovery.Media)
	if err != nil || len(list) != 7 {
		t.Fatalf("%v, %v", list, err)
	}
	a := s.applierOn("fast-startup")
	seen, err := a.look(t.Context())
	s.must(err)
	for _, one := range doomed[8:] {
		if state, evidence := a.cameOf(t.Context(), ledger.OpenIntent{Action: one}, seen); state != plugins.Failed || !strings.Contains(evidence, "it is there") {
			t.Errorf("%s: %s, %s", one.Object, state, evidence)
		}
	}
	s.wants(s.run(connect.Apply, "fast-startup").Targets[0], "") // it is held
	s.holdsFrom(108, 120)
}

// applierOn is one of a run that has not begun.
func (s *extentSite) applierOn(policy string) *applier {
	s.t.Helper()
	return newPlanner(s.order(connect.Apply, policy)).newApplier(job{target: s.target})
}

// An applier that died between the copy and the word to the queue manager, or
// before anybody saw what became of either: the next run copies nothing twice,
// and tells the queue manager of what it still waits for.
func TestExtentsDiedReporting(t *testing.T) {
	manyProcesses(t)
	s := newExtents(t, standin.Manager{Name: "QM1", Management: "Archive", First: 100, Current: 106, Restart: 100, Media: 100})
	by := s.run(connect.Plan, "saved").Run.ID
	seen := s.look()
	copyOf := func(n int) {
		body, err := os.ReadFile(s.path(n))
		s.must(err)
		s.put(seen, by, n, body)
	}
	copyOf(100)
	copyOf(101)
	s.diesAfter(s.action(plugins.KindArchive, 100), s.action(plugins.KindMarkArchived, 100), // copied and told
		s.action(plugins.KindArchive, 101), s.action(plugins.KindMarkArchived, 101), // copied, not told
		s.action(plugins.KindArchive, 102)) // neither
	s.change(func(m *standin.Manager) { m.Reported = []int{100} })
	want := "mark-archived 101 done, " + each(102, 105, "archive N done", "mark-archived N done")
	s.wants(s.run(connect.Apply, "saved").Targets[0], want)
	if open := s.settled(); len(open) != 0 {
		t.Errorf("open: %v", open)
	}
	if m := s.manager(); len(m.Reported) != 6 || len(s.copies()) != 6 {
		t.Errorf("reported %v, %d copies", m.Reported, len(s.copies()))
	}
	s.holdsFrom(100, 106)
}

// The ledger fails when an outcome is to be written: the run ends, and the next
// one finds out.
func TestExtentsLedgerFails(t *testing.T) {
	s := newExtents(t, case18())
	s.run(connect.Plan, "conservative")
	s.hook.after = func(what string, _ recovery.SegmentID, _ bool) {
		if what == forces {
			s.must(s.ledger.Close())
		}
	}
	if record, err := Run(t.Context(), s.order(connect.Apply, "conservative")); err == nil {
		t.Errorf("%s", record.Run.Outcome)
	}
	s.holdsFrom(112, 130)
	s.hook.after = nil
	s.reopen()
	s.shift.Add(int64(time.Hour))
	s.wants(s.run(connect.Apply, "conservative").Targets[0], "")
	if open := s.settled(); len(open) != 0 {
		t.Errorf("open: %v", open)
	}
}
