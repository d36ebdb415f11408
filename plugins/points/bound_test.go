package points

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/core/recovery"
)

// drawInventory draws a journal: pieces in any state, the newest attached,
// with points, holds and copies.
func drawInventory(t *rapid.T) recovery.Inventory {
	states := []recovery.State{recovery.Online, recovery.Saved, recovery.Saved, recovery.Freed, recovery.Partial, recovery.Absent, recovery.StateUnknown}
	inv := recovery.Inventory{QueueManager: "QM1", Ordered: true}
	n := rapid.IntRange(1, 8).Draw(t, "pieces")
	for i := range n {
		s := recovery.Segment{
			ID:   recovery.SegmentID{QueueManager: "QM1", Library: "L", Name: fmt.Sprintf("AMQA%06d", i)},
			From: recovery.Position(i + 1), To: recovery.Position(i + 1), State: rapid.SampledFrom(states).Draw(t, "state"),
		}
		if i == n-1 {
			s.State = recovery.Current
		}
		if rapid.IntRange(0, 9).Draw(t, "pinned") == 0 {
			s.Pin = "a remote journal lags"
		}
		if rapid.IntRange(0, 3).Draw(t, "copied") == 0 {
			inv.Copies = append(inv.Copies, recovery.Copy{Segment: s.ID, Store: "vault", Verified: true})
		}
		inv.Segments = append(inv.Segments, s)
	}
	if rapid.Bool().Draw(t, "one never attached") {
		inv.Segments = append(inv.Segments, recovery.Segment{ID: recovery.SegmentID{Name: "EMPTY"}, From: recovery.Position(n + 1), To: recovery.Position(n + 1), State: recovery.Empty})
	}
	kinds := []recovery.NeedKind{recovery.Restart, recovery.Media, recovery.Published, recovery.Restart, recovery.Media, recovery.UnitOfWork, recovery.Hold}
	for _, kind := range kinds[rapid.IntRange(0, 2).Draw(t, "first kind"):rapid.IntRange(3, len(kinds)).Draw(t, "last kind")] {
		inv.Needs = append(inv.Needs, recovery.Need{Kind: kind, From: recovery.Position(rapid.IntRange(1, n).Draw(t, kind.String()))})
	}
	return inv
}

func drawPromise(t *rapid.T) recovery.Promise {
	return recovery.Promise{
		Strategy:   rapid.SampledFrom([]recovery.Strategy{recovery.Conservative, recovery.FastStartup, recovery.Aggressive}).Draw(t, "strategy"),
		Unsaved:    rapid.SampledFrom([]recovery.Unsaved{recovery.HoldUnsaved, recovery.SaveUnsaved, recovery.DeleteUnsaved}).Draw(t, "unsaved"),
		Margin:     rapid.IntRange(0, 2).Draw(t, "margin"),
		KeepNewest: rapid.IntRange(0, 3).Draw(t, "keep_newest"),
		MaxDeletes: rapid.IntRange(0, 4).Draw(t, "max_deletes"), MaxPercent: rapid.SampledFrom([]int{0, 50, 90}).Draw(t, "max_percent"),
	}
}

// Wherever the points go, however many pieces are attached meanwhile and
// whatever goes before: no plan lets a piece go that the bound keeps.
func TestAfterImagesIsTheMost(t *testing.T) {
	more := 0
	rapid.Check(t, func(t *rapid.T) {
		inv, promise := drawInventory(t), drawPromise(t)
		bound := Goes(WithImages(inv, promise))
		now := Goes(recovery.Decide([]recovery.Inventory{inv}, promise).Managers[0])
		later := inv
		later.Segments, later.Needs = nil, nil
		for _, s := range inv.Segments {
			switch {
			case s.State == recovery.Current:
				s.State = recovery.Online
			case now[s.ID] && len(later.Segments) == 0 && rapid.Bool().Draw(t, "gone in the first round"):
				continue
			}
			later.Segments = append(later.Segments, s)
		}
		last := inv.Segments[len(inv.Segments)-1].To
		attached := rapid.IntRange(1, 3).Draw(t, "attached since")
		for i := range attached {
			at := last + recovery.Position(i+1)
			s := recovery.Segment{ID: recovery.SegmentID{Name: fmt.Sprint("NEW", i)}, From: at, To: at, State: recovery.Online}
			if i == attached-1 {
				s.State = recovery.Current
			}
			later.Segments = append(later.Segments, s)
		}
		for _, need := range inv.Needs {
			if need.Kind != recovery.Hold {
				need.From = recovery.Position(rapid.Uint64Range(uint64(need.From), uint64(last)+1).Draw(t, "moved"))
			}
			later.Needs = append(later.Needs, need)
		}
		then := Goes(recovery.Decide([]recovery.Inventory{later}, promise).Managers[0])
		for _, s := range inv.Segments {
			if (now[s.ID] || then[s.ID]) && !bound[s.ID] {
				t.Fatalf("%s goes (now %v, then %v), and the bound keeps it", s.ID, now[s.ID], then[s.ID])
			}
		}
		if len(bound) > len(now) {
			more++
		}
	})
	if more == 0 {
		t.Error("images never let more go: this shows nothing")
	}
}

// The inventory of the plan is not touched.
func TestAfterImagesChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		inv := drawInventory(t)
		before := fmt.Sprintf("%+v", inv)
		WithImages(inv, drawPromise(t))
		if after := fmt.Sprintf("%+v", inv); after != before {
			t.Fatalf("%s\nbecame %s", before, after)
		}
	})
}
