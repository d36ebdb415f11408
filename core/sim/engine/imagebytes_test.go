package engine

import (
	"errors"
	"strings"
	"testing"
)

// Room that is made for an image is never less than it takes, with messages in
// pieces, hidden and uncommitted ones.
func TestImageBytes(t *testing.T) {
	for _, part := range []int{0, 1000} {
		s := newEstateWith(t, 64<<10, func(o *Options) { o.Part = part })
		s.define("A")
		for _, n := range []int{0, 1, 900, 5_000} {
			s.put("A", strings.Repeat("x", n))
		}
		u := s.unit()
		s.unitPut(u, "A", strings.Repeat("y", 3_000))
		if _, err := u.Get(t.Context(), "A"); err != nil {
			t.Fatal(err)
		}
		bytes, err := s.e.ImageBytes(Ref{Queue, "A"})
		s.must(err)
		before := s.e.Position()
		s.must(s.e.Image(t.Context(), Ref{Queue, "A"}))
		took := int64(s.e.Position() - before)
		const frame = 600 // begin, end and the heads of records
		if least := int64(8_901); bytes < least || took > bytes+frame {
			t.Errorf("pieces of %d: it takes %d, room for %d", part, took, bytes)
		}
		if _, err := s.e.ImageBytes(Ref{Queue, "B"}); !errors.Is(err, ErrNoObject) {
			t.Error(err)
		}
	}
}
