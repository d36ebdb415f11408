package engine

import (
	"errors"
	"testing"
)

// A unit of work that the queue manager has backed out: its messages are as
// they were, its application hears of it, through a suspension too, and only
// commit or backout end it (reference, Multiplatforms item 91).
func TestBackOut(t *testing.T) {
	ctx := t.Context()
	for _, suspended := range []bool{false, true} {
		for _, end := range []string{"commit", "commit later", "backout"} {
			s := seedEstate(t, 1<<20)
			s.define("A")
			s.put("A", "1")
			u, other := s.unit(), s.unit()
			s.unitGet(u, "A", "1")
			s.unitPut(u, "A", "2")
			s.unitPut(other, "A", "3")
			s.must(s.e.BackOut(ctx, u.ID()))
			s.want("A", "1")
			if all := s.e.Units(); len(all) != 1 || all[0].ID != other.ID() {
				t.Errorf("units of work %+v", all)
			}
			if suspended {
				s.must(s.e.Suspend(ctx))
				s.must(s.resume())
				var err error
				u, err = s.e.Unit(u.ID())
				s.must(err)
			}
			_, put := u.Put(ctx, "A", Message{Persistent: true})
			_, get := u.Get(ctx, "A")
			for _, err := range []error{put, get, u.Prepare(ctx, nil)} {
				if !errors.Is(err, ErrBackedOut) {
					t.Errorf("work in it: %v", err)
				}
			}
			var err error
			switch end {
			case "commit":
				err = u.Commit(ctx)
			case "commit later":
				_, err = u.CommitLater(ctx)
			case "backout":
				s.must(u.Backout(ctx))
				err = ErrBackedOut
			}
			if !errors.Is(err, ErrBackedOut) {
				t.Errorf("%s: %v", end, err)
			}
			for _, err := range []error{u.Commit(ctx), u.Backout(ctx)} {
				if !errors.Is(err, ErrEnded) {
					t.Errorf("behind its %s: %v", end, err)
				}
			}
			if _, err := s.e.Unit(u.ID()); !errors.Is(err, ErrEnded) {
				t.Errorf("it is still there: %v", err)
			}
			s.restart()
			s.want("A", "1")
		}
	}
}

// One that is in doubt stays so, and one that is not there can't be backed out.
func TestBackOutRefused(t *testing.T) {
	s := newEstate(t, 64<<10)
	s.define("A")
	u := s.unit()
	s.unitPut(u, "A", "1")
	s.must(u.Prepare(t.Context(), []byte("xid")))
	for _, id := range []uint64{u.ID(), 77} {
		if err := s.e.BackOut(t.Context(), id); !errors.Is(err, ErrEnded) {
			t.Errorf("%d: %v", id, err)
		}
	}
	s.must(u.Commit(t.Context()))
	s.want("A", "1")
}

// It frees the log: the next checkpoint does not see it any more.
func TestBackOutMovesTheMark(t *testing.T) {
	s := newEstate(t, 64<<10)
	s.define("A")
	u := s.unit()
	s.unitPut(u, "A", "1")
	first := s.e.Units()[0].First
	m, err := s.e.Checkpoint(t.Context())
	if s.must(err); m.Restart != first {
		t.Fatalf("%+v", m)
	}
	s.must(s.e.BackOut(t.Context(), u.ID()))
	m, err = s.e.Checkpoint(t.Context())
	if s.must(err); m.Restart != m.Checkpoint {
		t.Errorf("%+v", m)
	}
}

// The queue manager backs out while the application works: all of the unit of
// work is there or nothing, and the application knows which.
func TestBackOutWhileWorking(t *testing.T) {
	ctx := t.Context()
	s := newEstateWith(t, 1<<20, func(o *Options) { o.Detail, o.Part = true, 1000 })
	s.define("A")
	const puts = 10
	done := 0
	for range 100 {
		u := s.unit()
		committed := make(chan error)
		go func() {
			var err error
			for range puts {
				if _, err = u.Put(ctx, "A", Message{Persistent: true, Body: make([]byte, 1500)}); err != nil {
					break
				}
			}
			if err != nil {
				committed <- errors.Join(err, u.Backout(ctx))
				return
			}
			committed <- u.Commit(ctx)
		}()
		backedOut := s.e.BackOut(ctx, u.ID())
		switch err := <-committed; {
		case err == nil && errors.Is(backedOut, ErrEnded):
			done++
		case errors.Is(err, ErrBackedOut) && backedOut == nil:
		default:
			t.Fatalf("committed: %v, backed out: %v", err, backedOut)
		}
	}
	s.restart()
	if n := len(s.bodies("A")); n != puts*done {
		t.Errorf("%d messages of %d units of work", n, done)
	}
}
