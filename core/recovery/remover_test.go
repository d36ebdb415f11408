package recovery

import (
	"testing"

	"github.com/mqhk/mqhk/core/finding"
)

// Who removes extents decides what there is to do (reference, Multiplatforms
// 1.2): x archive, else the letters of letters.
func TestRemover(t *testing.T) {
	conservative := Promise{Strategy: Conservative, Unsaved: DeleteUnsaved}
	fast := Promise{Strategy: FastStartup, Unsaved: SaveUnsaved}
	aggressive := Promise{Strategy: Aggressive, Unsaved: SaveUnsaved}
	backup := func(inv *Inventory) { inv.Needs = append(inv.Needs, needAt(DataBackup, 1)) }
	wants := func(kind NeedKind, more ...func(*Inventory)) func(*Inventory) {
		return func(inv *Inventory) {
			inv.Needs = append(inv.Needs, needAt(kind, 1))
			for _, change := range more {
				change(inv)
			}
		}
	}
	damaged := func(inv *Inventory) { copies(1, 2, 3, 4)(inv); inv.Copies[1].Verified = false }
	held := func(inv *Inventory) { inv.Needs = append(inv.Needs, Need{Kind: Hold, From: 1, Source: "hold 7"}) }
	logged := func(inv *Inventory) { inv.Needs[1].Logged = true }
	tests := []struct {
		name     string
		chain    string
		remover  Remover
		promise  Promise
		change   func(*Inventory)
		want     string
		findings string
	}{
		{"manual, conservative", "oooooc", ByHousekeeper, conservative, nil, "ddkkkk", ""},
		{"manual, fast-startup", "oooooc", ByHousekeeper, fast, nil, "aaaakk", ""},
		{"manual, aggressive is only reported", "oooooc", ByHousekeeper, aggressive, nil, "hhhhhk", "report-only"},
		{"automatic, conservative", "oooooc", ByManager, conservative, nil, "kkkkkk", ""},
		{"automatic, held as never saved", "oooooc", ByManager, Promise{Strategy: Conservative}, nil, "kkkkkk", ""},
		{"automatic, fast-startup", "oooooc", ByManager, fast, nil, "kkkkkk", ""},
		{"automatic, aggressive", "oooooc", ByManager, aggressive, nil, "kkkkkk", ""},
		{"archive: what waits, needed or not", "ssoooc", OnceReported, conservative, nil, "kkxxxk", ""},
		{"archive: any strategy", "ssoooc", OnceReported, aggressive, nil, "kkxxxk", ""},
		{"archive: nothing is reported while something is not known", "ssoooc", OnceReported, conservative,
			func(inv *Inventory) { inv.Open = []finding.Finding{finding.New(finding.NotAnswered, "x")} }, "hhkkkk", ""},
		{"a data backup wants a copy", "oooooc", ByHousekeeper, conservative, backup, "dakkkk", ""},
		{"a data backup, copied", "oooooc", ByHousekeeper, conservative, func(inv *Inventory) { backup(inv); copies(1)(inv) }, "ddkkkk", ""},
		{"archive: a data backup wants copies of what was reported too", "sssooc", OnceReported, conservative, backup, "kxxxxk", ""},
		{"archive: so does a replay", "sssooc", OnceReported, conservative, wants(Replay), "kxxxxk", ""},
		{"archive: those that have one want none", "sssooc", OnceReported, conservative, wants(DataBackup, copies(1, 2)), "kkkxxk", ""},
		{"archive: a copy that became damaged is made again", "sssssc", OnceReported, conservative, wants(DataBackup, damaged), "kkxkkk", ""},
		{"archive: what is not whole is not copied", "spssoc", OnceReported, conservative, wants(Hold), "khxxxk", "on-hold"},
		{"automatic: a data backup", "oooooc", ByManager, conservative, backup, "kxxxxk", ""},
		{"automatic: under any strategy", "oooooc", ByManager, aggressive, backup, "kxxxxk", ""},
		{"automatic: a set that is restored together", "oooooc", ByManager, fast, wants(RecoverySet), "kxxxxk", ""},
		{"automatic: copied", "oooooc", ByManager, conservative, wants(DataBackup, copies(1, 2, 3, 4)), "kkkkkk", ""},
		{"automatic: all is held", "oooooc", ByManager, conservative, held, "xxxxxk", ""},
		{"automatic: a unit of work is the queue manager's own", "oooooc", ByManager, conservative, wants(UnitOfWork), "kkkkkk", ""},
		{"automatic: what the backup needs has gone", "oaoooc", ByManager, conservative, backup, "hLkkkk", "receiver-lost"},
		{"automatic: which one is written is only inferred from the error log", "oooooc", ByManager, Promise{Strategy: Conservative, TrustErrorLog: true},
			wants(DataBackup, func(inv *Inventory) { inv.Needs[0].Logged = true }), "kxxxkk", ""},
		{"archive: what the backup needs has gone", "sasooc", OnceReported, conservative, backup, "hLkkkk", "receiver-lost"},
		{"automatic: nothing while something is not known", "oooooc", ByManager, conservative,
			wants(DataBackup, func(inv *Inventory) { inv.Open = []finding.Finding{finding.New(finding.NotAnswered, "x")} }), "hkkkkk", ""},
		{"a point of the error log is not trusted", "oooooc", ByHousekeeper, conservative, logged, "hhkkkk", "error-log-not-trusted"},
		{"a point of the error log is trusted", "oooooc", ByHousekeeper, Promise{Strategy: Conservative, Unsaved: DeleteUnsaved, TrustErrorLog: true}, logged, "ddkkkk", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			inv := Inventory{QueueManager: "QM", Ordered: true, Segments: chain(test.chain), Remover: test.remover, Weakest: FastStartup,
				Needs: []Need{needAt(Restart, 4), needAt(Media, 2)}}
			if test.change != nil {
				test.change(&inv)
			}
			decision := Decide([]Inventory{inv}, test.promise)
			if got := letters(decision.Managers[0].Verdicts); got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
			codes := ""
			for _, f := range decision.Findings {
				codes += string(f.Code)
			}
			if codes != test.findings {
				t.Errorf("findings %q, want %q", codes, test.findings)
			}
		})
	}
}

// Only what the queue manager waits to hear of may be reported to it: what it
// was told of, or what it removes without being told, is copied and no more.
func TestReportOnlyWhatWaits(t *testing.T) {
	for remover, want := range map[Remover]string{ByManager: "", OnceReported: "34"} {
		inv := Inventory{QueueManager: "QM", Ordered: true, Segments: chain("sssooc"), Remover: remover,
			Needs: []Need{needAt(Restart, 4), needAt(Media, 2), needAt(DataBackup, 1)}}
		manager := Decide([]Inventory{inv}, Promise{Strategy: Conservative}).Managers[0]
		guard := NewGuard([]Inventory{inv}, []Promise{{Strategy: Conservative}, {Strategy: FastStartup}})
		got, said := "", ""
		for i, s := range inv.Segments {
			if manager.ToReport(i) {
				got += s.ID.Name
			}
			if guard.AllowReport(s.ID, s.Fingerprint) == nil {
				said += s.ID.Name
			}
			if guard.AllowOnceSaved(s.ID, s.Fingerprint) == nil {
				t.Errorf("remover %d: %s may be deleted", remover, s.ID)
			}
		}
		if got != want || said != want {
			t.Errorf("remover %d: to report %q, allowed %q, want %q", remover, got, said, want)
		}
		if why := manager.Verdicts[1].Why; why != "needed by a test, and in no store; the queue manager knows nothing of that, and removes or reuses it itself" {
			t.Error(why)
		}
	}
}
