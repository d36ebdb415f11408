package engine

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// broken are ways in which somebody breaks a file.
var broken = map[string]func(s *estate, file string){
	"removed":    func(s *estate, file string) { s.take(file) },
	"emptied":    func(s *estate, file string) { s.disk.Put(file, nil) },
	"cut":        func(s *estate, file string) { b, _ := s.disk.Contents(file); s.disk.Put(file, b[:len(b)-1]) },
	"last byte":  func(s *estate, file string) { s.change(file, func(b []byte) { b[len(b)-1] ^= 1 }) },
	"first byte": func(s *estate, file string) { s.change(file, func(b []byte) { b[0] ^= 1 }) },
	"nonsense":   func(s *estate, file string) { s.disk.Put(file, []byte(strings.Repeat("nonsense", 40))) },
}

// A file that is broken under a queue manager that runs: it is found by who
// looks, the object is damaged, others are not, and it can be rebuilt (SEED
// 7.2.2.6).
func TestVerify(t *testing.T) {
	a := Ref{Queue, "A"}
	for what, breaks := range broken {
		for _, crash := range []bool{false, true} {
			s := newEstate(t, 1<<20)
			s.define("A", "B")
			s.put("A", "1")
			s.must(s.e.Verify(t.Context(), a)) // no file yet
			_, err := s.e.Checkpoint(t.Context())
			s.must(err)
			s.put("A", "2")
			s.must(s.e.Verify(t.Context(), a))
			breaks(s, "qm/queue-A.obj")
			if err := s.e.Verify(t.Context(), a); !errors.Is(err, ErrDamaged) {
				t.Errorf("%s: %v", what, err)
			}
			if _, err := s.e.Get(t.Context(), "A"); !errors.Is(err, ErrDamaged) {
				t.Errorf("%s: a get: %v", what, err)
			}
			s.must(s.e.Verify(t.Context(), Ref{Queue, "B"}))
			if crash {
				s.restart()
			}
			did, err := s.e.Rebuild(t.Context(), a)
			if !did || err != nil {
				t.Errorf("%s: rebuilt %v, %v", what, did, err)
			}
			s.want("A", "1", "2")
			s.must(s.e.Verify(t.Context(), a))
			s.restart()
			s.want("A", "1", "2")
		}
	}
}

// The control file is gone, or nonsense, under a queue manager that runs: the
// next checkpoint writes it whole.
func TestControlFileBroken(t *testing.T) {
	for what, breaks := range broken {
		s := newEstate(t, 1<<20)
		s.define("A")
		s.put("A", "1")
		breaks(s, "qm/control")
		if _, err := s.e.Checkpoint(t.Context()); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		s.restart()
		s.want("A", "1")
	}
}

// The same found by the next checkpoint that would write to the file: it goes
// on, and the restart mark moves.
func TestCheckpointFindsDamage(t *testing.T) {
	a := Ref{Queue, "A"}
	for what, breaks := range broken {
		if what == "last byte" {
			continue // in the content, which only Verify reads
		}
		s := newEstate(t, 1<<20)
		s.define("A", "B")
		s.put("A", "1")
		before, err := s.e.Checkpoint(t.Context())
		s.must(err)
		s.put("A", "2")
		s.put("B", "3")
		open := s.unit()
		s.unitPut(open, "A", "in doubt")
		s.must(open.Prepare(t.Context(), nil))
		breaks(s, "qm/queue-A.obj")
		after, err := s.e.Checkpoint(t.Context())
		if err != nil || after.Checkpoint.LSN <= before.Checkpoint.LSN {
			t.Fatalf("%s: %+v, %v", what, after, err)
		}
		if o, err := s.e.Object(a); err != nil || !o.Damaged {
			t.Errorf("%s: %+v, %v", what, o, err)
		}
		s.want("B", "3")
		done := s.restart() // it needs the queue for what is in doubt
		if !slices.Equal(done.Rebuilt, []Ref{a}) {
			t.Errorf("%s: %+v", what, done)
		}
		s.want("A", "1", "2")
	}
}

// The power fails at any operation of a checkpoint that finds a file gone: the
// queue is damaged at the next start, and nothing of it is lost.
func TestPowerFailsWhileDamageIsFound(t *testing.T) {
	a := Ref{Queue, "A"}
	for left := range 30 {
		s := newEstateWith(t, 1<<20, func(o *Options) { o.Files, o.Costs = folders{}, &seedCosts })
		s.define("A", "B")
		s.put("A", "1")
		_, err := s.e.Checkpoint(t.Context())
		s.must(err)
		s.put("A", "2")
		s.put("B", "3")
		s.must(s.disk.Remove("qm/queues/A/q"))
		s.must(s.disk.SyncDir("qm/queues/A"))
		s.disk.Fault(countdown(left))
		_, found := s.e.Checkpoint(t.Context())
		s.disk.Fault(nil)
		if done := s.restart(); !slices.Equal(done.Damaged, []Ref{a}) {
			t.Fatalf("%d operations, %v: %+v", left, found, done)
		}
		did, err := s.e.Rebuild(t.Context(), a)
		if !did || err != nil {
			t.Fatalf("%d operations: rebuilt %v, %v", left, did, err)
		}
		s.want("A", "1", "2")
		s.want("B", "3")
	}
}
