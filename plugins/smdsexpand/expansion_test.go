package smdsexpand

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/core/idcams"
)

// A data set of so many cylinders grows past a size (case 46; reference 6.8). A
// thousand cylinders with no secondary quantity need 17 expansions to pass five
// thousand.
func TestExpansions(t *testing.T) {
	tests := []struct {
		name                  string
		secondary, from, past int64
		want                  int64
	}{
		{"no secondary quantity", 0, 1000, 5000, 17},
		{"the sixteenth does not do", 0, 1000, 4608, 17},
		{"but nearly", 0, 1000, 4607, 16},
		{"one more", 0, 1000, 1000, 1},
		{"larger already", 0, 1001, 1000, 0},
		{"a tenth of little is one", 0, 1, 5, 5},
		{"a secondary quantity", 500, 1000, 5000, 9},
		{"one that divides evenly", 500, 1000, 4999, 8},
		{"large", 5000, 1000, 5000, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			g := growth{unit: cylinder, secondary: test.secondary * cylinder}
			if got := g.passes(test.from*cylinder, test.past*cylinder); got != test.want {
				t.Errorf("%d expansions, want %d", got, test.want)
			}
		})
	}
}

// What expansions add up to is what they were said to pass: one fewer does not.
func TestExpansionsAreTheFewest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := growth{unit: rapid.SampledFrom([]int64{track, cylinder}).Draw(t, "unit")}
		g.secondary = rapid.Int64Range(0, 500).Draw(t, "secondary") * g.unit
		from := rapid.Int64Range(1, 5000).Draw(t, "from") * g.unit
		past := rapid.Int64Range(1, 1<<40).Draw(t, "past")
		const most = 1 << 60
		n := g.passes(from, past)
		if got := g.after(from, n, most); got <= past {
			t.Fatalf("%d expansions give %d, which does not pass %d", n, got, past)
		}
		if n > 0 && g.after(from, n-1, most) > past {
			t.Fatalf("%d expansions are one too many", n)
		}
		bound := rapid.Int64Range(1, 1<<40).Draw(t, "bound")
		if got := g.after(from, n, bound); got < from || got > max(from, bound) {
			t.Fatalf("from %d to %d over the bound %d", from, got, bound)
		}
	})
}

// A data set as large as is wanted is not so full that it expands, and a smaller
// one is.
func TestHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bytes := rapid.Int64Range(0, 1<<50).Draw(t, "bytes")
		size := holds(bytes)
		if bytes*100 >= size*expandsAt || size > 1 && bytes*100 < (size-1)*expandsAt {
			t.Fatalf("%d bytes in %d", bytes, size)
		}
	})
}

// The secondary quantity is in the units of the entry.
func TestGrowthOf(t *testing.T) {
	number := func(value int64) idcams.Number { return idcams.Number{Value: value, Known: true} }
	tests := []struct {
		kind      string
		secondary idcams.Number
		want      growth
		known     bool
	}{
		{"CYLINDER", number(100), growth{cylinder, 100 * 737280}, true},
		{"CYLINDER", number(0), growth{cylinder, 0}, true},
		{"TRACK", number(3), growth{track, 3 * 49152}, true},
		{"MEGABYTE", number(1), growth{track, 22 * 49152}, true},
		{"KILOBYTE", number(1), growth{track, 49152}, true},
		{"RECORD", number(0), growth{track, 0}, true},
		{"RECORD", number(10), growth{track, 0}, false},
		{"CYLINDER", idcams.Number{}, growth{track, 0}, false},
		{"CYLINDER", number(-1), growth{track, 0}, false},
	}
	for _, test := range tests {
		got, known := growthOf(&idcams.Cluster{SpaceType: test.kind, Secondary: test.secondary})
		if got != test.want || known != test.known {
			t.Errorf("%s %v: %+v %v, want %+v %v", test.kind, test.secondary, got, known, test.want, test.known)
		}
	}
	if _, known := growthOf(nil); known {
		t.Error("no entry tells how it grows")
	}
}
