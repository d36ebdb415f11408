package engine

import (
	"errors"
	"slices"
	"testing"

	"github.com/mqhk/mqhk/core/wal/disk"
)

func TestUnitOfWork(t *testing.T) {
	s := newEstate(t, 64<<10)
	s.define("A", "B")
	s.put("A", "1", "2", "3")
	u := s.unit()
	s.unitGet(u, "A", "1")
	s.unitPut(u, "B", "own")
	s.want("A", "2", "3")
	s.want("B")
	s.unitGet(u, "B", "own") // its own put
	other := s.unit()
	s.unitGet(other, "A", "2")
	s.must(u.Backout(t.Context()))
	s.want("A", "1", "3")
	s.want("B")
	s.must(other.Commit(t.Context()))
	s.want("A", "1", "3")
	if err := other.Commit(t.Context()); !errors.Is(err, ErrEnded) {
		t.Errorf("committed twice: %v", err)
	}
	s.restart()
	s.want("A", "1", "3")
	s.want("B")
}

func TestOwnPutAndGetCommit(t *testing.T) {
	s := newEstate(t, 64<<10)
	s.define("A")
	u := s.unit()
	s.unitPut(u, "A", "passing")
	s.unitPut(u, "A", "staying")
	s.unitGet(u, "A", "passing")
	s.must(u.Commit(t.Context()))
	s.want("A", "staying")
	s.restart()
	s.want("A", "staying")
}

func TestInDoubtAfterCrashes(t *testing.T) {
	for _, commit := range []bool{true, false} {
		s := newEstate(t, 64<<10)
		s.define("A")
		s.put("A", "1", "2")
		u := s.unit()
		s.unitGet(u, "A", "1")
		s.unitPut(u, "A", "new")
		open := s.unit()
		s.unitPut(open, "A", "lost")
		s.must(u.Prepare(t.Context(), []byte("xid")))
		if _, err := u.Get(t.Context(), "A"); !errors.Is(err, ErrEnded) {
			t.Errorf("a prepared unit of work took work: %v", err)
		}
		s.restart()
		done := s.restart() // stays in doubt for as long as it takes
		if len(done.InDoubt) != 1 || string(done.InDoubt[0].XID) != "xid" || done.InDoubt[0].Changes != 2 {
			t.Fatalf("in doubt: %+v", done.InDoubt)
		}
		s.want("A", "2")
		if m := s.e.Status().Marks; m.Restart != done.InDoubt[0].First {
			t.Errorf("restart mark %v, the prepared unit of work begins at %v", m.Restart, done.InDoubt[0].First)
		}
		u, err := s.e.Unit(done.InDoubt[0].ID)
		s.must(err)
		want := []string{"1", "2"}
		if commit {
			s.must(u.Commit(t.Context()))
			want = []string{"2", "new"}
		} else {
			s.must(u.Backout(t.Context()))
		}
		s.want("A", want...)
		s.restart()
		s.want("A", want...)
	}
}

func TestNotPersistent(t *testing.T) {
	s := newEstate(t, 64<<10)
	s.define("A")
	s.put("A", "1")
	before := s.e.Status().End
	u := s.unit()
	for _, body := range []string{"x", "y"} {
		_, err := u.Put(t.Context(), "A", Message{Body: []byte(body)})
		s.must(err)
	}
	s.must(u.Commit(t.Context()))
	if end := s.e.Status().End; end != before {
		t.Errorf("the log grew from %s to %s", before, end)
	}
	s.want("A", "1", "x", "y")
	s.must(s.e.End(t.Context()))
	_, err := s.start()
	s.must(err)
	s.want("A", "1")
}

