package engine

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mqhk/mqhk/core/wal/crashdisk"
)

// The order in which log, files, names and control file become durable, one
// test for each operation that has one: it is stopped before each of its steps
// in turn, and the crash keeps nothing, everything, or something of what was
// not durable. The random histories seldom meet the one step that matters.

// stopped is a way for an operation to be stopped at some step.
type stopped struct {
	how   string
	cause error // what every later step answers
	crash func(*crashdisk.Disk)
}

// stops are the ways. After the death of the processes all is seen that was
// written, and what the start does not write again is gone with the next
// crash; after a sync that failed the system has even forgotten that it was to
// be written.
func stops() []stopped {
	all := []stopped{
		{"nothing is kept", crashdisk.ErrPower, (*crashdisk.Disk).Crash},
		{"everything is kept", crashdisk.ErrPower, (*crashdisk.Disk).Kill},
		{"everything is seen", syscall.EIO, (*crashdisk.Disk).Kill},
	}
	for seed := range uint64(12) {
		all = append(all, stopped{fmt.Sprintf("something is kept (%d)", seed), crashdisk.ErrPower, func(d *crashdisk.Disk) {
			d.CrashScattered(rand.New(rand.NewPCG(seed, 3)))
		}})
	}
	return all
}

// ordered is one operation whose order is looked at.
type ordered struct {
	ready func(s *estate)
	do    func(s *estate) error
	// check looks at the queue manager that was started again. Told are the
	// marks that the owner had been told, and done says that the operation
	// had returned without an error.
	check func(s *estate, started Restarted, told Marks, done bool) error
}

// everywhere does the operation and stops it before every step. The
// queue manager must start after it, and once more after a crash that takes
// whatever that start has not made durable.
func (o ordered) everywhere(t *testing.T) {
	t.Helper()
	for stop, done := 0, false; !done; stop++ {
		for _, stopped := range stops() {
			s := newEstate(t, 64<<10)
			o.ready(s)
			s.disk.Fault(crashdisk.FailAfter(stop, stopped.cause))
			err := o.do(s)
			s.disk.Fault(nil)
			if done = err == nil; !done && !errors.Is(err, stopped.cause) {
				t.Fatalf("step %d: %v", stop, err)
			}
			told := s.own.marks
			stopped.crash(s.disk)
			_ = s.e.Crash() // its files are dead
			for _, when := range []string{"first", "second"} {
				started, err := s.start()
				if err == nil {
					err = o.check(s, started, told, done)
				}
				if err != nil {
					t.Fatalf("stopped at step %d, %s; %s start: %v", stop, stopped.how, when, err)
				}
				s.crash()
			}
		}
		if stop > 200 {
			t.Fatal("it never ends")
		}
	}
}

// commitLater puts one message on each queue in one unit of work that nobody
// forces.
func (s *estate) commitLater(body string, queues ...string) {
	s.t.Helper()
	u := s.unit()
	for _, queue := range queues {
		s.unitPut(u, queue, body)
	}
	_, err := u.CommitLater(s.t.Context())
	s.must(err)
}

// unlike says what is not on a queue as it should be: what was forced, and
// behind it, always or perhaps, what was only committed.
func (s *estate) unlike(queue string, forced []string, later string, always bool) error {
	got := s.bodies(queue)
	if slices.Equal(got, append(slices.Clone(forced), later)) || !always && slices.Equal(got, forced) {
		return nil
	}
	return fmt.Errorf("on %s: %q, want %q and %q (always: %v)", queue, got, forced, later, always)
}

