package store

import (
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/recovery"
)

func TestSaved(t *testing.T) {
	const detached, later = "2026-05-27-13.59.00.000000", "2026-05-27-14.00.00.000000"
	for _, test := range []struct {
		name, closed, saved string
		state               recovery.State
		proved              bool
	}{
		{"saved", detached, later, recovery.Saved, true},
		{"freed", detached, later, recovery.Freed, true},
		{"a second later", detached, "2026-05-27-13.59.01.000000", recovery.Saved, true},
		{"in another form", "1260527135900", "2026-05-27 14:00:00", recovery.Saved, true},
		{"in the same second (case 2)", detached, "2026-05-27-13.59.00.900000", recovery.Saved, false},
		{"while it was attached", detached, "2026-05-27-13.00.00.000000", recovery.Saved, false},
		{"never saved", detached, later, recovery.Online, false},
		{"partial", detached, later, recovery.Partial, false},
		{"attached", detached, later, recovery.Current, false},
		{"of unknown status", detached, later, recovery.StateUnknown, false},
		{"no save time", detached, "", recovery.Saved, false},
		{"no detach time", "", later, recovery.Saved, false},
		{"no time that can be read", detached, "later", recovery.Saved, false},
	} {
		err := Saved(SaveFacts{State: test.state, Closed: test.closed, Saved: test.saved})
		if (err == nil) != test.proved {
			t.Errorf("%s: %v", test.name, err)
		}
		if !test.proved {
			is(t, err, ErrNotProved)
		}
	}
}

func TestExternalHoldsNothing(t *testing.T) {
	s := NewExternal("brms")
	_, err := s.Put(t.Context(), receiver("AMQA000007"), facts(), strings.NewReader("x"))
	is(t, err, ErrHoldsNothing)
	is(t, s.Verify(t.Context(), recovery.Copy{}), ErrHoldsNothing)
	_, err = s.Open(t.Context(), recovery.Copy{})
	is(t, err, ErrHoldsNothing)
	if copies, problems := listed(s, "ORDERS"); len(copies)+len(problems) != 0 || s.Name() != "brms" {
		t.Errorf("%v, %v", copies, problems)
	}
}
