package run

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/plugins"
)

// One manifest that can't be read keeps a run from deleting anything, and no
// recovery from what there is.
func TestUnreadableManifest(t *testing.T) {
	s, _, vault := emptied(t)
	s.must(os.WriteFile(filepath.Join(vault, "ORDERS.qm", "QMORDERS.AMQA000777.20200101000000.F2AD45EC8F977025.json"), []byte("{"), 0o600))
	list, err := s.restore(connect.Apply, true)
	if err != nil || len(list) == 0 {
		t.Fatalf("%d restored, %v", len(list), err)
	}
	for _, one := range list {
		if one.State != plugins.Done {
			t.Errorf("%s: %s, %s", one.Segment, one.State, one.Evidence)
		}
	}
	before := len(s.receivers())
	if record := s.run(connect.Apply, "aggressive"); !hasFinding(record.Targets[0], finding.StoreUnreadable) || len(s.receivers()) != before {
		t.Errorf("%v", record.Targets[0].Findings)
	}
}
