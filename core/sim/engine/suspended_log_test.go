package engine

import (
	"errors"
	"io/fs"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mqhk/mqhk/core/wal"
	"pgregory.net/rapid"
)

// spread is a busy queue manager whose log has several segments behind the
// restart mark, which a unit of work pins to the first of them.
func spread(t *testing.T) *estate {
	t.Helper()
	s := busy(t)
	for range 2 {
		s.must(s.e.Rotate(t.Context()))
		s.put("A", "4+")
	}
	if mark := s.e.Status().Marks.Restart; s.segment(mark.LSN) != s.own.list[0].Name {
		t.Fatalf("the restart mark is at %s", mark.LSN)
	}
	return s
}

// same asserts that nothing has changed.
func (s *estate) same(before snapshot) {
	s.t.Helper()
	if diff := cmp.Diff(before, s.snapshot()); diff != "" {
		s.t.Fatal(diff)
	}
}

// A resume opens the segment that was written and no other, but for the one
// that the platform has listed behind it, of which it must know whether it was
// begun.
func TestResumeOpensOneSegment(t *testing.T) {
	for _, ended := range []bool{false, true} {
		s := spread(t)
		before := s.snapshot()
		s.must(s.e.Suspend(t.Context()))
		want := []string{s.own.list[2].Name}
		if ended {
			_, err := s.own.Next(t.Context())
			s.must(err)
			want = append(want, s.own.list[3].Name)
		}
		s.own.opened = nil
		s.must(s.resume())
		if got := slices.Compact(slices.Sorted(slices.Values(s.own.opened))); !slices.Equal(got, want) {
			t.Errorf("opened %q, want %q", got, want)
		}
		s.same(before)
		s.put("A", "5")
		if now := s.e.Status().Segment.Name; now != want[len(want)-1] {
			t.Errorf("goes on in %s, want %q", now, want)
		}
		s.restart()
		s.want("A", "1", "2", "3", "4", "4+", "4+", "5")
	}
}

// A segment that the restart mark needs is deleted, or damaged, while the queue
// manager is suspended. One whose processes are there would not notice; this one
// does not either, until it is started again.
func TestNeededSegmentLostWhileSuspended(t *testing.T) {
	lose := map[string]func(s *estate, first wal.Segment, mark wal.LSN) (back func()){
		"deleted": func(s *estate, first wal.Segment, _ wal.LSN) func() { return s.take(first.Name) },
		"not listed": func(s *estate, first wal.Segment, _ wal.LSN) func() {
			s.own.list = slices.Delete(s.own.list, 0, 1)
			return func() { s.own.list = slices.Insert(s.own.list, 0, first) }
		},
		"damaged": func(s *estate, first wal.Segment, mark wal.LSN) func() {
			flip := func() { s.change(first.Name, func(b []byte) { b[recordsAt+mark-first.Start] ^= 1 }) }
			flip()
			return flip
		},
	}
	for how, lose := range lose {
		t.Run(how, func(t *testing.T) {
			s := spread(t)
			before := s.snapshot()
			first, mark := s.own.list[0], before.Marks.Restart.LSN
			s.must(s.e.Suspend(t.Context()))
			back := lose(s, first, mark)
			s.must(s.resume())
			s.same(before)
			s.must(s.e.Rotate(t.Context()))
			s.put("A", "5")
			_, err := s.e.Checkpoint(t.Context())
			s.must(err)
			s.crash()
			var lost *LogError
			_, err = s.start()
			if !errors.As(err, &lost) || lost.Purpose != ForRestart || lost.From.LSN != mark {
				t.Fatalf("started without %s: %v", first.Name, err)
			}
			if how != "not listed" && (lost.Segment != first.Name || errors.Is(err, fs.ErrNotExist) != (how == "deleted")) {
				t.Errorf("%v", err)
			}
			back()
			_, err = s.start()
			s.must(err)
			s.want("A", "1", "2", "3", "4", "4+", "4+", "5")
		})
	}
}

