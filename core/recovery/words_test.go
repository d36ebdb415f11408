package recovery

import (
	"strings"
	"testing"
)

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

// Of several needs of one kind the oldest is named.
func TestReasonNamesTheOldest(t *testing.T) {
	for _, order := range [][]Need{
		{{Kind: Media, From: 25, Name: "1"}, {Kind: Media, From: 35, Name: "2"}},
		{{Kind: Media, From: 35, Name: "2"}, {Kind: Media, From: 25, Name: "1"}},
	} {
		inv := Inventory{QueueManager: "QM", Ordered: true, Segments: chain("ssssc"), Needs: append(order, needAt(Restart, 3))}
		got := Decide([]Inventory{inv}, Promise{Strategy: Conservative}).Managers[0].Verdicts
		if got[2].Why != "needed from the media point in 1 on" {
			t.Error(got[2].Why)
		}
	}
}

// What is missing is reported with the oldest point that needs it, whatever
// the order of the points; holds are none.
func TestMissingNamesTheOldestPoint(t *testing.T) {
	media := Need{Kind: Media, From: 15, Name: "0", Entry: "2026-05-02 00:10:00", Source: "AMQ7462"}
	published := Need{Kind: Published, From: 15, Source: "AMQJRNINF"}
	before := Need{Kind: Media, From: 1, Entry: "2026-05-01 00:10:00", Source: "AMQ7462"}
	restart, hold := Need{Kind: Restart, From: 35, Source: "AMQ7460"}, Need{Kind: Hold, From: 1, Source: "hold 7"}
	lost := "LIB/1 is needed by the media recovery point 0 at 2026-05-02 00:10:00 (AMQ7462), neither on the system nor in a store"
	tests := []struct {
		needs []Need
		want  string
	}{
		{[]Need{media, restart}, lost},
		{[]Need{restart, media}, lost},
		{[]Need{hold, restart, media}, lost},
		{[]Need{media, published, restart}, lost},
		{[]Need{published, restart}, "needed by the older of restart and media recovery point (AMQJRNINF)"},
		{[]Need{before, restart}, "needed by the media recovery point at 2026-05-01 00:10:00 (AMQ7462)"},
		{[]Need{restart, before}, "needed by the media recovery point at 2026-05-01 00:10:00 (AMQ7462)"},
		{[]Need{restart}, ""},
	}
	for _, test := range tests {
		inv := Inventory{QueueManager: "QM", Ordered: true, Segments: chain("sasc"), Needs: test.needs}
		var texts []string
		for _, f := range Decide([]Inventory{inv}, Promise{Strategy: Conservative}).Findings {
			texts = append(texts, f.Text)
		}
		if got := strings.Join(texts, "\n"); !strings.Contains(got, test.want) {
			t.Errorf("%v:\n got %s\nwant %s", test.needs, got, test.want)
		}
	}
	inv := Inventory{QueueManager: "QM", Ordered: true, Segments: chain("sasc"), Needs: []Need{restart}}
	found := Decide([]Inventory{inv}, Promise{Strategy: FastStartup}).Findings
	if len(found) != 1 || !strings.Contains(found[0].Text, "LIB/1 is needed by a recovery point that is not known, neither on") {
		t.Errorf("%+v", found)
	}
}

// What is missing is told with the needs that read it, of them those of the
// promise that is broken, and with what fails then.
func TestMissingNamesWhoReadsIt(t *testing.T) {
	restart := Need{Kind: Restart, From: 35, Name: "2", Source: "RECLOG"}
	media := Need{Kind: Media, From: 15, Name: "0", Source: "MEDIALOG"}
	backup := Need{Kind: DataBackup, From: 15, Name: "0", Source: "note 17"}
	replay := Need{Kind: Replay, From: 25, Name: "1", Source: "note 18"}
	tests := []struct {
		name     string
		chain    string
		needs    []Need
		strategy Strategy
		copied   []int
		want     string
	}{
		{"the restart range is only in the store", "ssasc", []Need{media, restart}, FastStartup, []int{2},
			"LIB/2 is needed by the restart point 2 (RECLOG) only in the store, but fast-startup promises the recovery without a restore: the next start of the queue manager fails"},
		{"under conservative both are promised", "ssasc", []Need{media, restart}, Conservative, []int{2},
			"LIB/2 is needed by the restart point 2 (RECLOG) and the media recovery point 0 (MEDIALOG) only in the store, but conservative promises the recovery without a restore: the next start of the queue manager fails, and a rebuild of a damaged object fails"},
		{"only a rebuild reads it", "sassc", []Need{media, restart}, Conservative, []int{1},
			"LIB/1 is needed by the media recovery point 0 (MEDIALOG) only in the store, but conservative promises the recovery without a restore: a rebuild of a damaged object fails"},
		{"a backup reads it", "asssc", []Need{backup, restart, {Kind: Media, From: 35, Source: "MEDIALOG"}}, Conservative, nil,
			"LIB/0 is needed by the data-backup recovery point 0 (note 17), neither on the system nor in a store: the backup can't be rolled forward"},
		{"a backup and a replay read it", "sassc", []Need{backup, replay, restart, {Kind: Media, From: 35, Source: "MEDIALOG"}}, Conservative, nil,
			"LIB/1 is needed by the data-backup recovery point 0 (note 17) and the replay recovery point 1 (note 18), neither on the system nor in a store: the backup can't be rolled forward, and the other queue manager can't be brought up to date"},
		{"not whole", "sspsc", []Need{media, restart}, FastStartup, nil,
			"LIB/2 is needed by the restart point 2 (RECLOG) and the media recovery point 0 (MEDIALOG), on the system but partial, and not in a store: the next start of the queue manager fails, and a rebuild of a damaged object fails"},
		{"in the store, as promised", "sassc", []Need{media, restart}, FastStartup, []int{1},
			"LIB/1 is in the store, to restore before a recovery that reads from the media recovery point 0 (MEDIALOG)"},
	}
	for _, test := range tests {
		inv := Inventory{QueueManager: "QM", Ordered: true, Segments: chain(test.chain), Needs: test.needs}
		copies(test.copied...)(&inv)
		found := Decide([]Inventory{inv}, Promise{Strategy: test.strategy, Unsaved: DeleteUnsaved}).Findings
		if len(found) != 1 || found[0].Text != "QM: "+test.want {
			t.Errorf("%s:\n got %+v\nwant %s", test.name, found, test.want)
		}
	}
}

// What waits behind a held segment names the first one that is held.
func TestBehindNamesTheFirst(t *testing.T) {
	inv := Inventory{QueueManager: "QM", Ordered: true, Segments: chain("ossosc"), Needs: []Need{needAt(Restart, 5), needAt(Media, 5)}}
	for i, v := range Decide([]Inventory{inv}, Promise{Strategy: Conservative}).Managers[0].Verdicts[1:5] {
		if want := "waits behind LIB/0: segments go oldest first"; i != 2 && v.Why != want {
			t.Errorf("segment %d: %s", i+1, v.Why)
		}
	}
}
