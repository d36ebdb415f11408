package run

import (
	"os"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/core/finding"
)

// A store that others can enter is the store's fault: a plan says so, with what
// to do, and does not send anybody to ask the system again.
func TestStoreOpenToOthers(t *testing.T) {
	s := newExtents(t, longMedia())
	s.apply("fast-startup")
	s.must(os.Chmod(s.vault, 0o755))
	target := s.run(connect.Plan, "fast-startup").Targets[0]
	said := ""
	for _, f := range target.Findings {
		switch f.Code {
		case finding.StoreUnreadable:
			said = f.Text
		case finding.FactsUnreadable:
			t.Errorf("it is put on the system: %s", f.Text)
		}
	}
	if !strings.Contains(said, "vault") || !strings.Contains(said, "make it 0700") || len(target.Actions) != 0 {
		t.Errorf("%q, actions %s", said, extentOutcomes(target))
	}
	s.must(os.Chmod(s.vault, 0o700))
	if target := s.run(connect.Plan, "fast-startup").Targets[0]; critical(target) {
		t.Errorf("findings %v", target.Findings)
	}
}
