package engine

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// circular is a queue manager whose objects can't be recovered from its log.
func circular(t *testing.T) *estate {
	t.Helper()
	return newEstateWith(t, 16<<10, func(o *Options) {
		o.Costs, o.Detail = &seedCosts, true
		o.Recoverable = func(Ref, map[string]string, map[string]string) bool { return false }
	})
}

// SEED 7.2.2.5: a damaged queue with uncommitted work on a queue manager
// without media recovery is marked, the work on it is ignored, and the start
// goes on; the rest of that work counts.
func TestDamagedAtStartNotRecoverable(t *testing.T) {
	a := Ref{Queue, "A"}
	for what, breaks := range broken {
		s := circular(t)
		s.define("A", "B")
		s.put("A", "1")
		open, doubt := s.unit(), s.unit()
		s.unitPut(open, "A", "2")
		s.unitPut(open, "B", "3")
		s.unitPut(doubt, "A", "4")
		s.unitPut(doubt, "B", "5")
		s.must(doubt.Prepare(t.Context(), []byte("xid")))
		_, err := s.e.Checkpoint(t.Context())
		s.must(err)
		s.crash()
		breaks(s, "qm/queue-A.obj")
		done, err := s.start()
		if err != nil || !slices.Equal(done.Damaged, []Ref{a}) || len(done.Rebuilt) != 0 {
			t.Fatalf("%s: %+v, %v", what, done, err)
		}
		if len(done.BackedOut) != 1 || len(done.InDoubt) != 1 || done.InDoubt[0].Changes != 1 {
			t.Errorf("%s: %+v", what, done)
		}
		if did, err := s.e.Rebuild(t.Context(), a); did || !errors.Is(err, ErrNotRecoverable) {
			t.Errorf("%s: rebuilt %v, %v", what, did, err)
		}
		u, err := s.e.Unit(doubt.ID())
		s.must(err)
		s.must(u.Commit(t.Context()))
		s.want("B", "5")
		s.restart()
		s.want("B", "5")
		// All that is left is to delete it.
		s.must(s.e.Delete(t.Context(), a, true))
		s.define("A")
		s.restart()
		s.want("A")
	}
}

// The essential object damaged where nothing can be recovered: no start, and
// with the file back one.
func TestEssentialNotRecoverable(t *testing.T) {
	s := circular(t)
	qm := Ref{"queue-manager", "QM"}
	s.must(s.e.Define(t.Context(), qm, nil))
	s.define("A")
	s.put("A", "1")
	s.must(s.e.End(t.Context()))
	back := s.take("qm/" + ownFiles{}.Object(qm))
	for range 2 {
		if _, err := s.start(); !errors.Is(err, ErrNotRecoverable) || !strings.Contains(err.Error(), qm.String()) {
			t.Errorf("%v", err)
		}
	}
	back()
	_, err := s.start()
	s.must(err)
	s.want("A", "1")
}

