package recovery

import (
	"time"

	"github.com/mqhk/mqhk/core/finding"
	"pgregory.net/rapid"
)

// upTo draws a number from 0 up to n, each as likely: rapid's own draws favour
// small numbers, with which nothing would ever go (splitmix64).
func upTo(t *rapid.T, n int, what string) int {
	x := rapid.Uint64().Draw(t, what) + 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return int((x ^ x>>31) % uint64(n+1))
}

// oneIn tells, once in n times, to do something rare.
func oneIn(t *rapid.T, n int, what string) bool { return upTo(t, n-1, what) == 0 }

// drawInventory draws an inventory in which every position lies in a segment.
// Most of them are sound, so that something goes.
func drawInventory(t *rapid.T) Inventory {
	n := upTo(t, 12, "segments")
	inv := Inventory{QueueManager: "QM", Ordered: oneIn(t, 2, "ordered"), Observed: time.Date(2026, 5, 28, 2, 0, 0, 0, time.UTC)}
	states := []State{Saved, Saved, Saved, Saved, Online, Online, Empty, Reuse}
	if oneIn(t, 3, "odd") {
		states = append(states, Freed, Partial, Absent, StateUnknown)
	}
	for i := range n {
		s := Segment{ID: SegmentID{"QM", "LIB", string(rune('A' + i))}, From: Position(10 * (i + 1)), To: Position(10*i + 19), Bytes: 1, Fingerprint: "f"}
		s.State = states[upTo(t, len(states)-1, "state")]
		if oneIn(t, 20, "pinned") {
			s.Pin = "behind"
		}
		if !oneIn(t, 6, "no age") {
			s.Unneeded = inv.Observed.Add(-time.Duration(1+upTo(t, 4, "age")) * time.Hour)
		}
		if copied := upTo(t, 4, "copy"); copied < 2 {
			inv.Copies = append(inv.Copies, Copy{Segment: s.ID, Store: "vault", Verified: copied == 0})
		}
		inv.Segments = append(inv.Segments, s)
	}
	if n > 0 {
		drawNeeds(t, &inv, n)
	}
	if oneIn(t, 8, "removed by the manager") {
		inv.Remover = Remover(1 + upTo(t, 1, "remover"))
	}
	if oneIn(t, 8, "weakest") {
		inv.Weakest = Strategy(1 + upTo(t, 2, "of the strategies"))
	}
	if oneIn(t, 20, "open") {
		codes := []finding.Code{finding.NotAnswered, finding.MarkTie}
		inv.Open = append(inv.Open, finding.New(codes[upTo(t, 1, "code")], "x"))
	}
	return inv
}

// drawNeeds draws what is being written and what is needed.
func drawNeeds(t *rapid.T, inv *Inventory, n int) {
	if !oneIn(t, 20, "no current") {
		inv.Segments[n-1].State = Current
	}
	if oneIn(t, 20, "one more current") {
		inv.Segments[upTo(t, n-1, "which")].State = Current
	}
	for _, kind := range []NeedKind{Restart, Media, Restart, Media, Published, UnitOfWork, Hold, Structure, DataBackup, RecoverySet, Replay} {
		most := 3 // in three of four: a need that is often there
		if kind > Media {
			most = 1
		}
		if upTo(t, 3, "need "+kind.String()) >= most || kind > DataBackup && kind < Hold && !oneIn(t, 3, "rare need") {
			continue
		}
		from := 10 + max(upTo(t, 10*n-1, "from"), upTo(t, 10*n-1, "or"))
		if oneIn(t, 60, "before all") {
			from = 1
		}
		inv.Needs = append(inv.Needs, Need{Kind: kind, From: Position(from), Logged: oneIn(t, 40, "logged")})
	}
}

// drawPromise draws a promise; each of its limits is there half of the time.
func drawPromise(t *rapid.T) Promise {
	sometimes := func(most int, what string) int { return max(0, upTo(t, 2*most, what)-most) }
	p := Promise{
		Strategy:   Strategy(1 + upTo(t, 2, "strategy")),
		Margin:     sometimes(3, "margin"),
		KeepNewest: sometimes(6, "keep newest"),
		MinAge:     time.Duration(sometimes(4, "min age")) * time.Hour,
		Unsaved:    Unsaved(upTo(t, 2, "unsaved")),
		MaxDeletes: sometimes(6, "max deletes"),
		MaxPercent: sometimes(100, "max percent"),
	}
	p.TrustErrorLog = oneIn(t, 2, "trust")
	if oneIn(t, 20, "no strategy") {
		p.Strategy = NoStrategy
	}
	return p
}