// A checkpoint: the log before the files that hold what it says, files and
// names before the end that relies on them, the end before the control file.
// A has a file of the checkpoint before, B one that only a checkpoint which
// failed at its last step has written, C none.
func TestOrderOfACheckpoint(t *testing.T) {
	queues := []string{"A", "B", "C"}
	ordered{
		ready: func(s *estate) {
			s.define("A")
			s.put("A", "A1")
			_, err := s.e.Checkpoint(s.t.Context())
			s.must(err)
			s.define("B")
			s.put("B", "B1")
			s.disk.Fault(func(op crashdisk.Op) error {
				if op.Kind == crashdisk.Create && op.Name == "qm/control.new" {
					return syscall.ENOSPC
				}
				return nil
			})
			if _, err := s.e.Checkpoint(s.t.Context()); !errors.Is(err, syscall.ENOSPC) {
				s.t.Fatalf("a checkpoint without a control file: %v", err)
			}
			s.disk.Fault(nil)
			s.define("C")
			s.put("C", "C1")
			s.commitLater("late", queues...)
		},
		do: func(s *estate) error { _, err := s.e.Checkpoint(s.t.Context()); return err },
		check: func(s *estate, started Restarted, told Marks, done bool) error {
			if len(started.Damaged)+len(started.Rebuilt) > 0 {
				return fmt.Errorf("damaged: %+v", started)
			}
			if started.From.LSN < told.Restart.LSN {
				return fmt.Errorf("it read from %s, the owner was told %s", started.From.LSN, told.Restart.LSN)
			}
			late := len(s.bodies("A")) == 2 // all of them or none
			for _, queue := range queues {
				if err := s.unlike(queue, []string{queue + "1"}, "late", done || late); err != nil {
					return err
				}
			}
			return nil
		},
	}.everywhere(t)
}

// An image: durable before its mark is told. Who was told may throw away all
// that is older.
func TestOrderOfAnImage(t *testing.T) {
	a, b := Ref{Queue, "A"}, Ref{Queue, "B"}
	ordered{
		ready: func(s *estate) {
			s.define("A", "B")
			s.put("A", "A1")
			s.put("B", "B1")
			s.own.marks = s.e.Status().Marks
		},
		do: func(s *estate) error {
			before := s.e.Objects()
			if err := s.e.Image(s.t.Context(), a, b); err != nil {
				if diff := cmp.Diff(before, s.e.Objects()); diff != "" || len(s.own.images) > 0 {
					s.t.Fatalf("images that failed (%v) moved marks, or were told (%v): %s", err, s.own.images, diff)
				}
				return err
			}
			for _, ref := range []Ref{a, b} {
				if o, err := s.e.Object(ref); err != nil || o.Media.LSN == 0 || o.Media.LSN >= s.e.Status().Durable {
					s.t.Fatalf("the image of %s begins at %s, durable is %s; %v", ref, o.Media.LSN, s.e.Status().Durable, err)
				}
			}
			return nil
		},
		check: func(s *estate, _ Restarted, told Marks, done bool) error {
			for _, ref := range []Ref{a, b} {
				o, err := s.e.Object(ref)
				if err != nil {
					return err
				}
				if imaged := uint64(o.Media.LSN) != s.e.objects[ref].id; done && !imaged {
					return fmt.Errorf("the image of %s was acknowledged and is gone", ref)
				}
				if now := s.e.Status().Marks.Media.LSN; now < told.Media.LSN {
					return fmt.Errorf("the media mark is %s, the owner was told %s", now, told.Media.LSN)
				}
			}
			return nil
		},
	}.everywhere(t)
}

// A rebuild: the log before the file that holds what it says. What was
// committed and not forced before it is in what was rebuilt.
func TestOrderOfARebuild(t *testing.T) {
	a := Ref{Queue, "A"}
	ordered{
		ready: func(s *estate) {
			s.define("A", "B")
			s.put("A", "A1")
			u := s.unit()
			s.unitPut(u, "A", "late")
			s.must(s.e.Damage(s.t.Context(), a))
			_, err := u.CommitLater(s.t.Context())
			s.must(err)
			s.commitLater("behind", "B")
		},
		do: func(s *estate) error {
			did, err := s.e.Rebuild(s.t.Context(), a)
			if err == nil && !did {
				err = errors.New("nothing was rebuilt")
			}
			return err
		},
		check: func(s *estate, started Restarted, _ Marks, done bool) error {
			if done && len(started.Damaged)+len(started.Rebuilt) > 0 {
				return fmt.Errorf("what was rebuilt is damaged: %+v", started)
			}
			if _, err := s.e.Rebuild(s.t.Context(), a); err != nil {
				return err
			}
			return s.unlike("A", []string{"A1"}, "late", done)
		},
	}.everywhere(t)
}