func TestObjects(t *testing.T) {
	s := newEstate(t, 64<<10)
	ctx := t.Context()
	a := Ref{Queue, "A"}
	s.define("A")
	s.must(s.e.Define(ctx, Ref{"channel", "to.B"}, nil))
	s.put("A", "1")
	u := s.unit()
	s.unitPut(u, "A", "2")
	for _, c := range []struct {
		name string
		err  error
		want error
	}{
		{"define twice", s.e.Define(ctx, a, nil), ErrExists},
		{"bad name", s.e.Define(ctx, Ref{Queue, "A B"}, nil), ErrName},
		{"bad kind", s.e.Define(ctx, Ref{"Queue", "A"}, nil), ErrName},
		{"alter none", s.e.Alter(ctx, Ref{Queue, "B"}, nil), ErrNoObject},
		{"clear in use", s.e.Clear(ctx, "A"), ErrInUse},
		{"delete in use", s.e.Delete(ctx, a, true), ErrInUse},
		{"put on a channel", func() error { _, err := s.e.Put(ctx, "to.B", Message{}); return err }(), ErrNoObject},
	} {
		if !errors.Is(c.err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, c.err, c.want)
		}
	}
	s.must(u.Commit(ctx))
	if err := s.e.Delete(ctx, a, false); !errors.Is(err, ErrNotEmpty) {
		t.Errorf("deleted with messages: %v", err)
	}
	s.must(s.e.Alter(ctx, a, map[string]string{"GET": "DISABLED"}))
	s.must(s.e.Clear(ctx, "A"))
	s.restart()
	s.want("A")
	o, err := s.e.Object(a)
	s.must(err)
	if o.Attributes["GET"] != "DISABLED" || len(o.Attributes) != 1 {
		t.Errorf("attributes %v", o.Attributes)
	}
	s.must(s.e.Delete(ctx, a, false))
	s.define("A") // another object of the same name
	s.restart()
	o, err = s.e.Object(a)
	s.must(err)
	if o.Attributes["DESCR"] != "A" || len(s.e.Objects()) != 2 {
		t.Errorf("%+v of %d", o, len(s.e.Objects()))
	}
}

// The whole life of a queue manager on a real file system.
func TestOnARealDisk(t *testing.T) {
	for _, noSync := range []bool{false, true} {
		ctx := t.Context()
		d := disk.At(t.TempDir())
		s := &estate{t: t, own: newPlatform(d, 64<<10), opts: Options{Disk: d, Folder: "qm", NoSync: noSync}}
		s.must(d.MkdirAll("log"))
		var err error
		s.e, err = Create(ctx, s.own, s.opts, testID)
		s.must(err)
		if _, err := Create(ctx, s.own, s.opts, testID); err == nil {
			t.Error("made twice")
		}
		s.define("A")
		s.put("A", "1", "2")
		_, err = s.e.Checkpoint(ctx)
		s.must(err)
		s.put("A", "3")
		s.must(s.e.Rotate(ctx))
		s.must(s.e.Image(ctx, Ref{Queue, "A"}))
		if !slices.Equal(s.own.images, []Ref{{Queue, "A"}}) || s.own.marks != s.e.Status().Marks {
			t.Errorf("told of %v and %+v, the marks are %+v", s.own.images, s.own.marks, s.e.Status().Marks)
		}
		s.must(s.e.Damage(ctx, Ref{Queue, "A"}))
		s.must(s.e.Crash())
		_, err = s.start()
		s.must(err)
		_, err = s.e.Rebuild(ctx, Ref{Queue, "A"})
		s.must(err)
		s.must(s.e.End(ctx))
		_, err = s.start()
		s.must(err)
		s.want("A", "1", "2", "3")
		s.must(s.e.End(ctx))
	}
}

// How many messages an end would take is known before it.
func TestNonPersistent(t *testing.T) {
	s := newEstate(t, 64<<10)
	s.define("A")
	counts := func(depth, nonPersistent int) {
		t.Helper()
		o, err := s.e.Object(Ref{Queue, "A"})
		if err != nil || o.Depth != depth || o.NonPersistent != nonPersistent {
			t.Errorf("%d messages, %d not persistent, want %d and %d; %v", o.Depth, o.NonPersistent, depth, nonPersistent, err)
		}
	}
	memory := func(body string) {
		t.Helper()
		_, err := s.e.Put(t.Context(), "A", Message{Body: []byte(body)})
		s.must(err)
	}
	memory("1")
	s.put("A", "2")
	counts(2, 1)
	put := s.unit()
	s.putMemory(put, "A", "3")
	counts(2, 1)
	s.must(put.Commit(t.Context()))
	counts(3, 2)
	get := s.unit()
	s.unitGet(get, "A", "1")
	counts(3, 2)
	s.must(s.e.Suspend(t.Context()))
	s.must(s.resume())
	counts(3, 2)
	get, err := s.e.Unit(get.ID())
	s.must(err)
	s.must(get.Commit(t.Context()))
	counts(2, 1)
	s.must(s.e.Clear(t.Context(), "A"))
	counts(0, 0)
	memory("4")
	s.put("A", "5")
	s.restart()
	counts(1, 0)
	memory("6")
	s.must(s.e.Damage(t.Context(), Ref{Queue, "A"}))
	counts(0, 0)
}
