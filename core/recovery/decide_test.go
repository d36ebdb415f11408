package recovery

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/finding"
)

// chain builds segments named by their index from one state letter each:
// c current, o online, s saved, f freed, p partial, e empty, r reuse,
// a absent, u unknown.
func chain(letters string) []Segment {
	states := map[rune]State{'c': Current, 'o': Online, 's': Saved, 'f': Freed, 'p': Partial, 'e': Empty, 'r': Reuse, 'a': Absent, 'u': StateUnknown}
	var segments []Segment
	for i, letter := range letters {
		segments = append(segments, Segment{
			ID:   SegmentID{"QM", "LIB", fmt.Sprint(i)},
			From: Position(10 * (i + 1)), To: Position(10*(i+1) + 9),
			Bytes: 100, State: states[letter], Fingerprint: fmt.Sprintf("f%d", i),
		})
	}
	return segments
}

func needAt(kind NeedKind, i int) Need {
	return Need{Kind: kind, From: Position(10*(i+1) + 5), Source: "a test"}
}

// letters gives one letter a verdict: k keep, d delete, a archive+delete,
// h hold, A archived, L lost.
func letters(verdicts []Verdict) string {
	var b strings.Builder
	for _, v := range verdicts {
		b.WriteByte("kxdahAL"[v.Kind])
	}
	return b.String()
}

