package smdsexpand

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/core/observe/qsg"
)

// Buffers are raised by the negative lowest number of free ones, and not over what
// is allowed (case 47; trap 27).
func TestEnlarge(t *testing.T) {
	const k256, m1 = 256 << 10, 1 << 20
	of := qsg.Of
	tests := []struct {
		name  string
		pool  pool
		most  int64
		want  enlarged
		wants bool
	}{
		{"twelve waited", pool{of(100), of(k256), of(-12), of(3)}, 1 << 30, enlarged{112, 0}, true},
		{"twelve waited, of very many", pool{of(100), of(k256), of(-12), of(0)}, 1 << 30, enlarged{112, 0}, true},
		{"none was free and nobody waited", pool{of(100), of(k256), of(0), of(0)}, 1 << 30, enlarged{}, false},
		{"some were free", pool{of(100), of(k256), of(45), of(0)}, 1 << 30, enlarged{}, false},
		{"not known", pool{of(100), of(k256), qsg.Number{}, of(3)}, 1 << 30, enlarged{}, false},
		{"how many there are is not known", pool{qsg.Number{}, of(k256), of(-12), of(3)}, 1 << 30, enlarged{}, false},
		{"how large they are is not known", pool{of(100), qsg.Number{}, of(-12), of(3)}, 1 << 30, enlarged{}, false},
		{"storage for some of them", pool{of(100), of(m1), of(-50), of(3)}, 120 << 20, enlarged{120, 30}, true},
		{"storage for no more", pool{of(100), of(m1), of(-50), of(3)}, 100 << 20, enlarged{100, 50}, true},
		{"more already than is allowed", pool{of(200), of(m1), of(-50), of(3)}, 100 << 20, enlarged{200, 50}, true},
		{"the most there are", pool{of(9990), of(8 << 10), of(-50), of(3)}, 1 << 40, enlarged{9999, 41}, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, wants := test.pool.enlarge(test.most)
			if got != test.want || wants != test.wants {
				t.Errorf("%+v %v, want %+v %v", got, wants, test.want, test.wants)
			}
		})
	}
}

// DSBUFS is that of the data set, else that of the structure.
func TestPool(t *testing.T) {
	s := &qsg.Structure{Defined: qsg.Definition{DSBufs: qsg.Of(100), DSBlock: qsg.Of(64 << 10)}}
	d := qsg.DataSet{Buffers: qsg.BufferUsage{Total: qsg.Of(80), BlockBytes: qsg.Of(64 << 10)}}
	if p := poolOf(s, d); p.now != qsg.Of(100) || p.storage() != qsg.Of(6400<<10) {
		t.Errorf("%+v", p)
	}
	d.DSBufs = qsg.Of(300)
	if p := poolOf(s, d); p.now != qsg.Of(300) {
		t.Errorf("%+v", p)
	}
	if p := poolOf(nil, d); p.now != qsg.Of(80) {
		t.Errorf("%+v", p)
	}
	if p := poolOf(s, qsg.DataSet{}); p.block != qsg.Of(64<<10) || p.storage() != qsg.Of(6400<<10) {
		t.Errorf("%+v", p)
	}
}

// rules makes the three rules from sizes in KB and thresholds.
func rules(values ...int64) [3]qsg.OffloadRule {
	var all [3]qsg.OffloadRule
	for i := range all {
		all[i] = qsg.OffloadRule{Size: qsg.Of(values[2*i] << 10), Threshold: qsg.Of(values[2*i+1])}
	}
	return all
}

