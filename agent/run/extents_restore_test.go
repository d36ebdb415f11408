package run

import (
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/connect/local/standin"
	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/agent/store"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

// restoreFor brings back what one recovery needs; with names those instead.
func (s *extentSite) restoreFor(mode connect.Mode, kind recovery.NeedKind, names ...string) ([]Restored, error) {
	s.t.Helper()
	return Restore(s.t.Context(), RestoreOrder{Order: s.order(mode, "saved"), Target: s.target, Needed: len(names) == 0, For: kind, Segments: names})
}

// restoredNumbers writes what became of extents: "107 done, 106 failed".
func restoredNumbers(list []Restored) string {
	var words []string
	for _, one := range list {
		words = append(words, strings.TrimLeft(one.Segment.Name[1:8], "0")+" "+string(one.State))
	}
	return strings.Join(words, ", ")
}

// manifests gives those of the store by extent.
func (s *extentSite) manifests() map[string]store.Manifest {
	s.t.Helper()
	all := map[string]store.Manifest{}
	for e, err := range s.keeper.(store.Catalogue).Entries(s.t.Context(), s.target.Name) {
		s.must(err)
		if e.Problem != nil {
			s.t.Errorf("copy of %s: %v", e.Manifest.Segment, e.Problem)
		}
		all[e.Manifest.Segment] = e.Manifest
	}
	return all
}

// manifestsOf gives those of one extent.
func (s *extentSite) manifestsOf(number int) []store.Manifest {
	s.t.Helper()
	var list []store.Manifest
	for e, err := range s.keeper.(store.Catalogue).Entries(s.t.Context(), s.target.Name) {
		if s.must(err); e.Manifest.Segment == observe.ExtentName(number) {
			list = append(list, e.Manifest)
		}
	}
	return list
}

// Saved first: the copy of each extent is whole, read back and says what log it
// is of before the extent goes.
func TestExtentsSavedFirst(t *testing.T) {
	s := newExtents(t, case18())
	contents := s.contents(100, 130)
	s.hook.before = func(what string, id recovery.SegmentID) {
		if what != removes {
			return
		}
		_, number, err := observe.ParseExtent(id.Name)
		if m := s.manifests()[id.Name]; err != nil || m.SHA256 != contents[number] {
			t.Errorf("%s goes before its copy is whole: %+v", id, m)
		}
	}
	target := s.apply("saved")
	s.wants(target, each(100, 111, "archive N done", "delete N done"))
	s.holdsFrom(112, 130)
	kept := s.manifests()
	if len(kept) != 12 {
		t.Errorf("%d copies", len(kept))
	}
	for name, m := range kept {
		if !strings.Contains(m.Incarnation, "qmid=QM1_2026-05-01_08.00.00") || m.Bytes != 8192 || m.Mode == "" || m.Owner == "" ||
			m.Origin != filepath.Join(s.log, name) || m.First != strings.TrimLeft(name[1:8], "0") || len(m.Marks) != 2 || m.Run == "" {
			t.Errorf("manifest %+v", m)
		}
	}
}

// What only media recovery needs is saved and goes; archive restore --for media
// brings exactly that back, byte for byte, with mode and owner of the
// neighbours, and holds it: it is there the next night too.
func TestExtentsRestoredForMedia(t *testing.T) {
	s := newExtents(t, longMedia())
	before := s.contents(108, 120)
	for n := 108; n <= 120; n++ {
		s.must(os.Chmod(s.path(n), 0o640))
	}
	target := s.apply("fast-startup")
	s.wants(target, each(100, 114, "archive N done", "delete N done"))
	if back := target.ReadBack.Outlook; back.Restart.Ready != recovery.AtOnce.String() || back.Rebuild.Ready != recovery.RestoreFirst.String() {
		t.Errorf("outlook %+v", back)
	}
	if list, err := s.restoreFor(connect.Apply, recovery.Restart); err != nil || len(list) != 0 {
		t.Errorf("a restart needs nothing: %v, %v", list, err)
	}
	dry, err := s.restoreFor(connect.Plan, recovery.Media)
	s.must(err)
	s.holdsFrom(115, 120)
	list, err := s.restoreFor(connect.Apply, recovery.Media)
	s.must(err)
	if got, want := restoredNumbers(list), "114 done, 113 done, 112 done, 111 done, 110 done, 109 done, 108 done"; got != want || len(dry) != len(list) {
		t.Errorf("restored %s, planned %s", got, restoredNumbers(dry))
	}
	s.holdsFrom(108, 120)
	if now := s.contents(108, 120); !maps.Equal(now, before) {
		t.Error("what was restored is not what was there")
	}
	for n := 108; n < 115; n++ {
		info, err := os.Stat(s.path(n))
		s.must(err)
		if info.Mode().Perm() != 0o640 {
			t.Errorf("%d has mode %s", n, info.Mode())
		}
	}
	holds, err := s.ledger.Holds(t.Context(), "QM1")
	s.must(err)
	if len(holds) != 1 || holds[0].Segment != observe.ExtentName(108) || !holds[0].UntilStart {
		t.Errorf("held: %+v", holds)
	}
	s.must(s.host.Advance("QM1", 2))
	s.wants(s.apply("fast-startup"), "")
	s.holdsFrom(108, 122)
	if list, err := s.restoreFor(connect.Apply, recovery.Media); err != nil || len(list) != 0 {
		t.Errorf("nothing is missing any more: %v, %v", list, err)
	}
	named, err := s.restoreFor(connect.Apply, 0, "S0000105.LOG..S0000109.LOG")
	s.must(err)
	if got, want := restoredNumbers(named), "109 skipped, 108 skipped, 107 done, 106 done, 105 done"; got != want {
		t.Errorf("by name: %s", got)
	}
}

// A queue manager that does not start, since somebody removed by hand what a
// restart reads while it was stopped: where the points were is known from
// earlier sightings, and what lies from there on is brought back.
func TestExtentsRestoredForRestart(t *testing.T) {
	manyProcesses(t)
	m := longMedia()
	m.Management = "Archive"
	s := newExtents(t, m)
	before := s.contents(100, 120)
	s.apply("saved")
	s.change(func(m *standin.Manager) { m.Ended = true })
	for _, lost := range []int{110, 116, 117} { // one that only a rebuild reads, and two that a restart does
		s.must(os.Remove(s.path(lost)))
	}
	if target := s.run(connect.Plan, "saved").Targets[0]; len(target.Actions) != 0 || !critical(target) {
		t.Errorf("%v", target.Findings)
	}
	list, err := s.restoreFor(connect.Apply, recovery.Restart)
	s.must(err)
	if got := restoredNumbers(list); got != "117 done, 116 done" {
		t.Errorf("restored %s: %+v", got, list)
	}
	now := s.contents(108, 120)
	for n, digest := range now {
		if before[n] != digest {
			t.Errorf("%d is not what was there", n)
		}
	}
	if len(now) != 12 {
		t.Errorf("%v are there", slices.Sorted(maps.Keys(now)))
	}
	if list, err := s.restoreFor(connect.Apply, recovery.Media); err != nil || restoredNumbers(list) != "110 done" {
		t.Errorf("for media: %v, %v", list, err)
	}
	// Asked for by name, what is there is recognised though the queue manager does
	// not say who it is.
	if list, err := s.restoreFor(connect.Apply, 0, "S0000117.LOG"); err != nil || restoredNumbers(list) != "117 skipped" {
		t.Errorf("by name: %+v, %v", list, err)
	}
}

// cutOff ends in the middle, as the content of a copy does when the process
// dies.
type cutOff struct {
	io.Reader
	left int64
}

var errCut = errors.New("cut off")

func (c *cutOff) Read(b []byte) (int, error) {
	if c.left <= 0 {
		return 0, errCut
	}
	n, err := c.Reader.Read(b[:min(int64(len(b)), c.left)])
	c.left -= int64(n)
	return n, err
}

// A restore that is cut short leaves nothing that MQ takes for an extent, and
// what it leaves when its process dies is cleared by the next.
func TestExtentRestoreCutShort(t *testing.T) {
	manyProcesses(t)
	s := newExtents(t, longMedia())
	s.apply("fast-startup")
	s.hook.read = func(r io.Reader) io.Reader { return &cutOff{r, 5000} }
	list, err := s.restoreFor(connect.Apply, recovery.Media)
	if err != nil || list[0].State != plugins.Failed || list[1].State != plugins.Skipped {
		t.Fatalf("%s, %v", restoredNumbers(list), err)
	}
	s.holdsFrom(115, 120)
	if names := s.names(); len(names) != 6 {
		t.Errorf("%v are there", names)
	}
	s.hook.read = nil

	// The process dies: its part stays, and its record is open.
	dead := &restorer{planner: newPlanner(s.order(connect.Plan, "saved"))}
	dead.order = RestoreOrder{Order: dead.Order, Target: s.target, Segments: []string{observe.ExtentName(114)}}
	seen, wanted, _, err := dead.choose(t.Context())
	s.must(err)
	s.must(s.ledger.Begin(t.Context(), dead.begun(wanted, []Restored{dead.intended(seen, wanted[0])})))
	left := filepath.Join(s.log, ".mqhk-restore-"+observe.ExtentName(114))
	s.must(os.WriteFile(left, make([]byte, 5000), 0o600))
	s.wants(s.apply("fast-startup"), "") // it hinders no run
	list, err = s.restoreFor(connect.Apply, 0, observe.ExtentName(113))
	if err != nil || restoredNumbers(list) != "113 done" {
		t.Errorf("%+v, %v", list, err)
	}
	if _, err := os.Stat(left); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("what the dead process left is there: %v", err)
	}
	record, err := s.ledger.Run(t.Context(), dead.ID)
	if err != nil || record.Run.Outcome != Interrupted {
		t.Errorf("%+v, %v", record.Run, err)
	}
}