// The same, and a checkpoint moves the mark behind what is lost before the
// crash: then nobody misses it.
func TestMarkMovesBehindLostSegment(t *testing.T) {
	s := spread(t)
	s.must(s.e.Suspend(t.Context()))
	for _, seg := range s.own.list[:2] {
		s.take(seg.Name)
	}
	s.must(s.resume())
	for _, info := range s.e.Units() {
		u, err := s.e.Unit(info.ID)
		s.must(err)
		s.must(u.Commit(t.Context()))
	}
	_, err := s.e.Checkpoint(t.Context())
	s.must(err)
	s.restart()
	s.want("A", "2", "3", "4", "4+", "4+")
	s.want("B", "5", "6", "7")
	var lost *LogError
	if _, err := s.e.Rebuild(t.Context(), Ref{Queue, "D"}); !errors.As(err, &lost) || lost.Purpose != ForRebuild {
		t.Errorf("rebuilt without its log: %v", err)
	}
}

// The segment that was written must be there: with it gone, not listed, or not
// what it was, there is nothing to go on writing. Put right, the suspension is
// still there.
func TestResumeNeedsItsSegment(t *testing.T) {
	s := spread(t)
	before := s.snapshot()
	for range 2 { // the second time no record has been written since
		s.must(s.e.Suspend(t.Context()))
		s.must(s.resume())
	}
	end := s.e.Status().End
	s.must(s.e.Suspend(t.Context()))
	list, last := s.own.list, s.own.list[2].Name
	content, err := s.disk.Contents(last)
	s.must(err)
	damages := map[string]func(){
		"deleted":         func() { s.take(last) },
		"not listed":      func() { s.own.list = list[:2] },
		"another's":       func() { s.change(last, func(b []byte) { copy(b, make([]byte, 512)) }) },
		"without its end": func() { s.change(last, func(b []byte) { clear(b[recordsAt+16:]) }) },
		"short":           func() { s.disk.Put(last, content[:recordsAt]) },
	}
	for how, damage := range damages {
		damage()
		var lost *LogError
		err := s.resume()
		if !errors.As(err, &lost) || lost.Segment != last || errors.Is(err, ErrNotSuspended) {
			t.Fatalf("%s: %v", how, err)
		}
		if gone := how == "deleted" || how == "not listed"; gone != errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", how, err)
		}
		s.own.list = list
		s.disk.Put(last, slices.Clone(content))
	}
	// A log that somebody has written on is not the one that was suspended.
	s.change(last, func(b []byte) { b[recordsAt+end-list[2].Start] = 1 })
	if err := s.resume(); !errors.Is(err, ErrNotSuspended) {
		t.Fatalf("resumed on a log that goes on: %v", err)
	}
	s.disk.Put(last, content)
	s.must(s.resume())
	s.same(before)
}

// Issue 3: a log that is cut or changed at any record while the queue manager
// is suspended. Its end is missed at once, anything before by the next start
// that needs it.
func TestLogDamagedWhileSuspended(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		v := lived(t, rt)
		before, mark, last := v.snapshot(), v.e.control.restart.LSN, v.e.Status().Segment.Name
		v.must(v.e.Suspend(t.Context()))
		all := v.stored()
		rec, end := rapid.SampledFrom(all).Draw(rt, "record"), all[len(all)-1]
		cut := rapid.Bool().Draw(rt, "cut")
		byt := rec.offset + rapid.IntRange(0, int(rec.next-rec.at)-1).Draw(rt, "byte")
		v.change(rec.segment, func(b []byte) {
			if cut {
				clear(b[byt:])
			} else {
				b[byt] ^= 1
			}
		})
		var damaged *LogError
		err := v.resume()
		if rec.segment == last && (cut || rec.at == end.at) {
			if !errors.As(err, &damaged) || damaged.Segment != last || damaged.At != end.at {
				v.fail("the end at %s is damaged: %v", end.at, err)
			}
			return
		}
		v.must(err)
		v.same(before)
		v.crash()
		done, err := v.start()
		switch needed := cut && rec.segment == v.segment(mark); {
		case rec.at < mark && !needed:
			v.must(err)
			v.settled(done, []model{v.model})
		case !errors.As(err, &damaged) || damaged.Segment != rec.segment || rec.at >= mark && damaged.Offset != int64(rec.offset):
			v.fail("record at %s of %s is wrong, the restart mark is %s: %v", rec.at, rec.segment, mark, err)
		}
	})
}
