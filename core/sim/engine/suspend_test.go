package engine

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mqhk/mqhk/core/wal/crashdisk"
)

// snapshot is all that a suspension must keep.
type snapshot struct {
	Marks   Marks
	Records uint64
	Units   []UnitInfo
	Objects []Object
	Queues  map[string][]Message // also what units of work hide
}

func (s *estate) snapshot() snapshot {
	s.t.Helper()
	status := s.e.Status()
	shot := snapshot{Marks: status.Marks, Records: status.Records, Units: s.e.Units(), Objects: s.e.Objects(), Queues: map[string][]Message{}}
	for i := range shot.Objects {
		shot.Objects[i].Hardened = 0 // a rebuilt queue may be read from its file
	}
	s.e.mu.Lock()
	defer s.e.mu.Unlock()
	for _, o := range s.e.objects {
		for m := range o.all {
			seen := m.Message
			seen.Body = append([]byte(nil), m.Body...) // an empty one may be nil or not
			shot.Queues[o.ref.Name] = append(shot.Queues[o.ref.Name], seen)
		}
		shot.Queues[o.ref.Name] = append(shot.Queues[o.ref.Name], Message{Sequence: o.next})
	}
	return shot
}

func (s *estate) resume() error {
	e, err := Resume(s.t.Context(), s.own, s.opts)
	if err == nil {
		s.e = e
	}
	return err
}

func (s *estate) putMemory(u *Unit, queue, body string) {
	s.t.Helper()
	put := s.e.Put
	if u != nil {
		put = u.Put
	}
	_, err := put(s.t.Context(), queue, Message{Body: []byte(body)})
	s.must(err)
}

// busy gives a queue manager with some of everything: messages of both kinds
// in all states, units of work of which the log knows all, a part or nothing,
// an image, a damaged queue.
func busy(t *testing.T) *estate {
	t.Helper()
	s := newEstate(t, 16<<10)
	s.define("A", "B", "D")
	s.put("A", "1", "2", "3")
	s.put("D", "x")
	old := s.unit()
	s.unitGet(old, "A", "1")
	_, err := s.e.Checkpoint(t.Context())
	s.must(err)
	s.must(s.e.Image(t.Context(), Ref{Queue, "A"}))
	s.putMemory(nil, "A", "m1")
	s.put("A", "4")
	s.putMemory(nil, "B", "m2")
	s.putMemory(nil, "D", "m3")
	mixed, memory := s.unit(), s.unit()
	s.unitGet(mixed, "B", "m2")
	s.unitPut(mixed, "B", "5")
	s.putMemory(mixed, "B", "m4")
	s.putMemory(memory, "A", "m5")
	s.putMemory(memory, "A", "m6")
	s.unitGet(memory, "A", "2")
	s.must(memory.Backout(t.Context()))
	hidden := s.unit()
	s.putMemory(hidden, "B", "m7")
	s.unitGet(hidden, "B", "m7")
	s.putMemory(hidden, "D", "m8")
	doubt := s.unit()
	s.unitPut(doubt, "B", "6")
	s.putMemory(doubt, "B", "m9")
	s.must(doubt.Prepare(t.Context(), []byte("xid")))
	s.unit() // without any change
	s.must(s.e.Damage(t.Context(), Ref{Queue, "D"}))
	s.unitPut(s.unit(), "B", "7") // that nobody has forced yet
	return s
}