// copyFile gives the file of an extent's copy.
func (s *extentSite) copyFile(number int) string {
	s.t.Helper()
	files, err := filepath.Glob(filepath.Join(s.vault, "QM1.qm", "*"+observe.ExtentName(number)[:8]+"*"))
	s.must(err)
	files = slices.DeleteFunc(files, func(name string) bool { return strings.HasSuffix(name, ".json") })
	if len(files) != 1 {
		s.t.Fatalf("copies of %d: %v", number, files)
	}
	return files[0]
}

// flip changes one bit in the first frame of an extent's copy.
func (s *extentSite) flip(number int) {
	s.t.Helper()
	file := s.copyFile(number)
	content, err := os.ReadFile(file)
	s.must(err)
	content[len(content)/6] ^= 0x40
	s.must(os.WriteFile(file, content, 0o600))
}

// A copy that is damaged is not restored and is marked; nothing of it stays.
func TestExtentRestoreDamaged(t *testing.T) {
	manyProcesses(t)
	s := newExtents(t, longMedia())
	s.apply("fast-startup")
	s.flip(113)
	list, err := s.restoreFor(connect.Apply, recovery.Media)
	s.must(err)
	if got := restoredNumbers(list); got != "114 done, 113 failed, 112 skipped, 111 skipped, 110 skipped, 109 skipped, 108 skipped" {
		t.Errorf("%s", got)
	}
	s.holdsFrom(114, 120)
	if names := s.names(); len(names) != 7 {
		t.Errorf("%v are there", names)
	}
	for e, err := range s.keeper.(store.Catalogue).Entries(t.Context(), "QM1") {
		if s.must(err); (e.Problem != nil) != (e.Manifest.Segment == observe.ExtentName(113)) {
			t.Errorf("%s: %v", e.Manifest.Segment, e.Problem)
		}
	}
}

