package engine

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
)

// governed is a queue manager whose object says which queues are recoverable,
// unless they say it themselves: IMGRCOVQ of reference, Multiplatforms 1.3.
func governed(t *testing.T) *estate {
	t.Helper()
	s := newEstateWith(t, 16<<10, func(o *Options) {
		o.Manager = governor
		o.Recoverable = func(ref Ref, attributes, manager map[string]string) bool {
			own := attributes["IMGRCOVQ"]
			return ref.Kind != Queue || own == "YES" || own != "NO" && manager["IMGRCOVQ"] != "NO"
		}
	})
	s.must(s.e.Define(t.Context(), governor, nil))
	return s
}

var (
	governor = Ref{"queue-manager", "QM"}
	yes, no  = map[string]string{"IMGRCOVQ": "YES"}, map[string]string{"IMGRCOVQ": "NO"}
)

// prune takes away every segment that no mark needs, as the platform may.
func (s *estate) prune(m Marks) {
	s.t.Helper()
	for len(s.own.list) > 1 && s.own.list[1].Start <= min(m.Media.LSN, m.Restart.LSN) {
		s.take(s.own.list[0].Name)
		s.own.list = s.own.list[1:]
	}
}

// One switch makes many objects recoverable. Each has an image of its own
// before the switch counts, wherever the power fails between, so that the media
// mark never goes back and each can be rebuilt without the log of before.
func TestBecomingRecoverableByTheManager(t *testing.T) {
	a, b, long := Ref{Queue, "A"}, Ref{Queue, "B"}, strings.Repeat("a", 6000)
	for left := range 60 {
		s := governed(t)
		s.define("A", "B")
		s.put("A", long, long, "1")
		s.put("B", long, "2")
		s.must(s.e.Alter(t.Context(), governor, no))
		s.must(s.e.Image(t.Context(), governor))
		m, err := s.e.Checkpoint(t.Context())
		s.must(err)
		s.prune(m)
		s.disk.Fault(countdown(left))
		altered := s.e.Alter(t.Context(), governor, yes)
		s.disk.Fault(nil)
		if altered != nil {
			s.crash()
			s.take("qm/queue-A.obj") // and the disk has lost a file
			if _, err := s.start(); err != nil {
				t.Fatalf("%d operations: %v", left, err)
			}
		} else {
			s.must(s.e.Damage(t.Context(), a))
		}
		after := s.e.Status().Marks
		if after.Media.LSN < m.Media.LSN {
			t.Fatalf("%d operations: the media mark goes back from %s to %s", left, m.Media.LSN, after.Media.LSN)
		}
		o, err := s.e.Object(a)
		s.must(err)
		did, err := s.e.Rebuild(t.Context(), a)
		switch {
		case o.Recoverable && (!did || err != nil):
			t.Errorf("%d operations: rebuilt %v, %v", left, did, err)
		case !o.Recoverable && !errors.Is(err, ErrNotRecoverable):
			t.Errorf("%d operations: %v", left, err)
		case altered == nil && !o.Recoverable:
			t.Error("the switch is done, and A is not recoverable")
		case o.Recoverable:
			s.want("A", long, long, "1")
		}
		s.must(s.e.Alter(t.Context(), governor, yes))
		s.must(s.e.Damage(t.Context(), b))
		if did, err := s.e.Rebuild(t.Context(), b); !did || err != nil {
			t.Errorf("%d operations: rebuilt %v, %v", left, did, err)
		}
		s.want("B", long, "2")
	}
}

// Images may be taken before, one at a time and with checkpoints between: the
// log is kept for them until the change that they are for.
func TestImagesAhead(t *testing.T) {
	a := Ref{Queue, "A"}
	s := governed(t)
	s.must(s.e.Alter(t.Context(), governor, no))
	s.define("A", "FILL")
	s.put("A", "1")
	becoming := s.e.Becoming(governor, yes)
	names := []string{}
	for _, o := range becoming {
		names = append(names, o.Ref.Name)
	}
	if !slices.Equal(names, []string{"A", "FILL"}) || s.e.Becoming(a, no) != nil {
		t.Fatal(names)
	}
	s.must(s.e.ImageAhead(t.Context(), a))
	for range 6 {
		s.put("FILL", strings.Repeat("f", 6000))
		m, err := s.e.Checkpoint(t.Context())
		s.must(err)
		s.prune(m)
	}
	s.must(s.e.Suspend(t.Context()))
	s.must(s.resume())
	s.must(s.e.Alter(t.Context(), governor, yes))
	m, err := s.e.Checkpoint(t.Context())
	s.must(err)
	if o, err := s.e.Object(a); err != nil || m.Media.LSN > o.Media.LSN {
		t.Errorf("media mark %s, that of A %s, %v", m.Media.LSN, o.Media.LSN, err)
	}
	s.must(s.e.Damage(t.Context(), a))
	did, err := s.e.Rebuild(t.Context(), a)
	if !did || err != nil {
		t.Fatalf("rebuilt %v, %v", did, err)
	}
	s.want("A", "1")

	s.must(s.e.Alter(t.Context(), governor, no))
	s.must(s.e.ImageAhead(t.Context(), a))
	s.e.Forgo()
	o, err := s.e.Object(a)
	s.must(err)
	s.must(s.e.Image(t.Context(), governor))
	if m, err := s.e.Checkpoint(t.Context()); err != nil || m.Media.LSN <= o.Media.LSN {
		t.Errorf("%+v holds what was given up, %v", m, err)
	}
}

// A damaged object has no image taken of it, so a change does not make it
// recoverable, in this life or the next.
func TestDamagedDoesNotBecomeRecoverable(t *testing.T) {
	a := Ref{Queue, "A"}
	s := governed(t)
	s.must(s.e.Alter(t.Context(), governor, no))
	s.define("A")
	s.put("A", "1")
	s.must(s.e.Damage(t.Context(), a))
	s.must(s.e.Image(t.Context(), governor))
	m, err := s.e.Checkpoint(t.Context())
	s.must(err)
	s.must(s.e.Alter(t.Context(), governor, maps.Clone(yes)))
	for _, again := range []func(){func() {}, func() { s.restart() }, func() { s.must(s.e.Suspend(t.Context())); s.must(s.resume()) }} {
		again()
		if _, err := s.e.Rebuild(t.Context(), a); !errors.Is(err, ErrNotRecoverable) {
			t.Errorf("%v", err)
		}
		if now := s.e.Status().Marks.Media; now.LSN < m.Media.LSN {
			t.Errorf("the media mark goes back to %s", now.LSN)
		}
	}
}
