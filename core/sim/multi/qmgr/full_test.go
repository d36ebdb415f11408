package qmgr

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// kinds are the logs that fill in the same way: the span of a restart is
// limited on a linear one too (reference, Multiplatforms 4.3 item 92).
var kinds = []extents.Kind{extents.Circular, extents.Linear}

// The order when a log fills (reference, Multiplatforms 4.3 item 91): the
// oldest unit of work is rolled back, its application gets 2003, must back out,
// and the others go on.
func TestLogFullRollsBackTheOldest(t *testing.T) {
	for kind, why := range map[extents.Kind]string{extents.Circular: "AMQ7465", extents.Linear: "AMQ7466"} {
		t.Run(string(kind), func(t *testing.T) {
			s := inMemory(t, Spec{Log: small(kind, extents.Manual)})
			s.start()
			s.define("OLD", "YOUNG", "Q")
			n := len(s.told(0))
			old, err := s.m.Begin("OLDAPP")
			s.must(err)
			_, err = old.Put(s.ctx, "OLD", text("never committed"))
			s.must(err)
			if why == "AMQ7465" { // it runs long; else the data come too fast
				s.clock.advance(time.Hour)
			}
			young, err := s.m.Begin("YOUNGAPP")
			s.must(err)
			// Five extents of 256 KiB; 200 messages of 10 kB are more.
			for range 200 {
				s.put("Q", long(10_000))
			}
			_, err = young.Put(s.ctx, "YOUNG", text("young"))
			s.must(err)

			_, err = old.Put(s.ctx, "OLD", text("more"))
			s.reason(err, BackedOut)
			s.refuses(err, engine.ErrBackedOut)
			s.reason(old.Commit(s.ctx), BackedOut)
			s.must(young.Commit(s.ctx))
			s.holds("OLD")
			s.holds("YOUNG", "young")

			told := slices.DeleteFunc(s.told(n), func(id string) bool { return id == "AMQ7467" || id == "AMQ7468" })
			if want := []string{"AMQ7463", why, "AMQ7486", "AMQ7487", "AMQ7469", "AMQ7464"}; !slices.Equal(told, want) {
				t.Errorf("%q, wanted %q", told, want)
			}
			if depth, err := s.m.Depth("Q"); err != nil || depth != 200 {
				t.Error(depth, err)
			}
			s.must(s.m.Crash())
			s.start()
			if depth, err := s.m.Depth("Q"); err != nil || depth != 200 {
				t.Error(depth, err)
			}
			s.holds("OLD")
		})
	}
}

// A log that only checkpoints free fills for nobody: what is needed of it never
// grows (reference, Multiplatforms 4.1 items 76 and 77).
func TestLogDoesNotFillWithoutUnits(t *testing.T) {
	for _, kind := range kinds {
		s := inMemory(t, Spec{Log: small(kind, extents.Manual)})
		s.start()
		s.define("Q")
		n := len(s.told(0))
		for range 600 {
			s.put("Q", long(10_000))
			_, err := s.m.Get(s.ctx, "Q")
			s.must(err)
		}
		for _, id := range s.told(n) {
			if id != "AMQ7467" && id != "AMQ7468" {
				t.Errorf("%s: %s", kind, id)
			}
		}
		s.end()
	}
}

// A prepared unit of work can't be rolled back: when it holds the log, puts get
// 2102; commits and backouts still fit, and when it is resolved work goes on.
func TestLogFullOfAPreparedUnit(t *testing.T) {
	for _, kind := range kinds {
		t.Run(string(kind), func(t *testing.T) {
			s := inMemory(t, Spec{Log: small(kind, extents.Manual)})
			s.start()
			s.define("DOUBT", "Q", "U")
			doubt, err := s.m.Begin("XAAPP")
			s.must(err)
			_, err = doubt.Put(s.ctx, "DOUBT", text("in doubt"))
			s.must(err)
			s.must(doubt.Prepare(s.ctx, []byte("of another coordinator")))
			s.clock.advance(time.Hour)
			units := make([]*Unit, 20)
			for i := range units {
				units[i], err = s.m.Begin("APP")
				s.must(err)
				_, err = units[i].Put(s.ctx, "U", text("u"))
				s.must(err)
			}
			put := 0
			for ; put < 1000; put++ {
				if _, err = s.m.Put(s.ctx, "Q", text(long(5000))); err != nil {
					break
				}
			}
			s.reason(err, ResourceProblem)
			s.refuses(err, extents.ErrFull)
			// The span is five extents of 262144 bytes, a message takes 5750.
			if put < 150 || put > 227 {
				t.Errorf("%d messages fitted", put)
			}
			for i, u := range units {
				if i%2 == 0 {
					s.must(u.Commit(s.ctx))
				} else {
					s.must(u.Backout(s.ctx))
				}
			}
			s.must(s.m.Checkpoint(s.ctx))
			if tr := s.m.Transactions(); len(tr) != 1 || !tr[0].Prepared || tr[0].Application != "XAAPP" || tr[0].Ours {
				t.Errorf("%+v", tr)
			}
			s.must(s.m.Resolve(s.ctx, s.m.Transactions()[0].Number, true))
			s.put("Q", long(5000))
			s.holds("DOUBT", "in doubt")
			if depth, err := s.m.Depth("U"); err != nil || depth != 10 {
				t.Error(depth, err)
			}
			report, err := disk.ReadAll(s.site.Disk, fmt.Sprintf("var/mqm/errors/AMQ%05d.0.FDC", s.m.process(0)))
			if err != nil || strings.Count(string(report), "Probe Id          :- HL010004") != 1 || !strings.Contains(string(report), "hrcE_LOG_FULL") {
				t.Errorf("%s, %v", report, err)
			}
			if all := strings.Join(s.told(0), " "); strings.Count(all, "AMQ6709") != 1 || !strings.Contains(all, "AMQ7463 AMQ7465") || !strings.Contains(all, "AMQ7464") ||
				strings.Contains(all, "AMQ7469") {
				t.Error(all)
			}
			s.must(s.m.Crash())
			s.start()
			if depth, err := s.m.Depth("Q"); err != nil || depth != put+1 {
				t.Error(depth, put, err)
			}
		})
	}
}

