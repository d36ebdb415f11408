package run

import (
	"maps"
	"os"
	"path/filepath"
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

// Under LogManagement=Manual exactly the extents go that are older than both
// points, the oldest first. The ledger has it, and what is there afterwards was
// looked at.
func TestExtentsManual(t *testing.T) {
	tests := []struct {
		name    string
		manager standin.Manager
		from    int // that go
		to      int
	}{
		{"restart older than media (case 18)", case18(), 100, 111},
		{"media older than restart", longMedia(), 100, 107},
		{"around the wrap (case 17)", standin.Manager{Name: "QM1", First: 9999995, Current: 10000003, Restart: 10000001, Media: 9999998}, 9999995, 9999997},
		{"a level that prints no severity", standin.Manager{Name: "QM1", First: 1, Current: 9, Restart: 9, Media: 4, Older: true}, 1, 3},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := newExtents(t, test.manager)
			kept := s.contents(test.to+1, test.manager.Current)
			var unlinked []string
			s.hook.after = func(what string, id recovery.SegmentID, done bool) {
				if what == removes && done {
					unlinked = append(unlinked, id.Name)
				}
			}
			target := s.apply("conservative")
			s.wants(target, each(test.from, test.to, "delete N done"))
			var want []string
			for n := test.from; n <= test.to; n++ {
				want = append(want, observe.ExtentName(n))
			}
			if !slices.Equal(unlinked, want) {
				t.Errorf("unlinked %v, want %v", unlinked, want)
			}
			if now := s.contents(test.from, test.manager.Current); !maps.Equal(now, kept) {
				t.Errorf("%d extents are as they were, want %d", len(now), len(kept))
			}
			back := target.ReadBack
			if back == nil || back.Deleted != len(want) || back.BytesFreed != int64(len(want))*8192 || back.Outlook.Restart.Ready != recovery.AtOnce.String() || back.Outlook.Rebuild.Ready != recovery.AtOnce.String() {
				t.Errorf("read back: %+v", back)
			}
			if open := s.openExtents(); open != 0 {
				t.Errorf("%d open", open)
			}
			if _, err := s.ledger.Verify(t.Context()); err != nil {
				t.Error(err)
			}
			again := s.apply("conservative")
			s.wants(again, "")
		})
	}
}

// openExtents counts the actions of which nobody saw the end.
func (s *extentSite) openExtents() int {
	s.t.Helper()
	open, err := s.ledger.OpenIntents(s.t.Context(), s.target.Name)
	s.must(err)
	return len(open)
}

// head gives the newest record of the ledger.
func (s *extentSite) head() ledger.Head {
	s.t.Helper()
	head, err := s.ledger.Verify(s.t.Context())
	s.must(err)
	return head
}

