package local

import (
	"testing"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/connect/local/standin"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

// What is observed over the connection is enough to decide from, and the
// extents that may go are those that the writer deletes: case 18.
func TestObserved(t *testing.T) {
	either(t, case18(), func(t *testing.T, s *station) {
		target := observe.Target{Name: s.name, Platform: observe.Multiplatforms}
		reader, err := s.dial.Reader(t.Context())
		s.must(err)
		facts, err := observe.ReadExtents(t.Context(), reader, target)
		s.must(err)
		for _, f := range facts.Inventory.Open {
			if f.Severity == finding.Critical {
				t.Errorf("%s: %s", f.Code, f.Text)
			}
		}
		if facts.Log.Directory != s.log || facts.Log.Type != observe.Linear || facts.Log.Management != observe.Manual || facts.Log.Size == 0 {
			t.Errorf("%+v", facts.Log)
		}
		promise := recovery.Promise{Strategy: recovery.Conservative, Unsaved: recovery.DeleteUnsaved}
		decision := recovery.Decide([]recovery.Inventory{facts.Inventory}, promise)
		w := s.gated()
		gone := 0
		for _, manager := range decision.Managers {
			for i, segment := range manager.Inventory.Segments {
				if !manager.Verdicts[i].Kind.Goes() {
					continue
				}
				if _, state, err := w.Remove(t.Context(), connect.Removal{Segment: segment.ID, Fingerprint: segment.Fingerprint}); state != plugins.Done {
					t.Errorf("%s: %v", segment.ID, err)
				}
				gone++
			}
		}
		if names := s.names(); gone != 12 || len(names) != 19 || names[0] != "S0000112.LOG" {
			t.Errorf("%d gone, left: %q", gone, names)
		}
	})
}

// A log that only the queue manager prunes, or that is not here, lets nothing
// go.
func TestObservedWithoutDeletes(t *testing.T) {
	for name, m := range map[string]standin.Manager{
		"automatic": {Management: "Automatic"}, "archive": {Management: "Archive"}, "circular": {LogType: "CIRCULAR"},
		"ended": {Ended: true}, "standby": {Status: "Running as standby", Ended: true},
	} {
		if testing.Short() && name != "automatic" && name != "standby" {
			continue
		}
		m.Name, m.First, m.Current, m.Restart, m.Media = "QM1", 100, 130, 112, 120
		s := newStation(t, m)
		reader, err := s.dial.Reader(t.Context())
		s.must(err)
		facts, err := observe.ReadExtents(t.Context(), reader, observe.Target{Name: s.name, Platform: observe.Multiplatforms})
		s.must(err)
		promise := recovery.Promise{Strategy: recovery.Conservative, Unsaved: recovery.DeleteUnsaved}
		for _, manager := range recovery.Decide([]recovery.Inventory{facts.Inventory}, promise).Managers {
			for i, v := range manager.Verdicts {
				if v.Kind.Goes() {
					t.Errorf("%s: %s goes", name, manager.Inventory.Segments[i].ID)
				}
			}
		}
	}
}
