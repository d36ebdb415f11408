package run

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/agent/connect/local/standin"
	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
)

// reporting is a log under LogManagement=Archive, with extents that were
// reported before, one kept for reuse, and two that are formatted ahead.
func reporting(t *testing.T) *extentSite {
	t.Helper()
	s := newExtents(t, standin.Manager{Name: "QM1", Management: "Archive", First: 100, Current: 110, Restart: 106, Media: 104, Reuse: []int{98}})
	for _, ahead := range []int{111, 112} {
		s.must(os.WriteFile(s.path(ahead), make([]byte, 8192), 0o600))
	}
	return s
}

// reported gives the extents of which the queue manager was told that they are
// archived, in order.
func (s *extentSite) reported() []int {
	s.t.Helper()
	return s.manager().Reported
}

// Under LogManagement=Archive each complete extent that the queue manager waits
// to hear of is copied, and then it is told: none of the others. mqhk unlinks
// nothing; the queue manager itself takes what neither recovery needs. A second
// night tells nothing again (case 36).
func TestExtentsReported(t *testing.T) {
	s := reporting(t)
	s.hook.before = func(what string, id recovery.SegmentID) {
		_, number, _ := observe.ParseExtent(id.Name)
		switch content := s.contents(number, number)[number]; {
		case what == removes:
			t.Errorf("%s is unlinked", id)
		case what == marks && (content == "" || s.copies()[id.Name] != content):
			t.Errorf("the queue manager hears of %s before its copy is whole", id)
		}
	}
	s.wants(s.apply("conservative"), "") // it names no store
	s.wants(s.apply("saved"), each(100, 109, "archive N done", "mark-archived N done"))
	if want := []int{100, 101, 102, 103, 104, 105, 106, 107, 108, 109}; !slices.Equal(s.reported(), want) {
		t.Errorf("reported %v", s.reported())
	}
	if got, want := s.there(), []int{104, 105, 106, 107, 108, 109, 110, 111, 112}; !slices.Equal(got, want) {
		t.Errorf("%v are there", got)
	}
	s.wants(s.apply("saved"), "")
	for _, ahead := range []int{111, 112} { // the queue manager begins to write them
		s.must(os.Remove(s.path(ahead)))
	}
	s.must(s.host.Advance("QM1", 2))
	s.wants(s.apply("fast-startup"), each(110, 111, "archive N done", "mark-archived N done"))
}

// A queue manager that refuses to hear of one extent hears of the others: any
// order is allowed. The run says what was not done.
func TestExtentReportRefused(t *testing.T) {
	manyProcesses(t)
	s := reporting(t)
	s.hook.before = func(what string, id recovery.SegmentID) {
		if what == marks && id.Name == observe.ExtentName(103) {
			s.change(func(m *standin.Manager) { m.Management = "Manual" }) // for the command alone: qm.ini says Archive
		}
	}
	s.hook.after = func(what string, id recovery.SegmentID, _ bool) {
		if what == marks {
			s.change(func(m *standin.Manager) { m.Management = "Archive" })
		}
	}
	target := s.apply("saved")
	want := strings.Replace(each(100, 109, "archive N done", "mark-archived N done"), "mark-archived 103 done", "mark-archived 103 failed", 1)
	if got := extentOutcomes(target); got != want {
		t.Errorf("actions\n%s\nwant\n%s", got, want)
	}
	for _, a := range target.Actions {
		if a.Outcome == "failed" && !strings.Contains(a.Evidence, "refused") {
			t.Errorf("evidence %q", a.Evidence)
		}
	}
	if outcomeOf(target, false) != InPart || slices.Contains(s.reported(), 103) || len(s.reported()) != 9 {
		t.Errorf("%s, reported %v", outcomeOf(target, false), s.reported())
	}
	s.hook.before, s.hook.after = nil, nil
	// ARCHLOG names the oldest that waits, and nothing tells of the newer ones: word
	// of them is accepted again. The copies are there, and are compared with them.
	s.wants(s.apply("saved"), each(103, 109, "mark-archived N done"))
	if _, err := os.Stat(s.path(103)); err == nil {
		t.Error("the queue manager did not take what it was told of")
	}
}

