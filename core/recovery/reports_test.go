package recovery

import (
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/finding"
)

// What the queue manager is told of it may remove at once (SET LOG, case 36):
// holds, a replay and the counts and ages of a promise bind word of it as they
// bind a delete. x is copied, r copied and reported.
func TestWhatIsNotReported(t *testing.T) {
	conservative := Promise{Strategy: Conservative}
	with := func(change func(*Promise)) Promise {
		p := conservative
		change(&p)
		return p
	}
	need := func(kind NeedKind, at int) func(*Inventory) {
		return func(inv *Inventory) { inv.Needs = append(inv.Needs, needAt(kind, at)) }
	}
	aged := func(inv *Inventory) {
		inv.Observed = time.Date(2026, 5, 28, 2, 0, 0, 0, time.UTC)
		inv.Segments[0].Unneeded = inv.Observed.Add(-2 * time.Hour)
		inv.Segments[1].Unneeded = inv.Observed.Add(-time.Minute)
	}
	tests := []struct {
		name     string
		promise  Promise
		change   func(*Inventory)
		want     string
		why      string // the guard's, of the newest that waits
		findings string
	}{
		{"all that wait, needed or not", conservative, nil, "rrrrrk", "", ""},
		{"a hold", conservative, need(Hold, 0), "xxxxxk", "conservative: held: ", ""},
		{"a hold from one on", conservative, need(Hold, 3), "rrrxxk", "conservative: held: ", ""},
		{"a hold before all that is there", conservative, func(inv *Inventory) { inv.Needs = append(inv.Needs, Need{Kind: Hold, From: 1, Source: "hold 7"}) },
			"xxxxxk", "conservative: held: hold 7", ""},
		{"a hold on what is copied", conservative, func(inv *Inventory) { need(Hold, 0)(inv); copies(0, 1, 2, 3, 4)(inv) }, "hhhhhk", "held", "on-hold"},
		{"another queue manager replays it", conservative, need(Replay, 2), "rrxxxk", "needed by a test", ""},
		{"for a data backup a copy will do", conservative, need(DataBackup, 0), "rrrrrk", "", ""},
		{"a margin", with(func(p *Promise) { p.Margin = 1 }), nil, "rxxxxk", "the 1 that are kept beyond", ""},
		{"a margin under fast-startup", Promise{Strategy: FastStartup, Margin: 1}, nil, "rrrxxk", "the 1 that are kept beyond", ""},
		{"a margin of what is copied", with(func(p *Promise) { p.Margin = 1 }), copies(1, 2, 3, 4), "rkkkkk", "the 1 that are kept beyond", ""},
		{"keep_newest", with(func(p *Promise) { p.KeepNewest = 3 }), nil, "rrrxxk", "one of the 3 newest", ""},
		{"min_age", with(func(p *Promise) { p.MinAge = time.Hour }), aged, "rxxxxk", "unneeded for 1h", ""},
		{"max_deletes", with(func(p *Promise) { p.MaxDeletes = 2 }), nil, "rrxxxk", "not among the oldest 2", "limit-reached"},
		{"max_deletes, copied", with(func(p *Promise) { p.MaxDeletes = 2 }), copies(2, 3, 4), "rrhhhk", "not among the oldest 2", "limit-reached"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			inv := Inventory{QueueManager: "QM", Ordered: true, Segments: chain("oooooc"), Remover: OnceReported, Weakest: FastStartup,
				Needs: []Need{needAt(Restart, 4), needAt(Media, 2)}}
			if test.change != nil {
				test.change(&inv)
			}
			decision := Decide([]Inventory{inv}, test.promise)
			manager := decision.Managers[0]
			guard := NewGuard([]Inventory{inv}, []Promise{conservative, test.promise})
			got := []byte(letters(manager.Verdicts))
			for i, s := range inv.Segments {
				if manager.ToReport(i) {
					got[i] = 'r'
				}
				if allowed := guard.AllowReport(s.ID, s.Fingerprint) == nil; allowed != manager.ToReport(i) {
					t.Errorf("%s: to be reported %t, and the guard lets it: %t", s.ID, manager.ToReport(i), allowed)
				}
			}
			if string(got) != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
			if err := guard.AllowReport(inv.Segments[4].ID, "f4"); test.why != "" && (err == nil || !strings.Contains(err.Error(), test.why)) {
				t.Errorf("%v, want %s", err, test.why)
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

// A hold and a count together: the reason of a copy that is not reported says
// what keeps it.
func TestWhyItIsNotReported(t *testing.T) {
	inv := Inventory{QueueManager: "QM", Ordered: true, Segments: chain("oc"), Remover: OnceReported,
		Needs: []Need{needAt(Restart, 1), needAt(Media, 1), {Kind: Hold, From: 1, Source: "hold 1"}}}
	v := Decide([]Inventory{inv}, Promise{Strategy: Conservative, KeepNewest: 50}).Managers[0].Verdicts[0]
	want := Verdict{Archive, string(finding.OnHold), "held: hold 1; copied, and the queue manager is not told yet that it is archived"}
	if v != want {
		t.Errorf("%+v, want %+v", v, want)
	}
}