// What is no complete log extent of the queue manager's own is never touched:
// control files, files of others, those beyond the current one (case 13).
func TestExtentsNeverTouched(t *testing.T) {
	manyProcesses(t)
	s := newExtents(t, case18())
	others := map[string]string{
		"amqhlctl.lfh": "LFH", "nativeha.ini": "NativeHALocalInstance:", "S0000099.LOG.gz": "zip", "s0000098.log": "small", "S0000097.TXT": "text",
		"S00000096.LOG": "eight digits", "X0000101.LOG": "x", ".hidden": "h", "with blank.LOG": "b", "R0000101.LOG.bak": "r",
	}
	for name, body := range others {
		s.must(os.WriteFile(filepath.Join(s.log, name), []byte(body), 0o600))
	}
	s.must(os.Mkdir(filepath.Join(s.log, "S0000095.LOG"), 0o750))
	for _, ahead := range []int{131, 132} { // formatted ahead
		s.must(os.WriteFile(s.path(ahead), make([]byte, 8192), 0o600))
	}
	before := s.names()
	s.wants(s.apply("conservative"), each(100, 111, "delete N done"))
	after := s.names()
	for _, name := range before {
		_, number, err := observe.ParseExtent(name)
		goes := err == nil && name == observe.ExtentName(number) && number >= 100 && number < 112
		if slices.Contains(after, name) == goes {
			t.Errorf("%s: there is %v", name, !goes)
		}
	}
	for name, body := range others {
		if got, err := os.ReadFile(filepath.Join(s.log, name)); err != nil || string(got) != body {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

// An extent that belongs to another user than the current one stays, and what
// is newer waits behind it: they go oldest first.
func TestExtentOfAnotherOwnerStays(t *testing.T) {
	s := newExtents(t, case18())
	s.wrap = func(d connect.Dialer) connect.Dialer {
		w := tamper(d)
		w.answer = func(q observe.Question, a observe.Answer) observe.Answer {
			if q.Language == observe.LogDir {
				a.Body = []byte(reowned(string(a.Body), observe.ExtentName(105), "intruder"))
			}
			return a
		}
		return w
	}
	target := s.apply("conservative")
	s.wants(target, each(100, 104, "delete N done"))
	s.holdsFrom(105, 130)
	if !hasFinding(target, finding.ForeignFiles) {
		t.Errorf("findings %v", target.Findings)
	}
}

// reowned gives a listing in which a file belongs to another user.
func reowned(listing, name, owner string) string {
	var lines []string
	for line := range strings.Lines(listing) {
		if fields := strings.Fields(line); len(fields) == 5 && fields[0] == name {
			fields[3] = owner
			line = strings.Join(fields, " ") + "\n"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "")
}

// Where the queue manager removes its extents itself, or nobody may, nothing is
// done, whatever the policy is; aggressive is only reported. The reason is in
// the report.
func TestExtentsLeftAlone(t *testing.T) {
	manyProcesses(t)
	with := func(set func(*standin.Manager)) standin.Manager {
		m := longMedia()
		set(&m)
		return m
	}
	tests := []struct {
		name     string
		manager  standin.Manager
		policies []string
		code     finding.Code
	}{
		{"automatic", with(func(m *standin.Manager) { m.Management = "Automatic" }), []string{"conservative", "saved", "fast-startup", "aggressive"}, finding.ManagerRemoves},
		{"replicated", with(func(m *standin.Manager) { m.LogType, m.Management = "REPLICATED", "Automatic" }), []string{"conservative", "fast-startup"}, finding.ManagerRemoves},
		{"replicated, and said to be manual", with(func(m *standin.Manager) { m.LogType = "REPLICATED" }), []string{"conservative"}, finding.ManagerRemoves},
		{"archive without a store", with(func(m *standin.Manager) { m.Management = "Archive" }), []string{"conservative"}, finding.ManagerRemoves},
		{"circular", with(func(m *standin.Manager) { m.LogType = "CIRCULAR" }), []string{"conservative", "fast-startup", "aggressive"}, finding.LogNotPruned},
		{"aggressive", longMedia(), []string{"aggressive"}, finding.ReportOnly},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := newExtents(t, test.manager)
			before := digest(t, s.host.Root)
			s.hook.before = func(what string, id recovery.SegmentID) { t.Errorf("%s %s", what, id) }
			for _, policy := range test.policies {
				target := s.apply(policy)
				s.wants(target, "")
				if !hasFinding(target, test.code) || target.Totals.Delete != 0 {
					t.Errorf("%s: findings %v, totals %+v", policy, target.Findings, target.Totals)
				}
			}
			if digest(t, s.host.Root) != before {
				t.Error("something has changed")
			}
		})
	}
}

// A dry run has no writer, and changes nothing: not the extents, not the store;
// one that is not recorded nothing of the ledger either.
func TestExtentsDryRun(t *testing.T) {
	manyProcesses(t)
	s := newExtents(t, longMedia())
	s.run(connect.Plan, "conservative") // the ledger is there
	state := filepath.Dir(s.vault)
	before, ledgerBefore := digest(t, s.host.Root), s.head()
	s.hook.before = func(what string, id recovery.SegmentID) { t.Errorf("%s %s", what, id) }
	for _, policy := range []string{"conservative", "saved", "fast-startup", "aggressive"} {
		if _, err := Plan(t.Context(), s.order(connect.Plan, policy)); err != nil {
			t.Fatal(err)
		}
	}
	if head := s.head(); head != ledgerBefore {
		t.Errorf("the ledger has changed: %v", head)
	}
	for _, policy := range []string{"conservative", "saved", "fast-startup", "aggressive"} {
		s.run(connect.Plan, policy)
	}
	if _, err := Restore(t.Context(), RestoreOrder{Order: s.order(connect.Plan, "saved"), Target: s.target, Needed: true}); err != nil {
		t.Error(err)
	}
	if _, err := Prune(t.Context(), PruneOrder{Order: s.order(connect.Plan, "saved"), Target: s.target}); err != nil {
		t.Error(err)
	}
	if digest(t, s.host.Root) != before {
		t.Error("a dry run has changed the extents")
	}
	if entries, err := os.ReadDir(state); err != nil || len(entries) != 0 {
		t.Errorf("a dry run has made %v, %v", entries, err)
	}
	if _, err := s.order(connect.Plan, "saved").Gate.Writer(t.Context(), s.target); err == nil {
		t.Error("a writer was handed out")
	}
}
