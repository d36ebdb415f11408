package applications

import (
	"maps"
	"testing"

	"github.com/mqhk/mqhk/core/sim/engine"
)

func TestTable(t *testing.T) {
	kept := map[uint64]string{1: "ONE", 2: "TWO"}
	table := New(kept)
	table.Begun(3, "THREE")
	table.Ended(1)
	table.Ended(9)
	if len(kept) != 2 {
		t.Error("what was kept is not a copy")
	}
	names := table.Names()
	if !maps.Equal(names, map[uint64]string{2: "TWO", 3: "THREE"}) || table.Of(3) != "THREE" || table.Of(1) != "" {
		t.Error(names)
	}
	names[4] = "FOUR"
	table.Left([]engine.UnitInfo{{ID: 3}, {ID: 7}})
	if got := table.Names(); !maps.Equal(got, map[uint64]string{3: "THREE"}) {
		t.Error(got)
	}
	if got := New(nil).Names(); got == nil || len(got) != 0 {
		t.Error(got)
	}
}