func TestSuspendIsInvisible(t *testing.T) {
	s := busy(t)
	before, end := s.snapshot(), s.e.Status().End
	for range 3 {
		s.must(s.e.Suspend(t.Context()))
		if _, err := s.e.Put(t.Context(), "A", Message{}); !errors.Is(err, ErrStopped) {
			t.Fatalf("a suspended queue manager took a message: %v", err)
		}
		s.disk.Crash() // everything is durable
		told := s.own.marks
		s.must(s.resume())
		if diff := cmp.Diff(before, s.snapshot()); diff != "" {
			t.Fatal(diff)
		}
		if now := s.e.Status().End; now != end || s.own.marks != told {
			t.Errorf("the log went on from %s to %s, marks %+v were %+v", end, now, s.own.marks, told)
		}
		names, err := s.disk.List("qm")
		s.must(err)
		if want := []string{"control", "queue-A.obj", "queue-B.obj", "queue-D.obj"}; !slices.Equal(names, want) {
			t.Errorf("files %q", names)
		}
	}
	ids := s.e.Units()
	commit := func(i int) {
		u, err := s.e.Unit(ids[i].ID)
		s.must(err)
		s.must(u.Commit(t.Context()))
	}
	commit(1) // that was mixed
	s.want("B", "5", "m4")
	commit(0)
	s.want("A", "2", "3", "m1", "4")
	u := s.unit()
	if u.ID() <= ids[len(ids)-1].ID {
		t.Errorf("unit of work %d follows %d", u.ID(), ids[len(ids)-1].ID)
	}
	s.restart()
	s.want("A", "2", "3", "4")
	s.want("B", "5")
}

func TestNotSuspended(t *testing.T) {
	s := busy(t)
	s.crash()
	if err := s.resume(); !errors.Is(err, ErrNotSuspended) {
		t.Fatalf("resumed after a crash: %v", err)
	}
	_, err := s.start()
	s.must(err)
	s.putMemory(nil, "A", "m")
	s.must(s.e.Suspend(t.Context()))
	left, err := s.disk.Contents("qm/suspended")
	s.must(err)
	_, err = s.start()
	s.must(err)
	s.want("A", "1", "2", "3", "4")
	names, err := s.disk.List("qm")
	s.must(err)
	if want := []string{"control", "queue-A.obj", "queue-B.obj", "queue-D.obj"}; !slices.Equal(names, want) {
		t.Errorf("files %q", names)
	}
	s.crash()
	s.disk.Put("qm/suspended", left) // as if its removal had been lost
	if err := s.resume(); !errors.Is(err, ErrNotSuspended) {
		t.Fatalf("resumed after a start: %v", err)
	}
	_, err = s.start()
	s.must(err)
}

// What a suspension left can be lost or damaged: then there is nothing to
// resume, a start helps, and nothing wrong is taken for right.
func TestSuspensionDamaged(t *testing.T) {
	for _, name := range []string{"qm/suspended", "qm/queue-A.obj.mem", "qm/queue-B.obj.mem"} {
		for _, damage := range []func(b []byte) []byte{
			func([]byte) []byte { return nil },
			func(b []byte) []byte { return b[:len(b)-1] },
			func(b []byte) []byte { b[len(b)/2] ^= 1; return b },
		} {
			s := busy(t)
			s.must(s.e.Suspend(t.Context()))
			b, err := s.disk.Contents(name)
			s.must(err)
			if b = damage(b); b == nil {
				s.must(s.disk.Remove(name))
			} else {
				s.disk.Put(name, b)
			}
			err = s.resume()
			var file *FileError
			if !errors.Is(err, ErrNotSuspended) || errors.As(err, &file) && file.Name != name || file == nil && b != nil {
				t.Fatalf("%s damaged: %v", name, err)
			}
			_, err = s.start()
			s.must(err)
			s.want("A", "1", "2", "3", "4")
		}
	}
}

func TestCrashAfterResume(t *testing.T) {
	s := busy(t)
	s.must(s.e.Suspend(t.Context()))
	s.must(s.resume())
	s.crash()
	if err := s.resume(); !errors.Is(err, ErrNotSuspended) {
		t.Fatalf("resumed twice: %v", err)
	}
	done, err := s.start()
	s.must(err)
	if len(done.InDoubt) != 1 || len(done.BackedOut) != 3 {
		t.Errorf("%+v", done)
	}
	s.want("A", "1", "2", "3", "4")
	s.want("B")
}

