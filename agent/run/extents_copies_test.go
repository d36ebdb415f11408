package run

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/connect/local/standin"
	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
)

// look observes the log as a run does.
func (s *extentSite) look() look {
	s.t.Helper()
	r := newPlanner(s.order(connect.Plan, "saved"))
	var seen look
	s.must(r.observing(s.t.Context(), s.target, func(o *observation) {
		var err error
		seen, err = lookAt(s.t.Context(), o.view(), s.target)
		s.must(err)
	}))
	return seen
}

// put has the store keep a content as the copy of an extent of this log, which
// a run made that the ledger knows.
func (s *extentSite) put(seen look, by string, number int, content []byte) {
	s.t.Helper()
	segment, ok := seen.segment(recovery.SegmentID{QueueManager: "QM1", Name: observe.ExtentName(number)})
	if !ok {
		s.t.Fatalf("%d is not there", number)
	}
	facts := seen.pieces[segment.ID].facts
	facts.Bytes, facts.Run = int64(len(content)), by
	_, err := s.keeper.Put(s.t.Context(), segment, facts, bytes.NewReader(content))
	s.must(err)
}

// archived is a log of which all that lies before the restart point is in the
// store already.
func archived(t *testing.T) *extentSite {
	t.Helper()
	s := newExtents(t, longMedia())
	by := s.run(connect.Plan, "fast-startup").Run.ID
	seen := s.look()
	for n := 100; n < 115; n++ {
		body, err := os.ReadFile(s.path(n))
		s.must(err)
		s.put(seen, by, n, body)
	}
	return s
}

// stays checks that a run deleted nothing from an extent on, and says why.
func (s *extentSite) stays(target ledger.Target, from int, says string) {
	s.t.Helper()
	if !strings.Contains(sayings(target), says) || outcomeOf(target, false) == Applied {
		s.t.Errorf("it does not say %q: %s", says, sayings(target))
	}
	if got := s.contents(from, 120); len(got) != 120-from+1 {
		s.t.Errorf("%d are left from %d on", len(got), from)
	}
}

// What is in the store, whole and of this very extent, is not saved again.
func TestExtentsGoByTheirCopies(t *testing.T) {
	s := archived(t)
	s.wants(s.apply("fast-startup"), each(100, 114, "delete N done"))
	s.holdsFrom(115, 120)
}

// A queue manager that was put back to an older state writes other extents of
// the same names: no copy of the old ones lets them go, nor is it told that
// they are archived.
func TestExtentsOfAnotherLife(t *testing.T) {
	manyProcesses(t)
	for _, management := range []string{"Manual", "Archive"} {
		t.Run(management, func(t *testing.T) {
			s := archived(t)
			s.rewrite("LogManagement=Manual", "LogManagement="+management)
			s.change(func(m *standin.Manager) { m.Management = management })
			other := bytes.Repeat([]byte("put back "), 1000)[:8192]
			s.must(os.WriteFile(s.path(105), other, 0o660))
			target := s.apply("fast-startup")
			from := 100
			if management == "Archive" { // of the older ones it heard before, and took them
				from = 105
			}
			s.stays(target, from, "their contents differ")
			if !hasFinding(target, finding.CopyDamaged) {
				t.Errorf("findings %v", target.Findings)
			}
			if management == "Archive" && slices.Contains(s.manager().Reported, 105) {
				t.Errorf("reported %v", s.manager().Reported)
			}
		})
	}
}

// A copy of another size is of another content: the extent is to be saved, and
// the store does not write over the one that it has.
func TestExtentDiffersFromItsCopy(t *testing.T) {
	manyProcesses(t)
	s := newExtents(t, longMedia())
	by := s.run(connect.Plan, "fast-startup").Run.ID
	s.put(s.look(), by, 105, []byte("of another life"))
	target := s.apply("fast-startup")
	s.stays(target, 105, "another content of the same segment")
	if got := s.there(); got[0] != 105 {
		t.Errorf("%v are there", got)
	}
}

// A copy of another incarnation is none of this log, whatever it holds: the
// extent is saved beside it.
func TestExtentOfAnotherIncarnation(t *testing.T) {
	manyProcesses(t)
	s := archived(t)
	before := len(s.manifestsOf(105))
	s.change(func(m *standin.Manager) { m.ID = "QM1_2026-11-11_11.11.11" })
	target := s.apply("fast-startup") // the ledger knows the target: its points did not go back
	if outcomeOf(target, false) == Applied && len(s.manifestsOf(105)) != before+1 {
		t.Errorf("%d copies: %s", len(s.manifestsOf(105)), sayings(target))
	}
	s.wants(target, each(100, 114, "archive N done", "delete N done"))
}

// A flipped bit in a stored frame: the run that leans on the copy stops before
// anything is deleted, and marks it. The next one saves the extent again.
func TestExtentCopyFlipped(t *testing.T) {
	manyProcesses(t)
	s := archived(t)
	s.flip(105)
	s.stays(s.apply("fast-startup"), 100, "S0000105.LOG may go only with a whole copy")
	target := s.apply("fast-startup")
	if !strings.Contains(extentOutcomes(target), "archive 105 done, delete 105 done") {
		t.Errorf("%s: %s", extentOutcomes(target), sayings(target))
	}
	s.holdsFrom(115, 120)
}

// Two archived files that were swapped on disk: reading the copies names both,
// and a run that leans on them stops.
func TestExtentCopiesSwapped(t *testing.T) {
	s := archived(t)
	a, b := s.copyFile(103), s.copyFile(110)
	s.must(os.Rename(a, a+".x"))
	s.must(os.Rename(b, a))
	s.must(os.Rename(a+".x", b))
	s.stays(s.apply("fast-startup"), 100, "S0000103.LOG may go only with a whole copy")
	var named []string
	for c, err := range s.keeper.List(t.Context(), "QM1") {
		s.must(err)
		if err := s.keeper.Verify(t.Context(), c); err != nil {
			named = append(named, c.Segment.Name)
		}
	}
	if got := strings.Join(named, " "); got != "S0000103.LOG S0000110.LOG" {
		t.Errorf("named: %s", got)
	}
}
