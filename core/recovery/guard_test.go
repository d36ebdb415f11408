package recovery

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/finding"
)

func TestGuard(t *testing.T) {
	conservative := Promise{Strategy: Conservative}
	fast := Promise{Strategy: FastStartup}
	aggressive := Promise{Strategy: Aggressive}
	tests := []struct {
		name        string
		promises    []Promise
		change      func(*Inventory)
		segment     string
		fingerprint string
		refused     string // empty: allowed
	}{
		{"not needed", []Promise{conservative}, nil, "1", "f1", ""},
		{"needed", []Promise{conservative}, nil, "2", "f2", "conservative: needed from the media point"},
		{"being written", []Promise{aggressive}, nil, "5", "f5", "aggressive: is being written"},
		{"no promise", nil, nil, "1", "f1", "no policy speaks of it"},
		{"not listed", []Promise{conservative}, nil, "9", "f9", "it is not in the list of segments"},
		{"another fingerprint", []Promise{conservative}, nil, "1", "f2", "its fingerprint differs"},
		{"no fingerprint", []Promise{conservative}, nil, "1", "", "its fingerprint differs"},
		{"never seen with a fingerprint", []Promise{conservative}, func(inv *Inventory) { inv.Segments[1].Fingerprint = "" }, "1", "", "its fingerprint differs"},
		{"archive first", []Promise{fast}, nil, "2", "f2", "fast-startup: not in the store yet"},
		{"archived meanwhile", []Promise{fast}, copies(2), "2", "f2", ""},
		{"two promises allow it", []Promise{fast, aggressive}, nil, "1", "f1", ""},
		{"the first promise keeps it", []Promise{conservative, fast}, copies(2), "2", "f2", "conservative: needed from"},
		{"the second promise keeps it", []Promise{fast, conservative}, copies(2), "2", "f2", "conservative: needed from"},
		{"the third promise keeps it", []Promise{aggressive, fast, conservative}, copies(2), "2", "f2", "conservative: needed from"},
		{"a margin of another promise keeps it", []Promise{conservative, {Strategy: Conservative, Margin: 1}}, nil, "1", "f1", "one of the 1 kept beyond"},
		{"one promise wants it archived", []Promise{{Strategy: Conservative, Unsaved: DeleteUnsaved}, {Strategy: Conservative, Unsaved: SaveUnsaved}},
			func(inv *Inventory) { inv.Segments[1].State = Online }, "1", "f1", "not in the store yet"},
		{"who keeps it is named before who wants it saved", []Promise{fast, conservative}, nil, "2", "f2", "conservative: needed from"},
		{"the first who keeps it is named", []Promise{conservative, {Strategy: Conservative, Margin: 1}}, nil, "2", "f2", "conservative: needed from"},
		{"something could not be learned", []Promise{aggressive}, func(inv *Inventory) {
			inv.Open = []finding.Finding{finding.New(finding.NotAnswered, "nobody answered")}
		}, "0", "f0", "nothing goes: nobody answered"},
		{"twice, unlike", []Promise{conservative}, func(inv *Inventory) { inv.Segments[0].ID = inv.Segments[1].ID }, "1", "f0", "stands twice"},
		{"twice, alike", []Promise{conservative}, func(inv *Inventory) {
			inv.Segments[0].ID, inv.Segments[0].Fingerprint = inv.Segments[1].ID, "f1"
		}, "1", "f1", "stands twice"},
		{"twice, alike, under two promises", []Promise{conservative, fast}, func(inv *Inventory) {
			inv.Segments[0].ID, inv.Segments[0].Fingerprint = inv.Segments[1].ID, "f1"
		}, "1", "f1", "stands twice"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			inv := Inventory{QueueManager: "QM", Ordered: true, Segments: chain("sssssc"), Needs: []Need{needAt(Restart, 4), needAt(Media, 2)}}
			if test.change != nil {
				test.change(&inv)
			}
			err := Allow([]Inventory{inv}, test.promises, SegmentID{"QM", "LIB", test.segment}, test.fingerprint)
			if test.refused == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			var refusal *Refusal
			if !errors.As(err, &refusal) {
				t.Fatalf("got %v, want a refusal", err)
			}
			if refusal.Segment.Name != test.segment || !strings.Contains(err.Error(), test.refused) || !strings.HasPrefix(err.Error(), "LIB/"+test.segment+" may not go: ") {
				t.Errorf("got %v, want %s", err, test.refused)
			}
		})
	}
}

