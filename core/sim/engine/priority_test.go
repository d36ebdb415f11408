package engine

import (
	"fmt"
	"testing"
	"time"
)

func (s *estate) putPriority(u *Unit, queue string, priority int, body string, persistent bool) {
	s.t.Helper()
	put := s.e.Put
	if u != nil {
		put = u.Put
	}
	_, err := put(s.t.Context(), queue, Message{Persistent: persistent, Priority: priority, Body: []byte(body)})
	s.must(err)
}

// Gets take the highest priority first, and of equal ones the oldest, through
// files, images, suspensions and backouts.
func TestPriority(t *testing.T) {
	s := newEstateWith(t, 64<<10, func(o *Options) { o.Part, o.Detail = 1000, true })
	s.define("A")
	for i, p := range []int{0, 9, 4, 9, 0, 5} {
		s.putPriority(nil, "A", p, fmt.Sprint(p, "-", i), true)
	}
	s.putPriority(nil, "A", 7, "memory", false)
	all := []string{"9-1", "9-3", "memory", "5-5", "4-2", "0-0", "0-4"}
	s.want("A", all...)
	s.must(s.e.Suspend(t.Context()))
	s.must(s.resume())
	s.want("A", all...)
	u := s.unit()
	for _, want := range all[:4] {
		s.unitGet(u, "A", want)
	}
	s.putPriority(u, "A", 8, "uncommitted", true)
	s.want("A", all[4:]...)
	s.must(s.e.Suspend(t.Context()))
	s.must(s.resume())
	s.want("A", all[4:]...)
	u, err := s.e.Unit(u.ID())
	s.must(err)
	s.must(u.Backout(t.Context()))
	s.want("A", all...)
	persistent := append(append([]string{}, all[:2]...), all[3:]...)
	s.restart() // replayed
	s.want("A", persistent...)
	s.restart() // from the file
	s.want("A", persistent...)
	s.must(s.e.Image(t.Context(), Ref{Queue, "A"}))
	s.must(s.e.Damage(t.Context(), Ref{Queue, "A"}))
	_, err = s.e.Rebuild(t.Context(), Ref{Queue, "A"})
	s.must(err)
	s.want("A", persistent...)
	for _, p := range []int{-2, 10} {
		if _, err := s.e.Put(t.Context(), "A", Message{Priority: p}); err == nil {
			t.Errorf("priority %d was taken", p)
		}
	}
}

// A queue with many messages of a low priority is not slower for those of a
// high one; the time is a limit against a search of all of them.
func TestPriorityOnDeepQueue(t *testing.T) {
	s := newEstate(t, 64<<20)
	s.define("A")
	began := time.Now()
	const deep = 100_000
	for range deep {
		s.putPriority(nil, "A", 3, "low", false)
	}
	for range deep {
		s.putPriority(nil, "A", 6, "high", false)
		m, err := s.e.Get(t.Context(), "A")
		if s.must(err); string(m.Body) != "high" {
			t.Fatalf("got %q", m.Body)
		}
	}
	if took := time.Since(began); took > time.Minute {
		t.Errorf("%s", took)
	}
}
