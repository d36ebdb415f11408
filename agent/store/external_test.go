package store

import (
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/recovery"
)

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
