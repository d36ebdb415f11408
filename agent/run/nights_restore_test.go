package run

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/sim"
)

// verdicts counts the segments of a record with a verdict and a reason.
func verdicts(t ledger.Target, verdict, reason string) int {
	n := 0
	for _, s := range t.Segments {
		if s.Verdict == verdict && s.Reason == reason {
			n++
		}
	}
	return n
}

// A night after a restore: what came back stays, and the run says how many wait
// behind it. The night after the next start it may go again, from a store that
// has it, and the restart still works after another restore.
func TestNightAfterRestore(t *testing.T) {
	s, _, _ := emptied(t)
	s.crashAndRestore()
	s.open(func(e *sim.Estate) {
		_, err := e.Fault(t.Context(), "ORDERS", "open-unit", "INVOICES", "prepared")
		s.must(err)
	})
	// It was restored before the start, which has read it: that hold is over.
	// What is restored now, under a queue manager that runs, is held.
	s.cl(changeReceiver)
	first := s.run(connect.Apply, "aggressive")
	if len(s.holds()) != 0 || len(s.receivers()) != 1 || first.Run.Outcome != Applied {
		t.Fatalf("the night after the start: %s, on the system %v, held %v", first.Run.Outcome, s.receivers(), s.holds())
	}
	list, err := s.restore(connect.Apply, true)
	s.must(err)
	s.advance(12)
	s.cl(changeReceiver)
	before := s.receivers()
	night := s.run(connect.Apply, "aggressive")
	target := night.Targets[0]
	if night.Run.Outcome != Applied || len(target.Actions) != 0 || !slices.Equal(s.receivers(), before) {
		t.Fatalf("%s: %v\n%s", night.Run.Outcome, target.Findings, outcomes(target))
	}
	waiting := len(before) - 1 // all but the attached one: what is held, and what is behind it
	if len(list) == 0 || waiting <= len(list) || verdicts(target, "hold", string(finding.OnHold)) != waiting {
		t.Errorf("%d restored, %d on the system, %d held", len(list), len(before), verdicts(target, "hold", string(finding.OnHold)))
	}
	if says := fmt.Sprintf("%d segments from QMORDERS/%s to ", waiting, before[0]); !strings.Contains(fmt.Sprint(target.Findings), says) {
		t.Errorf("the run does not say %q: %v", says, target.Findings)
	}
	s.cl("ENDMQM MQMNAME(ORDERS) OPTION(*IMMED)", "STRMQM MQMNAME(ORDERS)", changeReceiver)
	next := s.run(connect.Apply, "aggressive")
	if next.Run.Outcome != Applied || len(s.receivers()) != 1 || len(s.holds()) != 0 {
		t.Errorf("%s: on the system %v, held %v", next.Run.Outcome, s.receivers(), s.holds())
	}
	s.crashAndRestore()
}

// crashAndRestore has the restart fail for want of what is in the store, and
// work after the restore of what is needed.
func (s *station) crashAndRestore() {
	s.t.Helper()
	s.open(func(e *sim.Estate) {
		_, err := e.Fault(s.t.Context(), "ORDERS", "crash")
		s.must(err)
		if _, err := e.CL(s.t.Context(), "ORDERS", e.Job(), "STRMQM MQMNAME(ORDERS)"); !missesEntry(err) {
			s.t.Fatalf("a start without its receivers: %v", err)
		}
	})
	_, err := s.restore(connect.Apply, true)
	s.must(err)
	s.cl("STRMQM MQMNAME(ORDERS)")
}

// A night after the store lost the content of one copy that a recovery needs,
// or has it with a byte that is another: critical, and nothing is deleted. When
// it is back the next night goes on.
func TestNightAfterLoss(t *testing.T) {
	for _, loss := range []string{"the file is gone", "a byte is another"} {
		t.Run(loss, func(t *testing.T) {
			s, gone, vault := emptied(t)
			s.advance(8)
			s.cl(changeReceiver)
			file := contentOf(t, vault, gone[len(gone)-1])
			content, err := os.ReadFile(file)
			s.must(err)
			if loss == "the file is gone" {
				s.must(os.Remove(file))
			} else {
				spoil(t, filepath.Join(vault, "ORDERS.qm"), gone[len(gone)-1])
				if s.verify() == 0 {
					t.Fatal("nobody finds the damage")
				}
			}
			before := s.receivers()
			for _, mode := range []connect.Mode{connect.Plan, connect.Apply} {
				night := s.run(mode, "aggressive")
				target := night.Targets[0]
				worst, _ := finding.Worst(target.Findings)
				if !hasFinding(target, finding.ReceiverLost) || worst != finding.Critical || len(target.Actions) != 0 {
					t.Errorf("%v\n%s", target.Findings, outcomes(target))
				}
				if mode == connect.Apply && night.Run.Outcome != InPart {
					t.Errorf("outcome %s", night.Run.Outcome)
				}
				if target.Recovery.Outlook.Restart.Ready != "impossible" || target.Recovery.Outlook.Restart.Missing == 0 {
					t.Errorf("outlook %+v", target.Recovery.Outlook.Restart)
				}
			}
			if !slices.Equal(s.receivers(), before) {
				t.Errorf("on the system %v, before %v", s.receivers(), before)
			}
			s.must(os.WriteFile(file, content, 0o600)) // from the site's own backup
			if n := s.verify(); n != 0 {
				t.Errorf("%d are damaged still", n)
			}
			if night := s.run(connect.Apply, "aggressive"); night.Run.Outcome != Applied || len(s.receivers()) != 1 {
				t.Errorf("the next night: %s, %v", night.Run.Outcome, night.Targets[0].Findings)
			}
			s.crashAndRestore()
		})
	}
}

// verify has the store read all its copies, and counts those that are damaged.
func (s *station) verify() (damaged int) {
	s.t.Helper()
	for c, err := range s.keeper.List(s.t.Context(), "ORDERS") {
		s.must(err)
		if s.keeper.Verify(s.t.Context(), c) != nil {
			damaged++
		}
	}
	return damaged
}

// contentOf finds the file that holds a receiver in a store.
func contentOf(t *testing.T, vault, name string) string {
	t.Helper()
	found := ""
	err := filepath.WalkDir(vault, func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.Contains(d.Name(), name) && !strings.HasSuffix(d.Name(), ".json") {
			found = path
		}
		return err
	})
	if err != nil || found == "" {
		t.Fatalf("no content of %s: %v", name, err)
	}
	return found
}
