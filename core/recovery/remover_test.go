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
