package run

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
)

// Every policy that applies on the target by itself binds the run beside its
// own.
func TestOtherPoliciesBind(t *testing.T) {
	s := ready(t)
	s.run(connect.Plan, "aggressive")
	s.binds = func(observe.Target) []Binding {
		return []Binding{{Policy: "nightly", Promise: recovery.Promise{Strategy: recovery.Conservative}}}
	}
	before := len(s.receivers())
	record := s.run(connect.Apply, "aggressive")
	if f := record.Targets[0].Findings[0]; f.Code != finding.GuardRefused || !strings.Contains(f.Text, "policy nightly") || len(s.receivers()) != before {
		t.Errorf("%v, %d of %d left", f, len(s.receivers()), before)
	}
	if dry, err := Plan(t.Context(), s.order(connect.Plan, "aggressive")); err != nil || dry.Targets[0].Findings[0].Code != finding.OtherPolicyKeeps || dry.Totals.Delete != 0 || dry.Run.Outcome != Planned {
		t.Errorf("a dry run does not show it: %v", err)
	}
}

// A hold of the ledger keeps everything.
func TestHeld(t *testing.T) {
	s := ready(t)
	hold, err := s.ledger.AddHold(t.Context(), ledger.Hold{Target: "ORDERS", Reason: "case 4711", By: "ann"})
	s.must(err)
	before := len(s.receivers())
	record := s.run(connect.Apply, "unsaved")
	if len(record.Targets[0].Actions) > 0 || !hasFinding(record.Targets[0], finding.OnHold) || len(s.receivers()) != before {
		t.Errorf("%v", record.Targets[0].Findings)
	}
	s.must(s.ledger.LiftHold(t.Context(), hold.ID, "ann"))
	if record := s.run(connect.Apply, "unsaved"); record.Run.Outcome != Applied || record.Targets[0].ReadBack.Deleted == 0 {
		t.Errorf("lifted: %s", record.Run.Outcome)
	}
}

// A store that holds segments of a target which the ledger has never seen:
// nothing goes.
func TestLedgerEmpty(t *testing.T) {
	s := ready(t)
	s.run(connect.Plan, "conservative")
	s.run(connect.Apply, "conservative")
	s.advance(12)
	s.cl(changeReceiver, recordImages)
	lost, err := ledger.Open(t.Context(), t.TempDir()+"/new", ledger.Options{})
	s.must(err)
	t.Cleanup(func() { _ = lost.Close() })
	s.ledger = lost
	before := len(s.receivers())
	for i, mode := range []connect.Mode{connect.Plan, connect.Apply, connect.Apply} { // until a person says so, and not once
		record, err := Run(t.Context(), s.order(mode, "conservative"))
		s.must(err)
		if !hasFinding(record.Targets[0], finding.LedgerEmpty) || record.Totals.Delete != 0 || len(s.receivers()) != before {
			t.Errorf("run %d: %v, %+v", i, record.Targets[0].Findings, record.Totals)
		}
	}
	if dry, err := Plan(t.Context(), s.order(connect.Plan, "conservative")); err != nil || !hasFinding(dry.Targets[0], finding.LedgerEmpty) {
		t.Errorf("a dry run does not say so: %v", err)
	}
	s.must(lost.Accept(t.Context(), "ann", "the disk of the ledger is gone, holds are given anew"))
	if record := s.run(connect.Apply, "conservative"); record.Run.Outcome != Applied || record.Targets[0].ReadBack.Deleted == 0 {
		t.Errorf("accepted: %s, %v", record.Run.Outcome, record.Targets[0].Findings)
	}
}

// A ledger that was put back from an older copy may lack a hold: nothing goes
// until a person has looked.
func TestLedgerPutBack(t *testing.T) {
	s := ready(t)
	folder := filepath.Join(t.TempDir(), "state")
	reopen := func() {
		var err error
		s.ledger, err = ledger.Open(t.Context(), folder, ledger.Options{})
		s.must(err)
	}
	reopen()
	s.run(connect.Plan, "unsaved")
	s.must(s.ledger.Close())
	old, err := os.ReadFile(filepath.Join(folder, ledger.FileName))
	s.must(err)
	reopen()
	_, err = s.ledger.AddHold(t.Context(), ledger.Hold{Target: "ORDERS", Reason: "a case", By: "ann"})
	s.must(err)
	s.must(s.ledger.Close())
	s.must(os.WriteFile(filepath.Join(folder, ledger.FileName), old, 0o600))
	reopen()
	before := len(s.receivers())
	for range 2 {
		record := s.run(connect.Apply, "unsaved")
		if !hasFinding(record.Targets[0], finding.LedgerBroken) || len(s.receivers()) != before || record.Run.Outcome != InPart {
			t.Errorf("%s, %v", record.Run.Outcome, record.Targets[0].Findings)
		}
	}
	s.must(s.ledger.Accept(t.Context(), "ann", "the hold is over"))
	if record := s.run(connect.Apply, "unsaved"); record.Run.Outcome != Applied || len(s.receivers()) == before {
		t.Errorf("accepted: %s, %v", record.Run.Outcome, record.Targets[0].Findings)
	}
	s.must(s.ledger.Close())
}
