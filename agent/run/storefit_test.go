package run

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/connect/local"
	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/agent/store"
	"github.com/mqhk/mqhk/core/finding"
)

// without runs a policy with a store that does not say same_filesystem, over the
// connection as a command makes it.
func (s *extentSite) without(mode connect.Mode, prefix []string) ledger.Record {
	s.t.Helper()
	strict, err := store.NewDirectory(store.Settings{Name: "vault", Path: s.vault})
	s.must(err)
	o := s.order(mode, "saved")
	o.Keepers = map[string]store.Store{"vault": strict}
	dial := local.Dial(local.Settings{Bin: s.host.Bin, DataRoot: s.host.Root, Timeout: time.Minute, Prefix: prefix})
	o.Gate = connect.New(mode, map[string]connect.Dialer{s.target.Name: connect.Hosted(dial, Knowledge{s.ledger, o.Keepers})})
	record, err := Run(s.t.Context(), o)
	s.must(err)
	return record
}

// A store that would take no copy is found out by the plan, where this machine
// can know it: nothing that needs it is shown as going, and an apply says so
// once, and does what needs no copy.
func TestUnfitStoreIsPlanned(t *testing.T) {
	unfit := func(target ledger.Target) {
		t.Helper()
		var said []string
		for _, f := range target.Findings {
			if f.Code == finding.StoreUnfit {
				said = append(said, f.Text)
			}
		}
		if len(said) != 1 || !strings.Contains(said[0], "file system of the log") {
			t.Errorf("findings %v, want one of a store that is unfit", target.Findings)
		}
		if target.Totals.Waiting != target.Totals.Delete || target.Totals.BytesWaiting != target.Totals.BytesFreed || target.Totals.Delete == 0 {
			t.Errorf("totals %+v", target.Totals)
		}
	}
	s := newExtents(t, case18())
	unfit(s.without(connect.Plan, nil).Targets[0])
	applied := s.without(connect.Apply, nil).Targets[0]
	unfit(applied)
	if got, want := extentOutcomes(applied), each(100, 111, "archive N skipped", "delete N skipped"); got != want {
		t.Errorf("actions\n%s\nwant\n%s", got, want)
	}
	s.holdsFrom(100, 130)
	if entries, err := os.ReadDir(s.vault); err == nil {
		t.Errorf("the store was made: %v", entries)
	}

	// In a container the log is on a file system that nobody here knows.
	for _, f := range s.without(connect.Plan, []string{"env"}).Targets[0].Findings {
		if f.Code == finding.StoreUnfit {
			t.Errorf("in a container: %s", f.Text)
		}
	}
}
