package main

import (
	"strings"
	"testing"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
)

// The mark of a backup is the older of both points (cases 17 and 18), of each
// the oldest that anybody tells; one of them alone is none (case 16).
func TestMarkOf(t *testing.T) {
	at := func(kind recovery.NeedKind, name string) recovery.Need { return recovery.Need{Kind: kind, Name: name} }
	restart := func(name string) recovery.Need { return at(recovery.Restart, name) }
	media := func(name string) recovery.Need { return at(recovery.Media, name) }
	tests := []struct {
		name              string
		needs             []recovery.Need
		segment, position string
		err               string
	}{
		{name: "media is older", needs: []recovery.Need{restart("S0000112.LOG"), media("S0000104.LOG")},
			segment: "S0000104.LOG", position: "RECLOG=S0000112.LOG MEDIALOG=S0000104.LOG"},
		{name: "case 18", needs: []recovery.Need{media("S0000120.LOG"), restart("S0000112.LOG")},
			segment: "S0000112.LOG", position: "RECLOG=S0000112.LOG MEDIALOG=S0000120.LOG"},
		{name: "case 17", needs: []recovery.Need{restart("S0000001.LOG"), media("S9999998.LOG")},
			segment: "S9999998.LOG", position: "RECLOG=S0000001.LOG MEDIALOG=S9999998.LOG"},
		{name: "the same", needs: []recovery.Need{restart("S0000007.LOG"), media("S0000007.LOG")},
			segment: "S0000007.LOG", position: "RECLOG=S0000007.LOG MEDIALOG=S0000007.LOG"},
		{name: "two readings", needs: []recovery.Need{restart("S0000112.LOG"), media("S0000110.LOG"), media("S0000104.LOG"), media("S0000109.LOG")},
			segment: "S0000104.LOG", position: "RECLOG=S0000112.LOG MEDIALOG=S0000104.LOG"},
		{name: "case 16", needs: []recovery.Need{restart("S0000128.LOG")}, err: "not both known; QM1: nobody answered"},
		{name: "no restart point", needs: []recovery.Need{media("S0000128.LOG"), at(recovery.Hold, "S0000001.LOG")}, err: "not both known"},
		{name: "named by nothing", needs: []recovery.Need{restart(""), media("S0000128.LOG")}, err: "not both known"},
		{name: "of the error log", needs: []recovery.Need{{Kind: recovery.Restart, Name: "S0000112.LOG", Source: "AMQ7467I", Logged: true}, media("S0000104.LOG")},
			err: "only the error log tells S0000112.LOG (AMQ7467I)"},
		{name: "kept for reuse", needs: []recovery.Need{restart("R0000112.LOG"), media("S0000104.LOG")}, err: "not both known"},
	}
	for _, test := range tests {
		inventory := recovery.Inventory{Needs: test.needs, Open: []finding.Finding{
			finding.New(finding.NotAnswered, "QM1: nobody answered"), {Severity: finding.Warning, Text: "a warning"}}}
		segment, position, err := markOf(inventory)
		if test.err != "" {
			if err == nil || !strings.Contains(err.Error(), test.err) || strings.Contains(err.Error(), "a warning") {
				t.Errorf("%s: %v, want %q", test.name, err, test.err)
			}
			continue
		}
		if err != nil || segment != test.segment || position != test.position {
			t.Errorf("%s: %s, %s, %v", test.name, segment, position, err)
		}
	}
}

func TestCheckMark(t *testing.T) {
	qm1 := observe.Target{Name: "QM1", Platform: observe.Multiplatforms}
	orders := observe.Target{Name: "ORDERS", Platform: observe.IBMi}
	tests := []struct {
		target            observe.Target
		kind              ledger.NoteKind
		segment, position string
		err               string
	}{
		{qm1, ledger.Replayed, "S0000123.LOG", "", ""},
		{qm1, ledger.Saved, "S9999999.LOG", "", ""},
		{qm1, ledger.DataBackup, "S0000123.LOG", "", ""},
		{qm1, ledger.DataBackup, "", "", ""}, // taken afresh
		{qm1, ledger.DataBackup, "", "<0:0:8:65136>", "names no extent"},
		{qm1, ledger.Replayed, "", "", "names no extent"},
		{qm1, ledger.Replayed, "", "4711", "names no extent"},
		{qm1, ledger.Shipped, "", "", "names no extent"},
		{qm1, ledger.Replayed, "S123.LOG", "", "is no name of a log extent"},
		{qm1, ledger.Replayed, "QM1/S0000123.LOG", "", "is no name of a log extent"},
		{qm1, ledger.Saved, "AMQA000001", "", "is no name of a log extent"},
		{qm1, ledger.Saved, "AMQHLCTL.LFH", "", "is no name of a log extent"},
		{qm1, ledger.Saved, "R0000123.LOG", "", "kept for reuse"},
		{orders, ledger.Saved, "QMORDERS/AMQA000001", "", ""},
		{orders, ledger.DataBackup, "", "", ""}, // the ledger refuses it
	}
	for _, test := range tests {
		err := checkMark(test.target, test.kind, &noting{segment: test.segment, position: test.position})
		if (err == nil) != (test.err == "") || err != nil && (!strings.Contains(err.Error(), test.err) || exitOf(err) != exitUsage) {
			t.Errorf("%s of %s, %q, %q: %v, want %q", test.kind, test.target, test.segment, test.position, err, test.err)
		}
	}
}