// Who is not authorised to tell it is told so, and copies all the same: the next
// run reports them.
func TestExtentReportNotAuthorised(t *testing.T) {
	manyProcesses(t)
	s := reporting(t)
	s.hook.before = func(what string, _ recovery.SegmentID) {
		if what == marks {
			s.must(s.host.Behave("runmqsc", standin.Refusing))
		}
	}
	s.hook.after = func(what string, _ recovery.SegmentID, _ bool) {
		if what == marks {
			s.must(s.host.Behave("runmqsc", ""))
		}
	}
	target := s.apply("saved")
	if got, want := extentOutcomes(target), each(100, 109, "archive N done", "mark-archived N failed"); got != want {
		t.Errorf("actions\n%s\nwant\n%s", got, want)
	}
	if outcomeOf(target, false) != InPart || !strings.Contains(sayings(target), "AMQ8135E") || len(s.reported()) != 0 {
		t.Errorf("%s", sayings(target))
	}
	s.hook.before, s.hook.after = nil, nil
	s.wants(s.apply("saved"), each(100, 109, "mark-archived N done"))
}

// What can't be copied is not reported, and keeps no other back.
func TestExtentReportWantsItsCopy(t *testing.T) {
	manyProcesses(t)
	s := reporting(t)
	s.hook.before = func(what string, id recovery.SegmentID) {
		if what == saves && id.Name == observe.ExtentName(102) {
			s.must(os.Truncate(s.path(102), 4096)) // it is not what was planned any more
		}
	}
	target := s.apply("saved")
	for _, a := range target.Actions {
		n := strings.TrimLeft(a.Object[len(a.Object)-11:len(a.Object)-4], "0")
		switch {
		case a.Kind == "mark-archived" && n == "102" && a.Outcome == "done", n != "102" && n < "102" && a.Outcome != "done":
			t.Errorf("%s %s is %s: %s", a.Kind, n, a.Outcome, a.Evidence)
		}
	}
	if slices.Contains(s.reported(), 102) {
		t.Error("it was reported")
	}
}

// Where the store is gone, or full, nothing is reported.
func TestExtentReportWithoutStore(t *testing.T) {
	s := reporting(t)
	s.must(os.WriteFile(s.vault, []byte("in the place of the folder"), 0o600))
	target := s.apply("saved")
	for _, a := range target.Actions {
		if a.Outcome == "done" {
			t.Errorf("%s %s is done", a.Kind, a.Object)
		}
	}
	if len(s.reported()) != 0 || len(s.there()) != 13 || outcomeOf(target, false) == Applied {
		t.Errorf("reported %v, %v are there, %v", s.reported(), s.there(), target.Findings)
	}
}

// What another policy that applies keeps beyond the needs, the queue manager is
// not told of: it would take it as soon as it is superfluous. As with deletes,
// the run says whose promise it is, and does nothing.
func TestExtentReportWithOtherPolicies(t *testing.T) {
	manyProcesses(t)
	s := reporting(t)
	promise := recovery.Promise{Strategy: recovery.Conservative, Unsaved: recovery.HoldUnsaved}
	s.binds = func(observe.Target) []Binding { return []Binding{{"nightly", promise}} }
	promise.KeepNewest = 3
	target := s.apply("fast-startup")
	if !hasFinding(target, finding.GuardRefused) || !strings.Contains(sayings(target), "policy nightly") || len(s.reported()) != 0 || len(s.copies()) != 0 {
		t.Errorf("%s, reported %v", sayings(target), s.reported())
	}
	promise.KeepNewest = 0 // how it would delete holds nothing back
	s.wants(s.apply("fast-startup"), each(100, 109, "archive N done", "mark-archived N done"))
}

// A run that died had told the queue manager of all but the oldest extent.
// ARCHLOG names that one alone; with word of it the queue manager takes the
// others too, before their turn has come: there is nothing wrong with them.
func TestExtentReportsTakenMeanwhile(t *testing.T) {
	manyProcesses(t)
	s := reporting(t)
	s.apply("saved")
	s.must(os.Remove(s.path(111)))
	s.must(os.Remove(s.path(112)))
	s.must(s.host.Advance("QM1", 5))
	s.change(func(m *standin.Manager) { m.Restart, m.Media = 110, 110 })
	s.must(s.keeperHas(110, 114))
	s.change(func(m *standin.Manager) {
		m.Reported = append(m.Reported, 111, 112, 113)
		m.Restart, m.Media = 115, 115
	})
	s.wants(s.apply("saved"), each(110, 114, "mark-archived N done"))
	if got := s.there(); !slices.Equal(got, []int{115}) {
		t.Errorf("%v are there", got)
	}
}

// keeperHas has the store keep extents that no run has reported yet.
func (s *extentSite) keeperHas(from, to int) error {
	s.t.Helper()
	runs, err := s.ledger.Runs(s.t.Context(), ledger.Filter{Limit: 1})
	if err != nil {
		return err
	}
	seen := s.look()
	for n := from; n <= to; n++ {
		body, err := os.ReadFile(s.path(n))
		if err != nil {
			return err
		}
		s.put(seen, runs[0].ID, n, body)
	}
	return nil
}
