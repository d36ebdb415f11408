package qmgr

import "testing"

// The default queue manager is the last that was made so.
func TestDefault(t *testing.T) {
	s := station1(t)
	for _, c := range []struct {
		spec Spec
		want string
	}{
		{Spec{Name: "FIRST"}, ""},
		{Spec{Name: "SECOND", Default: true}, "SECOND"},
		{Spec{Name: "THIRD"}, "SECOND"},
		{Spec{Name: "FOURTH", Default: true}, "FOURTH"},
	} {
		_, err := Create(t.Context(), s.sys, c.spec)
		s.must(err)
		if got, err := Default(s.sys); got != c.want || err != nil {
			t.Errorf("after %s: %q, %v", c.spec.Name, got, err)
		}
	}
	if names, err := List(s.sys); len(names) != 5 || err != nil {
		t.Errorf("%q, %v", names, err)
	}
}

// What a command shows of the recovery points is what was sent.
func TestPublished(t *testing.T) {
	for _, old := range []bool{false, true} {
		s := newStation(t, t, Spec{OldMessages: old})
		s.images()
		for _, told := range s.m.Published() {
			sent := s.messages(told.ID)
			if len(sent) == 0 || sent[len(sent)-1].Text != told.Text {
				t.Errorf("old %v: %q is not what was sent last", old, told.Text)
			}
		}
		never, err := Create(t.Context(), s.sys, Spec{Name: "OTHER"})
		s.must(err)
		if n := len(s.m.Published()); n != 2 || never.Published() != nil {
			t.Errorf("old %v: %d published, and %v of one that never started", old, n, never.Published())
		}
	}
}
