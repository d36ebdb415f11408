package run

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/connect/local/standin"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
)

// A queue manager that was put back to an older state writes its extents anew
// past the copies of its former life, and one is lost: the copy of that name is
// none of it. A dry run that saw it go back has not to have been looked at.
func TestRestoreOfAnotherLife(t *testing.T) {
	manyProcesses(t)
	s := archived(t) // copies 100 to 114 of the first life
	s.change(func(m *standin.Manager) { m.Media, m.Restart = 104, 105 })
	s.run(connect.Plan, "fast-startup") // the ledger sees both points go back
	s.change(func(m *standin.Manager) { m.Media, m.Restart = 108, 115 })
	s.must(os.WriteFile(s.path(110), bytes.Repeat([]byte("second life "), 800)[:8192], 0o660))
	s.run(connect.Plan, "fast-startup")
	s.must(os.Remove(s.path(110)))
	o := RestoreOrder{Order: s.order(connect.Apply, "fast-startup"), Target: s.target, Needed: true, For: recovery.Media}
	list, err := Restore(t.Context(), o)
	if body, read := os.ReadFile(s.path(110)); read == nil {
		t.Errorf("%s of the other life was put into the log: %q (%+v, %v)", observe.ExtentName(110), body[:12], list, err)
	}
}

// Dry runs do not use the alarm up, however many. A run that applies stops for it
// once, and the next goes on in the new life: what is copied there stands beside
// the copies of the same names from before.
func TestPutBackStopsOnce(t *testing.T) {
	manyProcesses(t)
	s := archived(t)
	s.change(func(m *standin.Manager) { m.Media, m.Restart = 104, 105 })
	wentBack := func(mode connect.Mode) {
		t.Helper()
		target := s.run(mode, "fast-startup").Targets[0]
		if !strings.Contains(sayings(target), "point was in") && !strings.Contains(sayings(target), "had gone back") || len(target.Actions) > 0 {
			t.Errorf("%s: %s", sayings(target), extentOutcomes(target))
		}
	}
	wentBack(connect.Plan)
	s.change(func(m *standin.Manager) { m.Media, m.Restart = 108, 115 }) // both have caught up
	wentBack(connect.Plan)
	s.must(os.WriteFile(s.path(103), bytes.Repeat([]byte("second life "), 800)[:8192], 0o660))
	wentBack(connect.Apply)
	s.holdsFrom(100, 120)
	s.wants(s.run(connect.Apply, "saved").Targets[0], each(100, 107, "archive N done", "delete N done"))
	s.holdsFrom(108, 120)
	lives := map[bool]int{}
	for c, err := range s.keeper.List(t.Context(), s.target.Name) {
		s.must(err)
		if c.Segment.Name == observe.ExtentName(103) {
			lives[strings.Contains(c.Incarnation, "; life=")]++
		}
	}
	if lives[false] != 1 || lives[true] != 1 {
		t.Errorf("copies of %s before and since: %v", observe.ExtentName(103), lives)
	}
}
