package report

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/agent/ledger"
)

func TestRangesCoverEachSegmentOnce(t *testing.T) {
	words := rapid.SampledFrom([]string{"keep", "delete", "hold"})
	segment := rapid.Custom(func(t *rapid.T) ledger.Segment {
		return ledger.Segment{
			Name:         rapid.StringMatching(`AMQA[0-9]{6}`).Draw(t, "name"),
			QueueManager: rapid.SampledFrom([]string{"QMA1", "QMA2"}).Draw(t, "queue manager"),
			Verdict:      words.Draw(t, "verdict"), Reason: words.Draw(t, "reason"), State: words.Draw(t, "state"),
			Bytes: int64(rapid.IntRange(0, 1<<30).Draw(t, "bytes")),
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		segments := rapid.SliceOf(segment).Draw(t, "segments")
		next, bytes, sum := 0, int64(0), int64(0)
		ranges := Ranges(segments)
		for i, r := range ranges {
			if r.From != next || r.To < r.From || r.Count != r.To-r.From+1 {
				t.Fatalf("range %d is %d to %d, count %d; it should begin at %d", i, r.From, r.To, r.Count, next)
			}
			for _, s := range segments[r.From : r.To+1] {
				if s.Verdict != r.Verdict || s.Reason != r.Reason || s.QueueManager != r.QueueManager {
					t.Fatalf("range %+v holds %+v", r, s)
				}
				sum += s.Bytes
			}
			if i > 0 && alike(segments[r.From-1], segments[r.From]) {
				t.Fatalf("ranges %d and %d are one", i-1, i)
			}
			bytes, next = bytes+r.Bytes, r.To+1
		}
		if next != len(segments) || bytes != sum {
			t.Fatalf("%d of %d segments and %d of %d bytes are in ranges", next, len(segments), bytes, sum)
		}
	})
}

func TestRangeStates(t *testing.T) {
	ranges := Ranges([]ledger.Segment{{Name: "A", State: "saved"}, {Name: "B", State: "online"}, {Name: "C", State: "saved"}})
	if len(ranges) != 1 || ranges[0].States != "2 saved, 1 online" || ranges[0].Name() != "A .. C" {
		t.Errorf("got %+v", ranges)
	}
}

func TestSize(t *testing.T) {
	for bytes, want := range map[int64]string{
		0: "0 B", 1023: "1023 B", 1024: "1.0 KiB", 1<<20 - 1: "1023.9 KiB", 1 << 20: "1.0 MiB",
		822542336: "784.4 MiB", 98396626944: "91.6 GiB", 1 << 50: "1024.0 TiB", -2048: "-2.0 KiB",
		-1 << 63: "-4194304.0 TiB",
	} {
		if got := size(bytes); got != want {
			t.Errorf("size(%d) = %q, want %q", bytes, got, want)
		}
	}
}