// Which rule holds at a fill, and which comes next (reference 6.9): by default 32
// KB from 70 per cent on, 4 KB from 80, all from 90. 64 KB or 100 per cent is a rule
// that is not used; 0 KB at 0 per cent holds always.
func TestOffloadRules(t *testing.T) {
	usual := rules(32, 70, 4, 80, 0, 90)
	tests := []struct {
		name         string
		rules        [3]qsg.OffloadRule
		fill         int64
		active, next int
	}{
		{"below the first", usual, 69, 0, 1},
		{"at the first", usual, 70, 1, 2},
		{"at the second", usual, 80, 2, 3},
		{"at the third", usual, 90, 3, 0},
		{"full", usual, 100, 3, 0},
		{"all of Db2's", rules(64, 70, 64, 80, 64, 90), 95, 0, 0},
		{"one by its threshold", rules(32, 100, 4, 80, 0, 90), 75, 0, 2},
		{"always all", rules(0, 0, 4, 80, 0, 90), 0, 1, 0},
		{"in another order", rules(0, 90, 4, 80, 32, 70), 75, 3, 2},
		{"a later one that lets less go", rules(4, 70, 32, 80, 0, 90), 75, 1, 3},
		{"two at once", rules(32, 70, 4, 70, 64, 100), 50, 0, 2},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			o := offloadOf(qsg.Structure{SizeUsed: qsg.Of(test.fill), Defined: qsg.Definition{Offload: "SMDS", Rules: test.rules}})
			number := func(r *rule) int {
				if r == nil {
					return 0
				}
				return r.number
			}
			if number(o.active) != test.active || number(o.next) != test.next {
				t.Errorf("active %d, next %d, want %d, %d", number(o.active), number(o.next), test.active, test.next)
			}
		})
	}
	if o := offloadOf(qsg.Structure{Defined: qsg.Definition{Rules: usual}}); o.active != nil || o.next != nil || o.activeText() != notKnown {
		t.Error("a rule holds at a fill that is not known")
	}
	if o := offloadOf(qsg.Structure{SizeUsed: qsg.Of(95), Defined: qsg.Definition{Offload: "DB2", Rules: usual}}); o.active != nil {
		t.Error("what Db2 gets fills no data set")
	}
}

// A structure is as full as its space or its entries, whichever is fuller.
func TestFill(t *testing.T) {
	tests := []struct {
		space, used, most, want qsg.Number
	}{
		{qsg.Of(43), qsg.Of(78084), qsg.Of(211480), qsg.Of(43)},
		{qsg.Of(43), qsg.Of(200000), qsg.Of(211480), qsg.Of(94)},
		{qsg.Number{}, qsg.Of(50), qsg.Of(100), qsg.Of(50)},
		{qsg.Of(43), qsg.Of(50), qsg.Of(0), qsg.Of(43)},
		{qsg.Number{}, qsg.Number{}, qsg.Of(100), qsg.Number{}},
	}
	for _, test := range tests {
		if got := fillOf(qsg.Structure{SizeUsed: test.space, EntriesUsed: test.used, EntriesMax: test.most}); got != test.want {
			t.Errorf("%v: %v", test, got)
		}
	}
}

// The rule that holds lets the smallest messages go of all that are reached, and
// the next one smaller ones still.
func TestOffloadRulesInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(label string, most int64) int64 { return rapid.Int64Range(0, most).Draw(t, label) }
		all := rules(draw("s1", 64), draw("t1", 100), draw("s2", 64), draw("t2", 100), draw("s3", 64), draw("t3", 100))
		s := qsg.Structure{SizeUsed: qsg.Of(draw("fill", 100)), Defined: qsg.Definition{Offload: "SMDS", Rules: all}}
		o := offloadOf(s)
		least := int64(unusedSize)
		for _, r := range usedRules(s.Defined) {
			if r.threshold <= s.SizeUsed.Value {
				least = min(least, r.size)
			}
		}
		if (o.active == nil) != (least == unusedSize) || o.active != nil && o.active.size != least {
			t.Fatalf("%+v, least %d", o.active, least)
		}
		if o.next != nil && (o.next.threshold <= s.SizeUsed.Value || o.next.size >= least) {
			t.Fatalf("next %+v", o.next)
		}
	})
}

// How much data one block of the space map stands for (reference 6.7; trap 41).
func TestOneMapHolds(t *testing.T) {
	for block, want := range map[int64]int64{8: 32 << 20, 16: 192 << 20, 32: 896 << 20, 64: 3840 << 20, 128: 15872 << 20, 256: 63 << 30, 512: 254 << 30, 1024: 1020 << 30} {
		if got := oneMapHolds(block << 10); got != want {
			t.Errorf("%dK: %d, want %d", block, got, want)
		}
	}
	if !outgrown(qsg.Of(8<<10), qsg.Of(4097)) || outgrown(qsg.Of(8<<10), qsg.Of(4096)) || outgrown(qsg.Of(64<<10), qsg.Of(1<<30)) || outgrown(qsg.Number{}, qsg.Of(5)) {
		t.Error("outgrown")
	}
}