// One unit of work that is larger than the log: it gets 2003 itself.
func TestUnitLargerThanTheLog(t *testing.T) {
	for _, kind := range kinds {
		s := inMemory(t, Spec{Log: small(kind, extents.Manual)})
		s.start()
		s.define("Q")
		u, err := s.m.Begin("BATCH")
		s.must(err)
		for range 1000 {
			if _, err = u.Put(s.ctx, "Q", text(long(8000))); err != nil {
				break
			}
		}
		s.reason(err, BackedOut)
		s.must(u.Backout(s.ctx))
		s.put("Q", "small")
		s.holds("Q", "small")
	}
}

// A message that no log of this size can take is refused, whatever is done.
func TestMessageLargerThanTheLog(t *testing.T) {
	s := inMemory(t, Spec{Log: small(extents.Circular, extents.Manual)})
	s.start()
	s.define("Q")
	other, err := s.m.Begin("OTHER")
	s.must(err)
	_, err = other.Put(s.ctx, "Q", text("of another"))
	s.must(err)
	_, err = s.m.Put(s.ctx, "Q", text(long(2<<20)))
	s.reason(err, ResourceProblem)
	s.refuses(err, extents.ErrFull)
	s.must(other.Backout(s.ctx)) // nobody was rolled back for it
	s.put("Q", long(600_000))    // in pieces, over three extents
	s.must(s.m.Crash())
	s.start()
	if got := s.bodies("Q"); len(got) != 1 || len(got[0]) != 600_000 {
		t.Error(len(got))
	}
}

// A log that a unit of work in doubt holds full survives any number of crashes,
// starts and ends: it can be resolved in the end, and nothing is lost.
func TestFullLogSurvivesRestarts(t *testing.T) {
	for _, kind := range kinds {
		s := inMemory(t, Spec{Log: small(kind, extents.Manual)})
		s.start()
		s.define("DOUBT", "Q")
		doubt, err := s.m.Begin("XAAPP")
		s.must(err)
		_, err = doubt.Put(s.ctx, "DOUBT", text("in doubt"))
		s.must(err)
		s.must(doubt.Prepare(s.ctx, []byte("of another coordinator")))
		put := 0
		for err == nil {
			if _, err = s.m.Put(s.ctx, "Q", text(long(3000))); err == nil {
				put++
			}
		}
		s.reason(err, ResourceProblem)
		for n := 0; n < 300 && (n < 10 || s.m.owner.beyond == 0); n++ {
			if n%2 == 0 {
				s.must(s.m.Crash())
			} else if err := s.m.End(s.ctx, EndOptions{Immediate: true}); err != nil && !errors.Is(err, extents.ErrFull) {
				t.Fatal(err)
			}
			s.reopen()
			s.start()
			s.must(s.m.Suspend(s.ctx))
			s.reopen()
			s.must(s.m.Resume(s.ctx))
		}
		if s.m.owner.beyond == 0 {
			t.Error("the log was never full to the last byte")
		}
		s.must(s.m.Resolve(s.ctx, s.m.Transactions()[0].Number, true))
		s.must(s.m.Checkpoint(s.ctx))
		s.put("Q", "goes on")
		s.holds("DOUBT", "in doubt")
		if depth, err := s.m.Depth("Q"); err != nil || depth != put+1 {
			t.Error(kind, depth, put, err)
		}
		s.end()
	}
}

// An image for which there is no room is refused before it begins: the reserve
// stays for those who commit.
func TestNoRoomForAnImage(t *testing.T) {
	s := inMemory(t, Spec{Log: small(extents.Linear, extents.Manual)})
	s.start()
	s.define("Q", "DEEP")
	for range 110 {
		s.put("DEEP", long(10_000))
	}
	s.must(s.m.Checkpoint(s.ctx))
	doubt, err := s.m.Begin("XAAPP")
	s.must(err)
	_, err = doubt.Put(s.ctx, "Q", text("in doubt"))
	s.must(err)
	s.must(doubt.Prepare(s.ctx, []byte("of another coordinator")))
	u, err := s.m.Begin("APP")
	s.must(err)
	_, err = u.Put(s.ctx, "Q", text("x"))
	s.must(err)
	n := 0
	for err == nil { // the image takes 1.1 MB of 1.3 MB
		_, err = s.m.Image(s.ctx, Selection{"queue", "DEEP"})
		n++
	}
	s.reason(err, ResourceProblem)
	if n > 2 {
		t.Errorf("%d images fitted", n-1)
	}
	s.must(u.Commit(s.ctx))
	s.must(doubt.Commit(s.ctx))
	s.holds("Q", "in doubt", "x")
	s.must(s.m.Crash())
	s.start()
	s.holds("Q", "in doubt", "x")
}
