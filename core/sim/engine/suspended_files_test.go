package engine

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"

	"github.com/mqhk/mqhk/core/wal/crashdisk"
)

// contents gives a file of the queue manager.
func (s *estate) contents(name string) string {
	s.t.Helper()
	b, err := s.disk.Contents("qm/" + name)
	s.must(err)
	return string(b)
}

// What the file of a queue holds is not written again by a suspension, only
// what has become of it since; and the next checkpoint finds all of that.
func TestSuspensionAddsToTheFile(t *testing.T) {
	s := newEstate(t, 1<<20)
	s.define("A")
	const hardened, later = "hardened", "put later"
	var want []string
	for i := range 200 {
		s.put("A", hardened)
		s.putMemory(nil, "A", fmt.Sprint(i))
		want = append(want, hardened, fmt.Sprint(i))
	}
	_, err := s.e.Checkpoint(t.Context())
	s.must(err)
	s.must(s.e.Alter(t.Context(), Ref{Queue, "A"}, map[string]string{"GET": "DISABLED"}))
	_, err = s.e.Get(t.Context(), "A")
	s.must(err)
	u := s.unit()
	for _, next := range want[1:5] {
		s.unitGet(u, "A", next)
	}
	s.put("A", later)
	want = append(want[5:], later)
	before := s.snapshot()
	for range 2 {
		s.must(s.e.Suspend(t.Context()))
		if mem := s.contents("queue-A.obj.mem"); strings.Contains(mem, hardened) || !strings.Contains(mem, later) {
			t.Errorf("%d bytes are beside the file of %d", len(mem), len(s.contents("queue-A.obj")))
		}
		s.must(s.resume())
		s.same(before)
	}
	s.want("A", want...)
	u, err = s.e.Unit(u.ID())
	s.must(err)
	s.must(u.Backout(t.Context()))
	size := len(s.contents("queue-A.obj"))
	_, err = s.e.Checkpoint(t.Context())
	s.must(err)
	if more := len(s.contents("queue-A.obj")) - size; more < 1 || more > 200 {
		t.Errorf("the file has grown by %d bytes", more)
	}
	done := s.restart()
	if o, err := s.e.Object(Ref{Queue, "A"}); err != nil || o.Depth != 200 || o.Attributes["GET"] != "DISABLED" || len(done.Damaged) != 0 {
		t.Errorf("%+v, %v", o, err)
	}
}

// A checkpoint that failed has left in the file of a queue what memory knows
// nothing of.
func TestSuspendAfterAFailedCheckpoint(t *testing.T) {
	s := newEstate(t, 1<<20)
	s.define("A", "B")
	s.put("A", "1")
	s.must(s.e.Define(t.Context(), Ref{"channel", "TO.B"}, nil))
	_, err := s.e.Checkpoint(t.Context())
	s.must(err)
	s.put("A", "2")
	s.put("B", "3")
	s.disk.Fault(func(op crashdisk.Op) error {
		if op.Kind == crashdisk.Sync && op.Name == "qm/queue-B.obj" {
			return syscall.ENOSPC
		}
		return nil
	})
	size := len(s.contents("queue-B.obj"))
	if _, err := s.e.Checkpoint(t.Context()); !errors.Is(err, syscall.ENOSPC) || len(s.contents("queue-B.obj")) == size {
		t.Fatalf("the checkpoint: %v", err)
	}
	s.disk.Fault(nil)
	before := s.snapshot()
	s.must(s.e.Suspend(t.Context()))
	if len(s.contents("queue-B.obj")) == size {
		t.Fatal("nothing is left behind the file's end")
	}
	s.must(s.resume())
	s.same(before)
	_, err = s.e.Checkpoint(t.Context())
	s.must(err)
	if done := s.restart(); len(done.Damaged) != 0 {
		t.Errorf("%+v", done)
	}
	s.want("A", "1", "2")
	s.want("B", "3")
}

// An object whose file is not what it was is damaged, as it would be for a
// start, and no other is; what units of work have done to it is not lost.
func TestFileLostWhileSuspended(t *testing.T) {
	for how, lose := range map[string]func(s *estate, older string){
		"deleted": func(s *estate, _ string) { s.must(s.disk.Remove("qm/queue-B.obj")) },
		"cut":     func(s *estate, _ string) { s.change("qm/queue-B.obj", func(b []byte) { b[len(b)-1] ^= 1 }) },
		"short":   func(s *estate, older string) { s.disk.Put("qm/queue-B.obj", []byte(older[:len(older)-1])) },
		"older":   func(s *estate, older string) { s.disk.Put("qm/queue-B.obj", []byte(older)) },
		"another's": func(s *estate, _ string) {
			s.disk.Put("qm/queue-B.obj", []byte(s.contents("queue-A.obj")))
		},
	} {
		t.Run(how, func(t *testing.T) {
			s := busy(t)
			older := s.contents("queue-B.obj")
			_, err := s.e.Checkpoint(t.Context())
			s.must(err)
			s.must(s.e.Damage(t.Context(), Ref{Queue, "A"}))
			_, err = s.e.Rebuild(t.Context(), Ref{Queue, "A"}) // its file is newer than the checkpoint
			s.must(err)
			units := s.e.Units()
			s.must(s.e.Suspend(t.Context()))
			lose(s, older)
			s.must(s.resume())
			for _, o := range s.e.Objects() {
				if o.Damaged != (o.Ref.Name != "A") {
					t.Errorf("%+v", o)
				}
			}
			did, err := s.e.Rebuild(t.Context(), Ref{Queue, "B"})
			if !did || err != nil {
				t.Fatalf("rebuilt %v, %v", did, err)
			}
			for _, info := range units {
				u, err := s.e.Unit(info.ID)
				s.must(err)
				s.must(u.Commit(t.Context()))
			}
			s.want("A", "2", "3", "4")
			s.want("B", "5", "6", "7")
			s.restart()
			s.want("B", "5", "6", "7")
		})
	}
}