func TestDecide(t *testing.T) {
	noted := time.Date(2026, 5, 28, 2, 0, 0, 0, time.UTC)
	conservative := Promise{Strategy: Conservative}
	fast := Promise{Strategy: FastStartup}
	aggressive := Promise{Strategy: Aggressive}
	tests := []struct {
		name           string
		chain          string
		restart, media int // segment of the recovery point; -1: not known
		promise        Promise
		change         func(*Inventory)
		want           string
		findings       string // codes, joined by blanks
	}{
		{name: "conservative keeps from the older", chain: "sssssc", restart: 4, media: 2, promise: conservative, want: "ddkkkk"},
		{name: "conservative keeps from the older, restart", chain: "sssssc", restart: 2, media: 4, promise: conservative, want: "ddkkkk"},
		{name: "fast-startup keeps from restart and saves what a rebuild needs", chain: "sssssc", restart: 4, media: 2, promise: fast, want: "ddaakk"},
		{name: "fast-startup deletes what is in the store", chain: "sssssc", restart: 4, media: 2, promise: fast,
			change: copies(2, 3), want: "ddddkk"},
		{name: "aggressive keeps what is being written", chain: "sssssc", restart: 4, media: 2, promise: aggressive, want: "ddaaak"},
		{name: "unsaved is held", chain: "ooosc", restart: 4, media: 3, promise: conservative, want: "hhhkk", findings: "not-saved"},
		{name: "unsaved is saved", chain: "ooosc", restart: 4, media: 3, promise: Promise{Strategy: Conservative, Unsaved: SaveUnsaved}, want: "aaakk"},
		{name: "unsaved is let go", chain: "ooosc", restart: 4, media: 3, promise: Promise{Strategy: Conservative, Unsaved: DeleteUnsaved}, want: "dddkk"},
		{name: "what waits behind a held one", chain: "sossc", restart: 4, media: 4, promise: conservative, want: "dhhhk", findings: "not-saved"},
		{name: "partial counts as unsaved", chain: "spsc", restart: 3, media: 3, promise: conservative, want: "dhhk", findings: "not-saved"},
		{name: "freed may go", chain: "sfsc", restart: 3, media: 3, promise: conservative, want: "dddk"},
		{name: "an unknown status is never deleted", chain: "susc", restart: 3, media: 3, promise: conservative, want: "dhhk", findings: "state-unknown"},
		{name: "an unknown status is never deleted, whatever unsaved says", chain: "usc", restart: 2, media: 2,
			promise: Promise{Strategy: Conservative, Unsaved: DeleteUnsaved}, want: "hhk", findings: "state-unknown"},
		{name: "empty ones are left alone and hold nothing back", chain: "sesce", restart: 3, media: 3, promise: conservative, want: "dkdkk"},
		{name: "reuse ones are left alone", chain: "rssc", restart: 3, media: 3, promise: conservative, want: "kddk"},
		{name: "margin", chain: "sssssc", restart: 4, media: 4, promise: Promise{Strategy: Conservative, Margin: 2}, want: "ddkkkk"},
		{name: "margin does not count what is absent or empty", chain: "ssasesc", restart: 6, media: 6, promise: Promise{Strategy: Conservative, Margin: 3}, want: "dkkkkkk"},
		{name: "margin beyond the chain", chain: "sssc", restart: 2, media: 2, promise: Promise{Strategy: Conservative, Margin: 9}, want: "kkkk"},
		{name: "keep newest only ever keeps more", chain: "sssssc", restart: 2, media: 2, promise: Promise{Strategy: Conservative, KeepNewest: 1}, want: "ddkkkk"},
		{name: "keep newest", chain: "sssssc", restart: 5, media: 5, promise: Promise{Strategy: Conservative, KeepNewest: 4}, want: "ddkkkk"},
		{name: "keep newest does not count what is absent or empty", chain: "ssasce", restart: 4, media: 4,
			promise: Promise{Strategy: Conservative, KeepNewest: 3}, want: "dkkkkk"},
		{name: "keep newest above the chain", chain: "ssc", restart: 2, media: 2, promise: Promise{Strategy: Aggressive, KeepNewest: 7}, want: "kkk"},
		{name: "min age, not known", chain: "ssc", restart: 2, media: 2, promise: Promise{Strategy: Conservative, MinAge: time.Hour}, want: "hhk"},
		{name: "min age, old enough and just too young", chain: "ssc", restart: 2, media: 2, promise: Promise{Strategy: Conservative, MinAge: time.Hour},
			change: func(inv *Inventory) {
				inv.Observed = noted
				inv.Segments[0].Unneeded = noted.Add(-time.Hour)
				inv.Segments[1].Unneeded = noted.Add(-time.Hour + 1)
			}, want: "dhk"},
		{name: "limit of deletes", chain: "sssssc", restart: 5, media: 5, promise: Promise{Strategy: Conservative, MaxDeletes: 3}, want: "dddhhk", findings: "limit-reached"},
		{name: "limit of deletes reached exactly", chain: "sssc", restart: 3, media: 3, promise: Promise{Strategy: Conservative, MaxDeletes: 3}, want: "dddk"},
		{name: "limit of the share", chain: "ssssc", restart: 4, media: 4, promise: Promise{Strategy: Conservative, MaxPercent: 79}, want: "hhhhk", findings: "too-much-at-once"},
		{name: "limit of the share reached exactly", chain: "ssssc", restart: 4, media: 4, promise: Promise{Strategy: Conservative, MaxPercent: 80}, want: "ddddk"},
		{name: "the share is taken before the count", chain: "ssssc", restart: 4, media: 4, promise: Promise{Strategy: Conservative, MaxPercent: 50, MaxDeletes: 1}, want: "hhhhk", findings: "too-much-at-once"},
		{name: "absent ones do not count for the share", chain: "assc", restart: 3, media: 3, promise: Promise{Strategy: Conservative, MaxPercent: 60}, want: "khhk", findings: "too-much-at-once"},
		{name: "a pinned one", chain: "sssc", restart: 3, media: 3, promise: conservative,
			change: func(inv *Inventory) { inv.Segments[1].Pin = "remote journal behind" }, want: "dhhk", findings: "remote-journal-behind"},
		{name: "needed and absent, no copy", chain: "sasc", restart: 3, media: 1, promise: conservative, want: "hLkk", findings: "receiver-lost"},
		{name: "needed and absent, no copy, fast", chain: "sasc", restart: 2, media: 1, promise: fast, want: "hLkk", findings: "receiver-lost"},
		{name: "needed and absent, no copy, aggressive", chain: "sasc", restart: 2, media: 1, promise: aggressive, want: "hLkk", findings: "receiver-lost"},
		{name: "needed and only in the store, conservative", chain: "sasc", restart: 3, media: 1, promise: conservative, change: copies(1), want: "hAkk", findings: "restore-required"},
		{name: "needed and only in the store, fast", chain: "sasc", restart: 2, media: 1, promise: fast, change: copies(1), want: "dAkk", findings: "receiver-archived"},
		{name: "the restart range only in the store, fast", chain: "sasc", restart: 1, media: 1, promise: fast, change: copies(1), want: "hAkk", findings: "restore-required"},
		{name: "the restart range only in the store, aggressive", chain: "sasc", restart: 1, media: 1, promise: aggressive, change: copies(1), want: "dAak", findings: "receiver-archived"},
		{name: "a copy that is not verified is none", chain: "sasc", restart: 2, media: 1, promise: fast,
			change: func(inv *Inventory) { inv.Copies = []Copy{{Segment: inv.Segments[1].ID}} }, want: "hLkk", findings: "receiver-lost"},
		{name: "needed and partial", chain: "spsc", restart: 3, media: 1, promise: conservative, want: "hkkk", findings: "receiver-unreadable"},
		{name: "needed and freed, copy", chain: "sfsc", restart: 2, media: 1, promise: fast, change: copies(1), want: "ddkk", findings: "receiver-archived"},
		{name: "needed and freed, no copy", chain: "sfsc", restart: 2, media: 1, promise: fast, want: "hkkk", findings: "receiver-unreadable"},
		{name: "a hole below what is needed", chain: "sassc", restart: 3, media: 3, promise: conservative, want: "dkdkk"},
		{name: "no restart point, fast", chain: "sssc", restart: -1, media: 1, promise: fast, want: "hkkk", findings: "mark-missing"},
		{name: "no media point, conservative", chain: "sssc", restart: 2, media: -1, promise: conservative, want: "hhkk", findings: "mark-missing"},
		{name: "no media point, fast saves all", chain: "sssc", restart: 2, media: -1, promise: fast, want: "aakk"},
		{name: "no media point, aggressive", chain: "sssc", restart: 2, media: -1, promise: aggressive, want: "hhkk", findings: "mark-missing"},
		{name: "the published point is enough for conservative", chain: "sssc", restart: -1, media: -1, promise: conservative,
			change: needs(needAt(Published, 1)), want: "dkkk"},
		{name: "the published point is enough for aggressive", chain: "sssc", restart: -1, media: -1, promise: aggressive,
			change: needs(needAt(Published, 1)), want: "daak"},
		{name: "the published point is not enough for fast", chain: "sssc", restart: -1, media: -1, promise: fast,
			change: needs(needAt(Published, 1)), want: "hkkk", findings: "mark-missing"},
		{name: "fast never keeps from the published point", chain: "sssc", restart: 2, media: 2, promise: fast,
			change: needs(needAt(Published, 1)), want: "dakk"},
		{name: "a unit of work keeps, fast", chain: "ssssc", restart: 3, media: 3, promise: fast, change: needs(needAt(UnitOfWork, 2)), want: "ddkkk"},
		{name: "no strategy", chain: "sssc", restart: 2, media: 2, want: "hhkk", findings: "mark-missing"},
		{name: "an operator's hold", chain: "sssc", restart: 3, media: 3, promise: conservative, change: needs(Need{Kind: Hold}), want: "hhhk", findings: "on-hold"},
		{name: "a hold demands nothing that is only in the store", chain: "asssc", restart: 1, media: 0, promise: aggressive,
			change: func(inv *Inventory) { copies(0)(inv); needs(Need{Kind: Hold})(inv) }, want: "Ahhhk", findings: "receiver-archived on-hold"},
		{name: "with a hold conservative demands what it promises, and no more", chain: "asssc", restart: 3, media: 0, promise: conservative,
			change: func(inv *Inventory) { copies(0)(inv); needs(Need{Kind: Hold})(inv) }, want: "Akkkk", findings: "restore-required"},
		{name: "an operator's hold of one segment, aggressive", chain: "ssssc", restart: 4, media: 4, promise: aggressive, change: needs(needAt(Hold, 2)), want: "ddhhk", findings: "on-hold"},
		{name: "something that could not be learned", chain: "sssc", restart: 3, media: 3, promise: conservative,
			change: func(inv *Inventory) { inv.Open = []finding.Finding{finding.New(finding.NotAnswered, "x")} }, want: "hhhk"},
		{name: "what follows from something that could not be learned is no news", chain: "ssss", restart: -1, media: -1, promise: conservative,
			change: func(inv *Inventory) { inv.Open = []finding.Finding{finding.New(finding.NotAnswered, "x")} }, want: "hhhh"},
		{name: "a warning does not block", chain: "sssc", restart: 3, media: 3, promise: conservative,
			change: func(inv *Inventory) { inv.Open = []finding.Finding{finding.New(finding.ChainLong, "x")} }, want: "dddk"},
		{name: "nothing is being written", chain: "ssss", restart: 3, media: 3, promise: conservative, want: "hhhk", findings: "attached-unknown"},
		{name: "two are being written", chain: "scsc", restart: 3, media: 3, promise: conservative, want: "hkkk", findings: "attached-unknown"},
		{name: "two are being written, and nothing else is there", chain: "cc", restart: 1, media: 1, promise: conservative, want: "kk", findings: "attached-unknown"},
		{name: "the oldest of all is being written", chain: "cs", restart: 1, media: 1, promise: conservative, want: "kk", findings: "attached-unknown"},
		{name: "something is newer than what is being written", chain: "sscs", restart: 3, media: 3, promise: aggressive, want: "hhkk", findings: "attached-unknown"},
		{name: "a point before all that is known", chain: "ssc", restart: 2, media: 2, promise: fast, change: needs(Need{Kind: Media, From: 1}), want: "kkk", findings: "receiver-lost"},
		{name: "no segments", chain: "", restart: -1, media: -1, promise: conservative, want: "", findings: "attached-unknown mark-missing"},
		{name: "only what is being written", chain: "c", restart: 0, media: 0, promise: aggressive, want: "k"},
		{name: "not ordered: what is held holds nothing else", chain: "sossc", restart: 4, media: 4, promise: conservative,
			change: func(inv *Inventory) { inv.Ordered = false }, want: "dhddk", findings: "not-saved"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			inv := Inventory{QueueManager: "QM", Ordered: true, Segments: chain(test.chain)}
			if test.restart >= 0 {
				inv.Needs = append(inv.Needs, needAt(Restart, test.restart))
			}
			if test.media >= 0 {
				inv.Needs = append(inv.Needs, needAt(Media, test.media))
			}
			if test.change != nil {
				test.change(&inv)
			}
			got := Decide([]Inventory{inv}, test.promise)
			if l := letters(got.Managers[0].Verdicts); l != test.want {
				t.Errorf("verdicts %s, want %s\n%+v", l, test.want, got.Managers[0].Verdicts)
			}
			var codes []string
			for _, f := range got.Findings {
				codes = append(codes, string(f.Code))
			}
			if c := strings.Join(codes, " "); c != test.findings {
				t.Errorf("findings %q, want %q", c, test.findings)
			}
			for i, v := range got.Managers[0].Verdicts {
				if v.Reason == "" || v.Why == "" {
					t.Errorf("segment %d has no reason: %+v", i, v)
				}
			}
		})
	}
}

func copies(indices ...int) func(*Inventory) {
	return func(inv *Inventory) {
		for _, i := range indices {
			inv.Copies = append(inv.Copies, Copy{Segment: inv.Segments[i].ID, Store: "vault", Verified: true})
		}
	}
}

func needs(more ...Need) func(*Inventory) {
	return func(inv *Inventory) { inv.Needs = append(inv.Needs, more...) }
}
