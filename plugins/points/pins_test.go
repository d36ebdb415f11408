package points

import (
	"testing"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
)

// The deepest queues are named; where there are many, the empty ones are only
// counted. Units of work hold one point, queues the other.
func TestPinnedBy(t *testing.T) {
	queue := func(name string, depth int) observe.Pin {
		return observe.Pin{Kind: recovery.Media, Segment: "AMQA000003", What: name, Depth: depth}
	}
	unit := func(name string) observe.Pin {
		return observe.Pin{Kind: recovery.Restart, Segment: "AMQA000003", What: name}
	}
	empty := []observe.Pin{queue("e1", 0), queue("e2", 0), queue("e3", 0), queue("e4", 0), queue("e5", 0)}
	elsewhere := observe.Pin{Kind: recovery.Media, Segment: "AMQA000004", What: "elsewhere", Depth: 9}
	tests := []struct {
		kind recovery.NeedKind
		pins []observe.Pin
		code finding.Code
		want string // empty: no finding
	}{
		{recovery.Media, []observe.Pin{queue("a", 0), queue("b", 7), unit("u"), elsewhere}, finding.PinnedByQueue, "b, a"},
		{recovery.Media, empty, finding.PinnedByQueue, "e1, e2, e3, e4, e5"},
		{recovery.Media, append([]observe.Pin{queue("a", 0)}, empty...), finding.PinnedByQueue, "6 queues without messages"},
		{recovery.Media, append([]observe.Pin{queue("a", 1), queue("?", -1), queue("b", 2)}, empty...), finding.PinnedByQueue, "b, a, ?, 5 more queues without messages"},
		{recovery.Media, []observe.Pin{queue("a", 1), queue("b", 2), queue("c", 3), queue("d", 4), queue("e", 5), queue("f", 6)}, finding.PinnedByQueue, "f, e, d, c, b, 1 more queue with messages"},
		{recovery.Media, []observe.Pin{queue("a", 1), queue("b", 2), queue("c", 3), queue("d", 4), queue("e", 5), queue("z", 0)}, finding.PinnedByQueue, "e, d, c, b, a, 1 more queue without messages"},
		{recovery.Restart, []observe.Pin{unit("u"), queue("a", 1)}, finding.PinnedByUnit, "u"},
		{recovery.Restart, []observe.Pin{unit("1"), unit("2"), unit("3"), unit("4"), unit("5"), unit("6"), unit("7")}, finding.PinnedByUnit, "1, 2, 3, 4, 5, 2 more units of work"},
		{recovery.Restart, empty, "", ""},
		{recovery.Media, nil, "", ""},
	}
	for _, test := range tests {
		found := PinnedBy("QM1", "media", test.kind, recovery.Need{Name: "AMQA000003"}, test.pins)
		if len(found) == 0 && test.want == "" {
			continue
		}
		want := finding.New(test.code, "QM1: the media point stays at AMQA000003 for %s", test.want)
		if len(found) != 1 || found[0] != want {
			t.Errorf("%v\nwant %v", found, want)
		}
	}
}
