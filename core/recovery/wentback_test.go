package recovery

import "testing"

func TestWentBack(t *testing.T) {
	inventory := func(names string, needs ...Need) Inventory {
		inv := Inventory{Needs: needs}
		for _, n := range names {
			inv.Segments = append(inv.Segments, Segment{ID: SegmentID{"QM", "LIB", string(n)}})
		}
		return inv
	}
	restart := func(name, source string) Need { return Need{Kind: Restart, Name: name, Source: source} }
	media := func(name string) Need { return Need{Kind: Media, Name: name, Source: "AMQ7462 2026"} }
	at := func(name, entry string) Need {
		return Need{Kind: Media, Name: name, Entry: entry, Source: "AMQ7462 2026"}
	}
	tests := []struct {
		name           string
		earlier, later Inventory
		back           bool
	}{
		{"nothing known", inventory(""), inventory(""), false},
		{"stands", inventory("123", media("2")), inventory("123", media("2")), false},
		{"forward", inventory("123", media("1")), inventory("123", media("3")), false},
		{"forward, and the old one is gone", inventory("123", media("1")), inventory("23", media("3")), false},
		{"back", inventory("123", media("3")), inventory("123", media("2")), true},
		{"back to one that is gone", inventory("123", media("3")), inventory("23", media("1")), true},
		{"by chain order, not by name", inventory("890", media("9")), inventory("890", media("0")), false},
		{"by chain order, back", inventory("890", media("0")), inventory("890", media("9")), true},
		{"both gone", inventory("12", media("1")), inventory("34", media("2")), false},
		{"the same entry, read another way", inventory("123", at("3", "12.30.00.100")), inventory("123", at("2", "12.30.00.100")), false},
		{"an older entry", inventory("123", at("3", "12.30.00.100")), inventory("123", at("2", "12.30.00.099")), true},
		{"another kind", inventory("123", media("3")), inventory("123", restart("1", "AMQ7460")), false},
		{"another source", inventory("123", restart("3", "AMQ7460 x")), inventory("123", restart("1", "RECLOG x")), false},
		{"the same source", inventory("123", restart("3", "RECLOG x")), inventory("123", restart("1", "RECLOG y")), true},
		{"without a name", inventory("123", media("")), inventory("123", media("2")), false},
		{"a hold is no point", inventory("123", Need{Kind: Hold, Name: "3"}), inventory("123", Need{Kind: Hold, Name: "1"}), false},
	}
	for _, test := range tests {
		if got := WentBack(test.earlier, test.later); (got != "") != test.back {
			t.Errorf("%s: %q", test.name, got)
		}
	}
}
