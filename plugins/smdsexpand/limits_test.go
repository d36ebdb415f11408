package smdsexpand

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/core/idcams"
	"github.com/mqhk/mqhk/plugins/schema"
)

// usual are the settings when none is written.
func usual(tb testing.TB) config {
	tb.Helper()
	value, err := schema.New(settings(), nil)
	if err != nil {
		tb.Fatal(err)
	}
	return configOf(value)
}

// on gives a catalog entry with so many extents on each volume; 0 is a candidate.
func on(extents ...int64) *idcams.Cluster {
	c := &idcams.Cluster{Extents: idcams.Number{Known: true}}
	for _, n := range extents {
		c.Extents.Value += n
		c.Volumes = append(c.Volumes, idcams.Volume{Extents: idcams.Number{Value: n, Known: n > 0}})
	}
	return c
}

// total gives one that does not say on which volumes it lies.
func total(extents int64) *idcams.Cluster {
	return &idcams.Cluster{Extents: idcams.Number{Value: extents, Known: true}}
}

// The limits of DFSMS: 255 extents in total and 123 on a volume; with extent
// constraint removal 123 on each of 59 volumes, 7257 in all. What is not known
// counts as the smaller (case 46).
func TestRoom(t *testing.T) {
	constrained := func(c *idcams.Cluster, answer idcams.Answer) *idcams.Cluster { c.Constraint = answer; return c }
	tests := []struct {
		name       string
		entry      *idcams.Cluster
		placing    placing
		left, most int64
		sure, best int64
	}{
		{"250 of 255", on(123, 123, 4), placing{}, 5, 255, 1, 1},
		{"250, volumes not printed", total(250), placing{}, 5, 255, 1, 1},
		{"250, the data class says so", on(123, 123, 4), placing{removed: true, volumes: 59}, 7007, 7257, 1401, 7003},
		{"250, the data class says so, its three volumes", on(123, 123, 4), placing{removed: true}, 119, 369, 23, 115},
		{"300 are there, so that it is so", on(123, 123, 54), placing{volumes: 59}, 0, 255, 0, 0},
		{"300 are there, and the entry says so", constrained(on(123, 123, 54), idcams.Yes), placing{volumes: 59}, 6957, 7257, 1391, 6953},
		{"one volume", on(11), placing{}, 112, 123, 22, 108},
		{"one volume, full", on(123), placing{}, 0, 123, 0, 0},
		{"one volume, full, and a candidate", on(123, 0), placing{}, 123, 246, 24, 119},
		{"two volumes, the first left early", on(20, 10), placing{}, 113, 143, 22, 109},
		{"volumes said by the site", on(11), placing{volumes: 4}, 244, 255, 48, 240},
		{"more than there may be", on(11), placing{removed: true, volumes: 1000}, 7246, 7257, 1449, 7242},
		{"123, volumes not printed", total(123), placing{}, 0, 123, 0, 0},
		{"124, volumes not printed", total(124), placing{}, 122, 246, 24, 118},
		{"251: the last four are the system's", on(123, 123, 5), placing{}, 4, 255, 0, 0},
		{"246", on(123, 123), placing{volumes: 3}, 9, 255, 1, 5},
	}
	l := usual(t).limits
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := l.roomOf(test.entry, test.placing)
			if !r.known || r.left != test.left || r.most != test.most || r.sure(l) != test.sure || r.best(l) != test.best {
				t.Errorf("%d left of %d for %d to %d expansions, want %d of %d for %d to %d (%s)",
					r.left, r.most, r.sure(l), r.best(l), test.left, test.most, test.sure, test.best, r.why)
			}
		})
	}
	if l.roomOf(nil, placing{}).known || l.roomOf(&idcams.Cluster{}, placing{}).known {
		t.Error("room is known without extents")
	}
}

// Without extended addressability a data set has 4 GB; one that is larger has it,
// whatever its entry says.
func TestRoomInBytes(t *testing.T) {
	sized := func(allocated int64, answer idcams.Answer) *idcams.Cluster {
		c := on(1)
		c.Allocated, c.Addressable = idcams.Number{Value: allocated, Known: true}, answer
		return c
	}
	tests := []struct {
		name  string
		entry *idcams.Cluster
		want  int64
	}{
		{"not said", sized(1<<30, idcams.Unsaid), 4 << 30},
		{"said that it is not", sized(1<<30, idcams.No), 4 << 30},
		{"EXT-ADDR", sized(1<<30, idcams.Yes), 16 << 40},
		{"not said, and larger", sized(5<<30, idcams.Unsaid), 16 << 40},
	}
	for _, test := range tests {
		if got := usual(t).limits.roomOf(test.entry, placing{}).bytes; got != test.want {
			t.Errorf("%s: %d, want %d", test.name, got, test.want)
		}
	}
}

// What is known less of never gives more room.
func TestLessKnownIsLessRoom(t *testing.T) {
	l := usual(t).limits
	rapid.Check(t, func(t *rapid.T) {
		volumes := rapid.SliceOfN(rapid.Int64Range(1, 123), 1, 59).Draw(t, "volumes")
		candidates := rapid.IntRange(0, 5).Draw(t, "candidates")
		known := on(append(volumes, make([]int64, candidates)...)...)
		p := placing{removed: rapid.Bool().Draw(t, "removed"), volumes: rapid.Int64Range(0, 59).Draw(t, "said")}
		r := l.roomOf(known, p)
		if r.left < 0 || r.sure(l) > r.best(l) || r.best(l) > r.left {
			t.Fatalf("%+v: %d to %d", r, r.sure(l), r.best(l))
		}
		for name, less := range map[string]room{
			"no class":   l.roomOf(known, placing{volumes: p.volumes}),
			"no volumes": l.roomOf(known, placing{removed: p.removed}),
		} {
			if less.left > r.left {
				t.Fatalf("%s: %d left, with it %d", name, less.left, r.left)
			}
		}
		if r.left > 0 && r.extents+r.left > l.onVolume*l.volumes {
			t.Fatalf("%+v", r)
		}
	})
}

// The limits are settings, and a tighter one holds.
func TestLimitsAreSettings(t *testing.T) {
	value, err := schema.New(settings(), map[string]any{"extents": int64(100), "extents_on_volume": int64(20), "extents_kept": int64(0), "extents_at_once": int64(2)})
	if err != nil {
		t.Fatal(err)
	}
	l := configOf(value).limits
	r := l.roomOf(on(20, 20, 20, 15), placing{})
	if r.left != 5 || r.sure(l) != 2 || r.best(l) != 5 || !strings.Contains(r.why, "20 on a volume") {
		t.Errorf("%+v", r)
	}
}
