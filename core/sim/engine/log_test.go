package engine

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/wal"
)

// counted reads how many records each segment has.
func (s *estate) counted() map[string]uint64 {
	s.t.Helper()
	all := map[string]uint64{}
	for _, seg := range s.own.list {
		all[seg.Name] = 0
	}
	r, err := wal.NewReader(wal.From(s.disk), s.own.list, wal.ReadOptions{ID: testID})
	s.must(err)
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return all
		}
		s.must(err)
		all[s.segment(rec.LSN)]++
	}
}

// What the owner is told of records is what its segments hold: sequence
// numbers of journal entries follow from it.
func TestBegunCountsRecords(t *testing.T) {
	s := aged(t)
	s.must(s.e.Rotate(t.Context()))
	s.must(s.e.Force(t.Context(), 0))
	counted, total := s.counted(), uint64(0)
	for _, seg := range s.own.list {
		if s.own.taken[seg.Name] != total {
			t.Errorf("segment %s: %d records before it, want %d", seg.Name, s.own.taken[seg.Name], total)
		}
		total += counted[seg.Name]
	}
	if log := s.e.Status().Log; log.Records != total || len(s.own.list) < 4 {
		t.Errorf("%d records in %d segments, want %d", total, len(s.own.list), log.Records)
	}
}

// A platform without a next segment: the threshold waits, a full segment and
// the operator are told, and later it goes on.
func TestStay(t *testing.T) {
	s := newEstate(t, 16<<10)
	s.own.grow = 16 << 10
	s.define("A")
	s.must(s.e.Rotate(t.Context()))
	s.e.opts.Threshold = 10_000
	s.own.stay = true
	for range 8 {
		s.put("A", strings.Repeat("a", 6000))
	}
	if n := len(s.own.list); n != 2 {
		t.Fatalf("%d segments", n)
	}
	if err := s.e.Rotate(t.Context()); !errors.Is(err, ErrStay) {
		t.Errorf("rotated: %v", err)
	}
	s.own.stay, s.own.grow, s.e.opts.Threshold = false, 0, 0
	s.must(s.e.Rotate(t.Context()))
	s.own.stay = true
	var err error
	kept := 8
	for ; err == nil; kept++ {
		_, err = s.e.Put(t.Context(), "A", Message{Persistent: true, Body: make([]byte, 6000)})
	}
	kept--
	if !errors.Is(err, ErrStay) || errors.Is(err, ErrStopped) {
		t.Fatalf("a full segment took it: %v", err)
	}
	s.own.stay = false
	s.put("A", "later")
	s.restart()
	if n := len(s.bodies("A")); n != kept+1 {
		t.Errorf("%d messages, want %d", n, kept+1)
	}
}

// A segment that the platform has ended while the queue manager was down takes
// no record more, whether it was ended, had crashed or was suspended.
func TestSegmentEndedMeanwhile(t *testing.T) {
	for name, again := range map[string]func(s *estate) error{
		"ended":     func(s *estate) error { s.must(s.e.End(t.Context())); return nil },
		"crashed":   func(s *estate) error { s.crash(); return nil },
		"suspended": func(s *estate) error { return s.e.Suspend(t.Context()) },
	} {
		s := newEstate(t, 16<<10)
		s.define("A")
		s.put("A", "1")
		s.must(again(s))
		before := s.counted()
		old := s.own.list[0].Name
		next, err := s.own.Next(t.Context())
		s.must(err)
		if name == "suspended" {
			s.must(s.resume())
			if now := s.e.Status().Segment.Name; now != old {
				t.Errorf("a resume began %s", now)
			}
		} else {
			done, err := s.start()
			s.must(err)
			if done.Unbegun != next.Name {
				t.Errorf("%s: %+v", name, done)
			}
		}
		s.put("A", "2")
		if n := s.counted()[old]; n != before[old] || s.own.taken[next.Name] != 0 || s.e.Status().Segment.Name != next.Name {
			t.Errorf("%s: %d records in the ended segment, %d before; the new one was begun after %d", name, n, before[old], s.own.taken[next.Name])
		}
		s.restart()
		s.want("A", "1", "2")
	}
}

// Commits that do not wait are lost with a crash, unless a force came first.
func TestCommitLater(t *testing.T) {
	s := newEstate(t, 64<<10)
	s.define("A")
	s.must(s.e.Force(t.Context(), 0))
	syncs := s.e.Status().Log.Syncs
	later := func(body string) wal.LSN {
		u := s.unit()
		s.unitPut(u, "A", body)
		at, err := u.CommitLater(t.Context())
		s.must(err)
		if _, err := u.CommitLater(t.Context()); !errors.Is(err, ErrEnded) {
			t.Errorf("committed twice: %v", err)
		}
		return at
	}
	later("1")
	second := later("2")
	s.want("A", "1", "2")
	if now := s.e.Status(); now.Log.Syncs != syncs || now.Durable > second {
		t.Errorf("%d syncs, durable up to %s", now.Log.Syncs-syncs, now.Durable)
	}
	s.must(s.e.Force(t.Context(), second))
	later("3")
	s.restart()
	s.want("A", "1", "2")
	later("3")
	s.must(s.e.Force(t.Context(), 0))
	memory := s.unit()
	s.putMemory(memory, "A", "m")
	if at, err := memory.CommitLater(t.Context()); at != 0 || err != nil {
		t.Errorf("a commit of no record is to be forced to %s, %v", at, err)
	}
	s.restart()
	s.want("A", "1", "2", "3")
	s.must(s.e.Crash())
	if err := s.e.Force(t.Context(), s.e.Status().End); !errors.Is(err, ErrStopped) {
		t.Errorf("forced after a crash: %v", err)
	}
}
