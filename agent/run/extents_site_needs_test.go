package run

import (
	"os"
	"slices"
	"testing"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
)

// Where the queue manager removes extents itself a noted backup keeps none from
// it: what the backup would be rolled forward with is copied while it is there,
// also what was reported as archived long ago, and nothing is deleted or told.
// When the queue manager has removed it the store still has it.
func TestWhatOnlyTheSiteNeeds(t *testing.T) {
	for _, c := range []struct {
		management      string
		reported        int // up to and with this one
		actions, second string
	}{
		{"Automatic", -1, each(105, 119, "archive N done"), ""},
		{"Archive", 110, each(105, 110, "archive N done") + ", " + each(111, 119, "archive N done", "mark-archived N done"), ""},
	} {
		t.Run(c.management, func(t *testing.T) {
			m := longMedia()
			m.Management = c.management
			for n := m.First; n <= c.reported; n++ {
				m.Reported = append(m.Reported, n)
			}
			s := newExtents(t, m)
			_, err := s.ledger.AddNote(t.Context(), ledger.Note{Target: "QM1", Kind: ledger.DataBackup, Segment: observe.ExtentName(105), By: "ann"})
			s.must(err)
			s.wants(s.apply("fast-startup"), c.actions)
			s.wants(s.apply("fast-startup"), c.second)
			for n := 105; n <= 107; n++ { // the queue manager needs none of these
				s.must(os.RemoveAll(s.path(n))) // those that were reported may have gone already
			}
			s.wants(s.apply("conservative"), "")
			s.must(os.RemoveAll(s.vault))
			lost := s.run(connect.Plan, "fast-startup").Targets[0]
			if !slices.ContainsFunc(lost.Findings, func(f finding.Finding) bool { return f.Code == finding.ReceiverLost }) {
				t.Errorf("neither there nor in the store: %v", lost.Findings)
			}
		})
	}
}
