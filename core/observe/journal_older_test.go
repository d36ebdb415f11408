package observe

import (
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/recovery"
)

// Copies are put in front of the oldest receiver that is listed, whatever the
// wall clock did while they were attached.
func TestOlderPieces(t *testing.T) {
	tests := []struct {
		name   string
		oldest string   // attach, detach or -, first number
		copies []string // name, attach, detach, first and last number
		want   string
	}{
		{"in order", "03.00 - 31", []string{"1 01.00 02.00 1 10", "2 02.00 02.30 11 20", "3 02.30 03.00 21 30"}, "1 2 3"},
		{"a gap", "03.00 - 31", []string{"1 01.00 02.00 1 10", "3 02.30 03.00 21 30"}, "1 *** 3"},
		{"a gap to the oldest", "03.00 - 31", []string{"1 01.00 02.00 1 10", "2 02.00 02.30 11 20"}, "1 2 ***"},
		{"summer time ends", "02.10 - 31", []string{"1 01.00 02.30 1 10", "2 02.30 02.50 11 20", "3 02.50 02.10 21 30"}, "1 2 3"},
		{"summer time ends, and a gap", "02.10 - 31", []string{"1 01.00 02.00 1 10", "3 02.50 02.10 21 30"}, "1 *** 3"},
		{"several in a second", "03.00 - 31", []string{"1 01.00 03.00 1 10", "2 03.00 03.00 11 20", "3 03.00 03.00 21 30"}, "1 2 3"},
		{"several in a second, the oldest one among them", "03.00 03.00 31", []string{"1 01.00 03.00 1 10", "2 03.00 03.00 11 20", "3 03.00 03.00 21 30", "5 03.00 03.00 41 50"}, "1 2 3"},
		{"numbers are not known", "03.00 - 0", []string{"1 01.00 03.00 0 0", "2 03.00 03.00 0 0", "3 03.00 03.00 0 0"}, "1 2 3"},
		{"names wrap", "03.00 - 31", []string{"1 01.00 03.00 1 10", "9 03.00 03.00 11 20", "0 03.00 03.00 21 30"}, "1 9 0"},
		{"numbers begin again", "03.00 - 1", []string{"2 01.00 02.00 1 10", "3 02.00 03.00 11 20"}, "2 3"},
		{"by its time, and of another name", "03.00 - 1", []string{"2 02.00 03.00 11 20"}, ""},
		{"numbers begin again within", "03.00 - 11", []string{"1 01.00 02.00 90 99", "2 02.00 03.00 1 10"}, "1 2"},
		{"numbers of another day", "03.00 - 11", []string{"1 01.00 02.00 1 10", "2 02.00 03.00 50 60"}, ""},
		{"newer than the oldest", "03.00 04.00 31", []string{"5 04.00 05.00 41 50"}, ""},
		{"none", "03.00 - 31", nil, ""},
	}
	stamp := func(clock string) string {
		if clock == "-" {
			return ""
		}
		return "2026-10-25-" + clock + ".00.000000"
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := strings.Fields(test.oldest)
			oldest := Receiver{ID: recovery.SegmentID{Library: "LIB", Name: "AMQA000004"}, Attach: stampOf(stamp(f[0])), Detach: stampOf(stamp(f[1])), First: number(f[2])}
			var copies []recovery.Copy
			for _, text := range test.copies {
				f := strings.Fields(text)
				copies = append(copies, recovery.Copy{Segment: recovery.SegmentID{Library: "LIB", Name: "AMQA00000" + f[0]}, Opened: stamp(f[1]), Closed: stamp(f[2]), From: f[3], To: f[4], Verified: true})
			}
			g := &gatherer{gathering: gathering{copies: copies, inventory: new(recovery.Inventory)}, chain: chainOf{receivers: []Receiver{oldest}}, listed: map[recovery.SegmentID]Receiver{oldest.ID: oldest}}
			g.fillShelf()
			var got []string
			for _, p := range g.olderPieces([]piece{{life: life{start: oldest.Attach, end: oldest.Detach}, present: true}}) {
				got = append(got, strings.TrimPrefix(strings.ReplaceAll(p.segment.ID.Name, goneName, "***"), "AMQA00000"))
			}
			if text := strings.Join(got, " "); text != test.want {
				t.Errorf("%q, want %q", text, test.want)
			}
		})
	}
}
