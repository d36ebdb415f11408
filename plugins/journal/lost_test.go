package journal

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/recovery"
)

// Receivers that are nowhere stand in the line once each, whoever names them
// and how, and a restart reads no more than a rebuild from an older point
// (case 4). The transcripts say what is in them.
func TestLostReceivers(t *testing.T) {
	tests := []struct {
		file             string
		line             string
		restart, rebuild int // receivers nowhere
		notListed        int
		lost             string // a part of the finding receiver-lost
	}{
		{"case04_two.mqt", "AMQA000003 lost, AMQA000021 lost, AMQA000022-AMQA000024 keep", 1, 2, 2,
			"at least 2 segments from LIBA/AMQA000003 to LIBA/AMQA000021 are needed by the"},
		{"case04_one.mqt", "AMQA000021 lost, AMQA000022-AMQA000024 keep", 1, 1, 1, "LIBA/AMQA000021 is needed by the"},
		{"case04_mixed.mqt", "AMQA000003 lost, AMQA000021 lost, AMQA000022-AMQA000024 keep", 1, 2, 2, "at least 2 segments from LIBA/AMQA000003"},
		{"case04_stars.mqt", "********** lost, AMQA000021 lost, AMQA000022-AMQA000024 keep", 1, 2, 1, "at least 2 segments from LIBA/********** to LIBA/AMQA000021"},
		{"case04_status.mqt", "AMQA099990 lost, AMQA000021 lost, AMQA000022-AMQA000024 keep", 1, 2, 2, "at least 2 segments from LIBA/AMQA099990 to LIBA/AMQA000021"},
	}
	for _, test := range tests {
		for _, strategy := range []recovery.Strategy{recovery.Conservative, recovery.FastStartup, recovery.Aggressive} {
			t.Run(test.file+"/"+strategy.String(), func(t *testing.T) {
				plan := planOn(t, test.file, recovery.Promise{Strategy: strategy, Unsaved: recovery.SaveUnsaved})
				if got := lostLine(plan.Decision.Managers[0]); got != test.line {
					t.Errorf("line\n got %s\nwant %s", got, test.line)
				}
				outlook := plan.Decision.Managers[0].Outlook
				want := fmt.Sprintf("restart 3 and %d, rebuild 3 and %d", test.restart, test.rebuild)
				if got := fmt.Sprintf("restart %d and %d, rebuild %d and %d", outlook.Restart.OnSystem, outlook.Restart.Missing, outlook.Rebuild.OnSystem, outlook.Rebuild.Missing); got != want {
					t.Errorf("%s, want %s", got, want)
				}
				notListed, lost := 0, ""
				for _, f := range append(plan.Findings, plan.Decision.Findings...) {
					switch f.Code {
					case finding.ReceiverNotListed:
						notListed++
					case finding.ReceiverLost:
						lost += f.Text
					}
				}
				if notListed != test.notListed || !strings.Contains(lost, test.lost) || len(plan.Actions) > 0 {
					t.Errorf("%d not listed, %d actions, %s", notListed, len(plan.Actions), lost)
				}
			})
		}
	}
}

// lostLine writes the line with each lost receiver apart.
func lostLine(manager recovery.ManagerDecision) string {
	var parts []string
	kept := manager.Inventory.Segments
	for i, v := range manager.Verdicts {
		if v.Kind != recovery.Lost {
			kept = kept[i:]
			break
		}
		parts = append(parts, manager.Inventory.Segments[i].ID.Name+" lost")
	}
	return strings.Join(append(parts, fmt.Sprintf("%s-%s keep", kept[0].ID.Name, kept[len(kept)-1].ID.Name)), ", ")
}