// The segments of one queue manager say nothing of another's with the same
// name.
func TestGuardTellsQueueManagersApart(t *testing.T) {
	sound := Inventory{QueueManager: "QM", Ordered: true, Segments: chain("ssc"), Needs: []Need{needAt(Restart, 1), needAt(Media, 1)}}
	other := Inventory{QueueManager: "QM2", Ordered: true, Segments: chain("ssc")}
	for i := range other.Segments {
		other.Segments[i].ID.QueueManager = "QM2"
	}
	guard := NewGuard([]Inventory{sound, other}, []Promise{{Strategy: Conservative}})
	if err := guard.Allow(SegmentID{"QM", "LIB", "0"}, "f0"); err != nil {
		t.Error(err)
	}
	if err := guard.Allow(SegmentID{"QM2", "LIB", "0"}, "f0"); err == nil {
		t.Error("allowed without a recovery point")
	}
}

// The zero Guard allows nothing.
func TestZeroGuard(t *testing.T) {
	if (Guard{}).Allow(SegmentID{"QM", "LIB", "0"}, "f0") == nil {
		t.Error("allowed")
	}
}

// A decision has a part for each inventory, and each part its own findings.
func TestDecideSeveral(t *testing.T) {
	first := Inventory{QueueManager: "QM1", Segments: chain("ssc"), Needs: []Need{needAt(Restart, 1), needAt(Media, 1)}}
	second := Inventory{QueueManager: "QM2", Segments: chain("soc"), Needs: []Need{needAt(Restart, 2), needAt(Media, 2)}}
	got := Decide([]Inventory{first, second}, Promise{Strategy: Conservative})
	if len(got.Managers) != 2 || letters(got.Managers[0].Verdicts) != "dkk" || letters(got.Managers[1].Verdicts) != "dhk" {
		t.Errorf("%+v", got.Managers)
	}
	if got.Managers[0].Cut != 1 || got.Managers[1].Cut != 2 {
		t.Errorf("cuts %d and %d", got.Managers[0].Cut, got.Managers[1].Cut)
	}
	if !slices.ContainsFunc(got.Findings, func(f finding.Finding) bool {
		return f.Code == finding.NotSaved && strings.HasPrefix(f.Text, "QM2: LIB/1 is ")
	}) || len(got.Findings) != 1 {
		t.Errorf("%+v", got.Findings)
	}
}

// What is saved first may go once it is saved; what must stay may not.
func TestGuardOnceSaved(t *testing.T) {
	inv := Inventory{QueueManager: "QM", Ordered: true, Segments: chain("sssssc"), Needs: []Need{needAt(Restart, 4), needAt(Media, 2)}}
	g := NewGuard([]Inventory{inv}, []Promise{{Strategy: FastStartup}, {Strategy: Aggressive}})
	id := func(name string) SegmentID { return SegmentID{"QM", "LIB", name} }
	if err := g.Allow(id("2"), "f2"); err == nil || !strings.Contains(err.Error(), "not in the store yet") {
		t.Errorf("got %v", err)
	}
	if err := g.AllowOnceSaved(id("2"), "f2"); err != nil {
		t.Error(err)
	}
	for name, fingerprint := range map[string]string{"4": "f4", "5": "f5", "9": "f9", "2": "f1"} {
		if err := g.AllowOnceSaved(id(name), fingerprint); err == nil {
			t.Errorf("%s with %s is let go", name, fingerprint)
		}
	}
	if err := NewGuard([]Inventory{inv}, nil).AllowOnceSaved(id("1"), "f1"); err == nil {
		t.Error("without a promise")
	}
}
