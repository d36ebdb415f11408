package qmgr

import (
	"slices"
	"testing"

	"github.com/mqhk/mqhk/core/sim/multi/extents"
)

func TestLifeOfAQueueManager(t *testing.T) {
	for _, kind := range []extents.Kind{extents.Circular, extents.Linear} {
		t.Run(string(kind), func(t *testing.T) {
			s := onDisk(t, Spec{Log: small(kind, extents.Manual)})
			if s.m.State() != EndedNormally {
				t.Error(s.m.State())
			}
			done := s.start()
			if len(done.Damaged)+len(done.Rebuilt) != 0 {
				t.Error(done)
			}
			s.define("Q")
			s.put("Q", "one", "two")
			s.end()
			if s.m.State() != EndedImmediately {
				t.Error(s.m.State())
			}
			s.reopen()
			s.start()
			s.holds("Q", "one", "two")
			s.must(s.m.Crash())
			s.reopen()
			if s.m.State() != EndedUnexpectedly {
				t.Error(s.m.State())
			}
			s.start()
			s.holds("Q", "one", "two")
			s.must(s.m.End(s.ctx, EndOptions{}))
			if s.m.State() != EndedNormally {
				t.Error(s.m.State())
			}
			_, err := s.m.Put(s.ctx, "Q", text("x"))
			s.refuses(err, ErrNotRunning)
		})
	}
}

// The messages of a start and an end, in their order (reference, Multiplatforms
// 2.1 [CLOG], 2.1 item 28).
func TestMessagesOfAStart(t *testing.T) {
	s := onDisk(t, Spec{Log: small(extents.Linear, extents.Automatic)})
	s.start()
	want := []string{
		"AMQ7467", "AMQ7468", "AMQ7490", // of the checkpoint that a start takes
		"AMQ7374", "AMQ7229", "AMQ7230", "AMQ7231", "AMQ7232", "AMQ7233", "AMQ8003",
	}
	if got := s.told(0); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	n := len(s.told(0))
	s.end()
	if got := s.told(n); !slices.Equal(got, []string{"AMQ7467", "AMQ7468", "AMQ7490", "AMQ8004"}) {
		t.Errorf("%q", got)
	}
	restart, media := s.watermarks()
	if restart != "S0000000.LOG" || media != "S0000000.LOG" {
		t.Error(restart, media)
	}
}
