package recovery

import "testing"

func TestWords(t *testing.T) {
	for s := StateUnknown; s <= Absent; s++ {
		if s.String() == "" || ParseState(s.String()) != s {
			t.Errorf("state %d: %q", s, s)
		}
	}
	for k := NeedUnknown; k <= Hold; k++ {
		if k.String() == "" || ParseNeedKind(k.String()) != k {
			t.Errorf("need %d: %q", k, k)
		}
	}
	for k := Keep; k <= Lost; k++ {
		if k.String() == "" || ParseVerdictKind(k.String()) != k {
			t.Errorf("verdict %d: %q", k, k)
		}
	}
	for r := ReadinessUnknown; r <= Impossible; r++ {
		if r.String() == "" || ParseReadiness(r.String()) != r {
			t.Errorf("readiness %d: %q", r, r)
		}
	}
	for s := Conservative; s <= Aggressive; s++ {
		if parsed, err := ParseStrategy(s.String()); err != nil || parsed != s {
			t.Errorf("strategy %d: %v, %v", s, parsed, err)
		}
	}
	for u := HoldUnsaved; u <= DeleteUnsaved; u++ {
		if parsed, err := ParseUnsaved(u.String()); err != nil || parsed != u {
			t.Errorf("unsaved %d: %v, %v", u, parsed, err)
		}
	}
}

// What is out of range or in no list is the careful one of each kind.
func TestUnknownWords(t *testing.T) {
	if s := State(200).String(); s != "unknown" || ParseState("gesichert") != StateUnknown || State(len(stateWords)).String() != "unknown" {
		t.Error(s)
	}
	if s := NeedKind(200).String(); s != "unknown" || ParseNeedKind("x") != NeedUnknown || NeedKind(len(needWords)).String() != "unknown" {
		t.Error(s)
	}
	if s := VerdictKind(200).String(); s != "keep" || ParseVerdictKind("x") != Keep || VerdictKind(len(verdictWords)).String() != "keep" {
		t.Error(s)
	}
	if s := Readiness(200).String(); s != "unknown" || ParseReadiness("x") != ReadinessUnknown || Readiness(len(readinessWords)).String() != "unknown" {
		t.Error(s)
	}
	if s := Unsaved(200).String(); s != "hold" || Unsaved(len(unsavedWords)).String() != "hold" {
		t.Error(s)
	}
	if s := Strategy(200).String(); s != "" || Strategy(len(strategyWords)).String() != "" {
		t.Error(s)
	}
	for _, word := range []string{"", "Conservative", "fast"} {
		if parsed, err := ParseStrategy(word); err == nil || parsed != NoStrategy {
			t.Errorf("%q: %v, %v", word, parsed, err)
		}
	}
	if parsed, err := ParseUnsaved(""); err == nil || parsed != HoldUnsaved {
		t.Errorf("%v, %v", parsed, err)
	}
}

func TestSegmentIDString(t *testing.T) {
	if s := (SegmentID{"QM", "LIB", "AMQA000001"}).String(); s != "LIB/AMQA000001" {
		t.Error(s)
	}
	if s := (SegmentID{"QM", "", "S0000001.LOG"}).String(); s != "S0000001.LOG" {
		t.Error(s)
	}
}

// The verdicts say in words what keeps a segment, with every point that does.
func TestReasons(t *testing.T) {
	inv := Inventory{QueueManager: "QM", Ordered: true, Segments: chain("sssssc"), Needs: []Need{
		{Kind: Media, From: 25, Name: "1", Entry: "2026-05-02 00:10:00", Source: "AMQ7462"},
		{Kind: Restart, From: 45, Source: "AMQ7460"},
		{Kind: UnitOfWork, From: 55, Source: "UOWLOG"},
	}}
	got := Decide([]Inventory{inv}, Promise{Strategy: Conservative}).Managers[0].Verdicts
	want := []Verdict{
		{Delete, "not-needed", "no recovery needs it, and it is saved"},
		{Keep, "needed-media", "needed from the media point in 1 on"},
		{Keep, "needed-media", "needed from the media point in 1 on"},
		{Keep, "needed-restart", "needed from the restart point and the media point in 1 on"},
		{Keep, "needed-restart", "needed from the restart point and the media point in 1 and the unit-of-work point on"},
		{Keep, "current", "is being written"},
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("segment %d:\n got %+v\nwant %+v", i, got[i], want[i])
		}
	}
}
