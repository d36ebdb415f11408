package engine

import (
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/wal"
)

// seedEstate is a queue manager whose log takes what the seed's table says, in
// its pieces.
func seedEstate(t *testing.T, size int64) *estate {
	t.Helper()
	return newEstateWith(t, size, func(o *Options) {
		o.Costs, o.Part, o.ImagePart, o.Detail, o.Files = &seedCosts, 15_700, 260_000, true, folders{}
	})
}

// aligned rounds up as the log does.
func aligned(bytes int) int64 { return (int64(bytes) + wal.Align - 1) &^ (wal.Align - 1) }

// took gives how many bytes of the log something took.
func (s *estate) took(do func() error) int64 {
	s.t.Helper()
	before := s.e.Status().End
	s.must(do())
	return int64(s.e.Status().End - before)
}

// unitDone does a unit of work with so many puts of an empty message.
func (s *estate) unitDone(puts int, end func(*Unit) error) func() error {
	return func() error {
		u := s.unit()
		for range puts {
			s.unitPut(u, "A", "")
		}
		return end(u)
	}
}

// The table of log overhead (SEED 7.1.4; reference, Multiplatforms 4.4 and item
// 99), each record rounded up.
func TestCosts(t *testing.T) {
	ctx := t.Context()
	s := seedEstate(t, 4<<20)
	s.define("A", "DEEP", "OPEN")
	a := Ref{Queue, "A"}
	put := func(bytes int) func() error {
		return func() error {
			_, err := s.e.Put(ctx, "A", Message{Persistent: true, Priority: 4, Body: []byte(strings.Repeat("a", bytes))})
			return err
		}
	}
	commit := func(u *Unit) error { return u.Commit(ctx) }
	backout := func(u *Unit) error { return u.Backout(ctx) }
	checkpoint := func() error { _, err := s.e.Checkpoint(ctx); return err }
	for _, c := range []struct {
		what string
		do   func() error
		want int64
	}{
		{"put of nothing", put(0), aligned(750)},
		{"put of 1000 bytes", put(1000), aligned(1750)},
		{"put of a whole piece", put(15_700), aligned(750 + 15_700)},
		{"put of three pieces", put(40_000), aligned(750+300+15_700) + aligned(300+15_700) + aligned(300+8_600)},
		{"get", func() error { _, err := s.e.Get(ctx, "A"); return err }, aligned(260)},
		{"two puts and a commit", s.unitDone(2, commit), 2*aligned(750) + aligned(750)},
		{"two puts and a backout", s.unitDone(2, backout), 2*aligned(750) + aligned(1000+2*12)},
		{"nothing and a commit", s.unitDone(0, commit), 0},
		{"define", func() error { return s.e.Define(ctx, Ref{Queue, "B"}, map[string]string{"DESCR": "b"}) }, aligned(1500)},
		{"alter", func() error { return s.e.Alter(ctx, Ref{Queue, "B"}, map[string]string{"DESCR": "c"}) }, aligned(1024)},
		{"delete", func() error { return s.e.Delete(ctx, Ref{Queue, "B"}, false) }, aligned(300)},
		{"image of nothing", func() error { return s.e.Image(ctx, Ref{Queue, "DEEP"}) }, aligned(800)},
		{"checkpoint", checkpoint, aligned(750)},
	} {
		if got := s.took(c.do); got != c.want {
			t.Errorf("%s: %d bytes, want %d", c.what, got, c.want)
		}
	}
	for range 3 {
		s.unitPut(s.unit(), "OPEN", "open")
	}
	// Each of the records is rounded up.
	if got := s.took(checkpoint); got < aligned(750+3*200) || got > aligned(750+3*200)+3*wal.Align {
		t.Errorf("checkpoint with three units of work: %d bytes", got)
	}
	const each, n = 10_000, 60
	for range n {
		_, err := s.e.Put(ctx, "DEEP", Message{Persistent: true, Body: make([]byte, each)})
		s.must(err)
	}
	least := int64(800 + n*each + 300*3) // 600,000 bytes are three pieces
	if got := s.took(func() error { return s.e.Image(ctx, Ref{Queue, "DEEP"}) }); got < least || got > least+n*opBytes {
		t.Errorf("image of %d bytes: %d, want %d and a little", n*each, got, least)
	}
	if done := s.restart(); len(done.BackedOut) != 3 || len(done.Damaged)+len(done.Rebuilt) != 0 {
		t.Errorf("%+v", done)
	}
	if o, err := s.e.Object(a); err != nil || o.Depth != 5 {
		t.Errorf("%+v, %v", o, err)
	}
}

// A record that needs more than it costs takes what it needs.
func TestCostsAreTheLeast(t *testing.T) {
	s := seedEstate(t, 1<<20)
	attrs := map[string]string{"DESCR": strings.Repeat("d", 4000)}
	s.must(s.e.Define(t.Context(), Ref{Queue, "A"}, attrs))
	s.restart()
	if o, err := s.e.Object(Ref{Queue, "A"}); err != nil || o.Attributes["DESCR"] != attrs["DESCR"] {
		t.Errorf("%+v, %v", o, err)
	}
}