// A hold keeps everything, and one from an extent on what is from there on.
func TestExtentsHeld(t *testing.T) {
	manyProcesses(t)
	s := newExtents(t, case18())
	s.run(connect.Plan, "conservative")
	hold, err := s.ledger.AddHold(t.Context(), ledger.Hold{Target: "QM1", Segment: observe.ExtentName(104), Reason: "a support case", By: "ann"})
	s.must(err)
	s.wants(s.apply("conservative"), each(100, 103, "delete N done"))
	all, err := s.ledger.AddHold(t.Context(), ledger.Hold{Target: "QM1", Reason: "a migration", By: "ann"})
	s.must(err)
	s.must(s.ledger.LiftHold(t.Context(), hold.ID, "ann"))
	s.wants(s.apply("conservative"), "")
	s.must(s.ledger.LiftHold(t.Context(), all.ID, "ann"))
	s.wants(s.apply("conservative"), each(104, 111, "delete N done"))
}

// Only where the queue manager plainly runs or has ended is its log this host's
// to write into: where another host runs it, or where that can't be told, nothing
// is restored, and nothing that an earlier restore left is touched.
func TestExtentRestoreElsewhere(t *testing.T) {
	s := newExtents(t, longMedia())
	s.apply("fast-startup")
	left := filepath.Join(s.log, ".mqhk-restore-"+observe.ExtentName(113))
	s.must(os.WriteFile(left, []byte("of the other host"), 0o600))
	before := s.names()
	tests := map[string]struct {
		dspmq string
		up    bool // runmqsc is answered
	}{
		"elsewhere":              {"Running elsewhere", false},
		"a standby":              {"Running as standby", false},
		"a secondary":            {"Running as secondary", false},
		"a replica":              {"Replica", false},
		"a standby that answers": {"Running as standby", true},
		"starting":               {"Starting", false},
		"ending":                 {"Ending immediately", false},
		"not available":          {"Status not available", false},
		"another language":       {"Beendet", false},
		"ended, and answers":     {"Ended normally", true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s.change(func(m *standin.Manager) { m.Status, m.Ended = test.dspmq, !test.up })
			for _, mode := range []connect.Mode{connect.Plan, connect.Apply} {
				for _, names := range [][]string{nil, {observe.ExtentName(114)}} {
					list, err := s.restoreFor(mode, 0, names...)
					if !errors.Is(err, connect.ErrNotHere) || !strings.Contains(err.Error(), test.dspmq) || len(list) != 0 {
						t.Errorf("mode %d, %v: %s, %v", mode, names, restoredNumbers(list), err)
					}
				}
			}
		})
	}
	s.must(s.host.Behave("dspmq", standin.Failing))
	s.change(func(m *standin.Manager) { m.Status, m.Ended = "", true })
	if list, err := s.restoreFor(connect.Apply, 0); !errors.Is(err, connect.ErrNotHere) {
		t.Errorf("dspmq fails: %s, %v", restoredNumbers(list), err)
	}
	s.must(s.host.Behave("dspmq", ""))
	if after := s.names(); !slices.Equal(before, after) {
		t.Errorf("%v are there, and %v were", after, before)
	}
	if holds, err := s.ledger.Holds(t.Context(), "QM1"); err != nil || len(holds) != 0 {
		t.Errorf("holds %v, %v", holds, err)
	}

	for _, ended := range []string{"Ended normally", "Ended immediately", "Ended unexpectedly", "Ended preemptively"} {
		s.change(func(m *standin.Manager) { m.Status, m.Ended = ended, true })
		if list, err := s.restoreFor(connect.Apply, 0, observe.ExtentName(114)); err != nil || restoredNumbers(list) != "114 done" {
			t.Errorf("%s: %+v, %v", ended, list, err)
		}
		s.must(os.Remove(s.path(114)))
	}
}
