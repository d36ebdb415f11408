package points

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
)

func TestQueuesHold(t *testing.T) {
	tests := []struct {
		name  string
		loads []observe.QueueLoad
		want  int64
	}{
		{"nothing", []observe.QueueLoad{{Name: "A", File: -1, Longest: -1}}, 0},
		{"by its file", []observe.QueueLoad{{Depth: 100, File: 2 << 20, Longest: 4 << 20}}, 3 << 20},
		{"by its longest message", []observe.QueueLoad{{Depth: 2, File: 8 << 20, Longest: 1000}}, 2 * 2024},
		{"by its file alone", []observe.QueueLoad{{Depth: 2, File: 0, Longest: -1}}, 1 << 20},
		{"two", []observe.QueueLoad{{Depth: 1, File: -1, Longest: 0}, {Depth: 1, File: -1, Longest: 76}}, 2124},
		{"one of which nothing tells", []observe.QueueLoad{{Depth: 1, File: 1, Longest: 1}, {Depth: 1, File: -1, Longest: -1}}, notKnown},
		{"more than there can be", []observe.QueueLoad{{Depth: 1 << 62, File: -1, Longest: 1 << 62}, {Depth: 3, File: -1, Longest: 1 << 61}}, endless},
	}
	for _, test := range tests {
		if got := queuesHold(test.loads); got != test.want {
			t.Errorf("%s: %d, want %d", test.name, got, test.want)
		}
	}
}

func TestLogHolds(t *testing.T) {
	line := func(states ...recovery.State) []recovery.Segment {
		var list []recovery.Segment
		for i, s := range states {
			list = append(list, recovery.Segment{From: recovery.Position(i + 1), State: s, Bytes: 1 << i})
		}
		return list
	}
	media := []recovery.Need{{Kind: recovery.Media, From: 2}, {Kind: recovery.Restart, From: 1}}
	tests := []struct {
		name string
		inv  recovery.Inventory
		want int64
	}{
		{"from the media point on", recovery.Inventory{Segments: line(recovery.Saved, recovery.Online, recovery.Saved, recovery.Current, recovery.Empty), Needs: media}, 2 + 4 + 8},
		{"what is older does not matter", recovery.Inventory{Segments: line(recovery.Absent, recovery.Online, recovery.Current), Needs: media}, 2 + 4},
		{"one is gone", recovery.Inventory{Segments: line(recovery.Saved, recovery.Absent, recovery.Current), Needs: media}, notKnown},
		{"one is a shell", recovery.Inventory{Segments: line(recovery.Saved, recovery.Freed, recovery.Current), Needs: media}, notKnown},
		{"one has no size", recovery.Inventory{Segments: []recovery.Segment{{From: 2, State: recovery.Current}}, Needs: media}, notKnown},
		{"no media point", recovery.Inventory{Segments: line(recovery.Current), Needs: media[1:]}, notKnown},
	}
	for _, test := range tests {
		if got := logHolds(test.inv); got != test.want {
			t.Errorf("%s: %d, want %d", test.name, got, test.want)
		}
	}
}

func TestLoadText(t *testing.T) {
	filled := func(n int) (list []observe.QueueLoad) {
		for i := range n {
			list = append(list, observe.QueueLoad{Name: string(rune('A' + i)), Depth: int64(9 - i)})
		}
		return list
	}
	for n, want := range map[int]string{
		0: "up to 1.5 MiB uncompressed (estimate); no queue holds messages",
		1: "up to 1.5 MiB uncompressed (estimate); 1 queue holds messages: A (depth 9)",
		7: "up to 1.5 MiB uncompressed (estimate); 7 queues hold messages: A (depth 9), B (depth 8), C (depth 7), D (depth 6), E (depth 5), 2 more queues",
	} {
		if got := (Load{3 << 19, filled(n)}).String(); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}

// No sum of foreign figures runs over, and none is smaller than a part of it.
func TestSumsStop(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.Int64Range(0, 1<<63-1)
		a, b := number.Draw(t, "a"), number.Draw(t, "b")
		if got := sum(a, b); got < min(a, endless) || got > endless {
			t.Fatalf("sum %d", got)
		}
		if got := times(a, b); got < 0 || got > max(endless, a, b) || a > 0 && got < min(b, endless) {
			t.Fatalf("product %d", got)
		}
	})
}

func TestSizes(t *testing.T) {
	for bytes, want := range map[int64][2]string{
		0: {"0 bytes", "0 bytes"}, 1023: {"1023 bytes", "1023 bytes"}, 1024: {"1.0 KiB", "1.0 KiB"}, 1025: {"1.0 KiB", "1.1 KiB"},
		1<<20 - 1: {"1023.9 KiB", "1024.0 KiB"}, 1 << 20: {"1.0 MiB", "1.0 MiB"}, 30 << 30: {"30.0 GiB", "30.0 GiB"}, endless: {"1048576.0 TiB", "1048576.0 TiB"},
	} {
		if got := [2]string{SizeDown(bytes), SizeUp(bytes)}; got != want {
			t.Errorf("%d: %v, want %v", bytes, got, want)
		}
	}
}

func TestRoom(t *testing.T) {
	room := RoomIn(observe.PoolSpace{Size: 1005, Free: 400}, 10)
	if room.left != 100 || !room.Fits(Load{Bytes: 300}) || room.Fits(Load{Bytes: 301}) {
		t.Errorf("%+v", room)
	}
	if full := RoomIn(observe.PoolSpace{Size: 1000, Free: 50}, 10); full.Fits(Load{}) {
		t.Error("images in a pool that has less than is to stay free")
	}
	unlimited := RoomIn(observe.PoolSpace{Unlimited: true}, 90)
	if !unlimited.Fits(Load{Bytes: endless}) || !strings.Contains(unlimited.String(), "no limit") {
		t.Errorf("%+v", unlimited)
	}
}