// Which object holds the log depends on its attributes. One that becomes
// recoverable gets an image, and holds none of the log before it, whenever the
// power fails.
func TestRecoverableByAttributes(t *testing.T) {
	yes, no := map[string]string{"IMGRCOVQ": "YES"}, map[string]string{"IMGRCOVQ": "NO"}
	for left := range 40 {
		s := newEstateWith(t, 16<<10, func(o *Options) {
			o.Recoverable = func(_ Ref, attrs, _ map[string]string) bool { return attrs["IMGRCOVQ"] != "NO" }
		})
		s.must(s.e.Define(t.Context(), Ref{Queue, "A"}, no))
		s.define("B")
		s.put("A", strings.Repeat("a", 6000), strings.Repeat("b", 6000), "1")
		s.must(s.e.Image(t.Context(), Ref{Queue, "B"}))
		m, err := s.e.Checkpoint(t.Context())
		s.must(err)
		b, err := s.e.Object(Ref{Queue, "B"})
		s.must(err)
		if m.Media != b.Media {
			t.Fatalf("media mark %+v, that of B is %+v", m.Media, b.Media)
		}
		s.disk.Fault(countdown(left))
		altered := s.e.Alter(t.Context(), Ref{Queue, "A"}, yes)
		s.disk.Fault(nil)
		if altered != nil {
			s.restart()
			err := s.e.Alter(t.Context(), Ref{Queue, "A"}, yes)
			s.must(err)
		}
		if now := s.e.Status().Marks.Media; now.LSN < m.Media.LSN {
			t.Errorf("%d operations: the media mark goes back from %s to %s", left, m.Media.LSN, now.LSN)
		}
		for len(s.own.list) > 1 && s.own.list[1].Start <= m.Media.LSN {
			s.take(s.own.list[0].Name)
			s.own.list = s.own.list[1:]
		}
		s.must(s.e.Damage(t.Context(), Ref{Queue, "A"}))
		did, err := s.e.Rebuild(t.Context(), Ref{Queue, "A"})
		if !did || err != nil {
			t.Errorf("%d operations: rebuilt %v, %v", left, did, err)
		}
		s.want("A", strings.Repeat("a", 6000), strings.Repeat("b", 6000), "1")
	}
}

// A damaged object that was not recoverable is known as such by later starts,
// also when no file tells its attributes any more.
func TestNotRecoverableIsRemembered(t *testing.T) {
	s := newEstateWith(t, 16<<10, func(o *Options) {
		o.Recoverable = func(_ Ref, attrs, _ map[string]string) bool { return attrs["IMGRCOVQ"] == "YES" }
	})
	no, yes := Ref{Queue, "NO"}, Ref{Queue, "YES"}
	s.must(s.e.Define(t.Context(), no, map[string]string{"IMGRCOVQ": "NO"}))
	s.must(s.e.Define(t.Context(), yes, map[string]string{"IMGRCOVQ": "YES"}))
	_, err := s.e.Checkpoint(t.Context())
	s.must(err)
	s.crash()
	s.take("qm/queue-NO.obj")
	s.take("qm/queue-YES.obj")
	s.must(s.disk.SyncDir("qm"))
	for range 3 {
		s.crash()
		done, err := s.start()
		if s.must(err); !slices.Equal(done.Damaged, []Ref{no, yes}) {
			t.Fatalf("%+v", done)
		}
		o, err := s.e.Object(yes)
		if s.must(err); s.e.Status().Marks.Media != o.Media {
			t.Errorf("media mark %+v, that of %s is %+v", s.e.Status().Marks.Media, yes, o.Media)
		}
		if _, err := s.e.Rebuild(t.Context(), no); !errors.Is(err, ErrNotRecoverable) {
			t.Errorf("%v", err)
		}
	}
	did, err := s.e.Rebuild(t.Context(), yes)
	if !did || err != nil {
		t.Errorf("rebuilt %v, %v", did, err)
	}
}

// An object that can't be recovered stays so when it is damaged, over any number
// of suspensions: what its attributes were is not kept.
func TestDamagedStaysNotRecoverableOverSuspensions(t *testing.T) {
	a := Ref{Queue, "A"}
	s := newEstateWith(t, 16<<10, func(o *Options) {
		o.Recoverable = func(_ Ref, attributes, _ map[string]string) bool { return attributes["IMAGES"] != "NO" }
	})
	s.must(s.e.Define(t.Context(), a, map[string]string{"IMAGES": "NO"}))
	s.put("A", "1")
	s.must(s.e.Damage(t.Context(), a))
	for range 2 {
		s.must(s.e.Suspend(t.Context()))
		s.must(s.resume())
	}
	if did, err := s.e.Rebuild(t.Context(), a); did || !errors.Is(err, ErrNotRecoverable) {
		t.Errorf("rebuilt %v, %v", did, err)
	}
}
