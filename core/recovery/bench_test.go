package recovery

import (
	"fmt"
	"runtime"
	"testing"
)

// BenchmarkDecide decides over a chain of n saved receivers, half of which
// are needed. Per receiver: at most a microsecond, and at most 200 bytes
// beyond the input.
func BenchmarkDecide(b *testing.B) {
	for _, n := range []int{1e4, 1e5, 1e6} {
		inventory := longChain(n)
		for _, strategy := range []Strategy{Conservative, FastStartup, Aggressive} {
			b.Run(fmt.Sprintf("%s/%d", strategy, n), func(b *testing.B) {
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				for b.Loop() {
					Decide([]Inventory{inventory}, Promise{Strategy: strategy, Unsaved: SaveUnsaved})
				}
				runtime.ReadMemStats(&after)
				perReceiver := float64(b.N) * float64(n)
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/perReceiver, "ns/receiver")
				b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/perReceiver, "B/receiver")
			})
		}
	}
}

// longChain is a chain of n receivers whose older half was saved, with the
// media point in the middle and the restart point near the end.
func longChain(n int) Inventory {
	inventory := Inventory{QueueManager: "QM", Ordered: true, Segments: make([]Segment, n)}
	for i := range inventory.Segments {
		state := Saved
		switch {
		case i == n-1:
			state = Current
		case i > n/2:
			state = Online
		}
		inventory.Segments[i] = Segment{
			ID: SegmentID{"QM", "LIB", fmt.Sprintf("AMQA%06d", i%100000)}, From: Position(i + 1), To: Position(i + 1),
			State: state, Bytes: 1 << 20, Fingerprint: "f",
		}
	}
	inventory.Needs = []Need{
		{Kind: Media, From: Position(n/2 + 1), Source: "a"},
		{Kind: Restart, From: Position(n - 2), Source: "b"},
	}
	return inventory
}