// The power fails after each operation of a Suspend, and of a Resume: then it
// is suspended with all it had, or it has crashed.
func TestPowerFailsAroundASuspension(t *testing.T) {
	crashes := []func(s *estate){
		func(s *estate) { s.disk.Crash() },
		func(s *estate) { s.disk.Kill() },
		func(s *estate) { s.disk.CrashAfter(s.disk.Unsynced() / 2) },
	}
	for seed := range uint64(4) {
		crashes = append(crashes, func(s *estate) { s.disk.CrashScattered(rand.New(rand.NewPCG(seed, 7))) })
	}
	for how, crash := range crashes {
		for _, resuming := range []bool{false, true} {
			for left, failed := 0, true; failed; left++ {
				s := busy(t)
				before := s.snapshot()
				step := func() error { return s.e.Suspend(t.Context()) }
				if resuming {
					s.must(step())
					step = s.resume
				}
				s.disk.Fault(countdown(left))
				failed = step() != nil
				s.disk.Fault(nil)
				crash(s)
				_ = s.e.Crash()
				what := fmt.Sprintf("crash %d, resuming %v, after %d operations", how, resuming, left)
				if kept := s.after(what, before); !failed && kept == resuming {
					t.Fatalf("%s: suspended %v, which it can't be", what, kept)
				}
			}
		}
	}
}

// after asserts that a queue manager is suspended, with all it had, or has
// crashed, and tells which. Then it crashes.
func (s *estate) after(what string, before snapshot) (suspended bool) {
	s.t.Helper()
	err := s.resume()
	if err == nil {
		if diff := cmp.Diff(before, s.snapshot()); diff != "" {
			s.t.Fatalf("%s: %s", what, diff)
		}
		s.crash()
	} else if !errors.Is(err, ErrNotSuspended) {
		s.t.Fatalf("%s: %v", what, err)
	}
	if _, err := s.start(); err != nil {
		s.t.Fatalf("%s: %v", what, err)
	}
	s.want("A", "1", "2", "3", "4")
	s.want("B")
	return err == nil
}

// What the file "suspended" relies on is durable before it has its name: the
// log, and the messages under theirs. The disk of these tests keeps names in
// their order, so that it would not show otherwise.
func TestSuspendOrder(t *testing.T) {
	s := busy(t)
	var done []string
	s.disk.Fault(func(op crashdisk.Op) error {
		if op.Kind == crashdisk.Sync || op.Kind == crashdisk.SyncDir || op.Kind == crashdisk.Rename {
			done = append(done, string(op.Kind)+" "+op.Name)
		}
		return nil
	})
	s.must(s.e.Suspend(t.Context()))
	want := []string{
		"sync " + s.own.list[0].Name,
		"sync qm/queue-A.obj.mem.new", "rename qm/queue-A.obj.mem.new",
		"sync qm/queue-B.obj.mem.new", "rename qm/queue-B.obj.mem.new",
		"sync-dir qm",
		"sync qm/suspended.new", "rename qm/suspended.new",
		"sync-dir qm",
	}
	if diff := cmp.Diff(want, done); diff != "" {
		t.Error(diff)
	}
}

// A disk that is full when the queue manager is to be suspended harms nothing.
func TestSuspendOnAFullDisk(t *testing.T) {
	s := busy(t)
	before := s.snapshot()
	s.disk.Limit(1)
	if err := s.e.Suspend(t.Context()); !errors.Is(err, syscall.ENOSPC) || errors.Is(err, ErrStopped) {
		t.Fatalf("suspended on a full disk: %v", err)
	}
	if diff := cmp.Diff(before, s.snapshot()); diff != "" {
		t.Fatal(diff)
	}
	s.disk.Limit(0)
	s.must(s.e.Suspend(t.Context()))
	s.must(s.resume())
	if diff := cmp.Diff(before, s.snapshot()); diff != "" {
		t.Fatal(diff)
	}
}

// Bodies are in the files of queues and in those beside them alone.
func TestSuspensionHasNoBodies(t *testing.T) {
	const secret = "the body of a message"
	s := busy(t)
	s.putMemory(nil, "A", secret)
	u := s.unit()
	s.putMemory(u, "B", secret)
	s.unitPut(u, "B", secret)
	s.must(s.e.Suspend(t.Context()))
	names, err := s.disk.List("qm")
	s.must(err)
	found := 0
	for _, name := range names {
		b, err := s.disk.Contents("qm/" + name)
		s.must(err)
		if strings.Contains(string(b), secret) {
			if found++; !strings.HasSuffix(name, ".obj.mem") {
				t.Errorf("%s has a message body", name)
			}
		}
	}
	if found != 2 {
		t.Errorf("found in %d files of %q", found, names)
	}
}
