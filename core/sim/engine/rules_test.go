package engine

import (
	"errors"
	"strconv"
	"testing"
)

// ruled is a queue manager whose attributes are rules.
func ruled(t *testing.T) *estate {
	t.Helper()
	number := func(text string) int {
		if n, err := strconv.Atoi(text); err == nil {
			return n
		}
		return -1
	}
	s := newEstateWith(t, 16<<10, func(o *Options) {
		o.Manager = governor
		o.Rules = func(_ Ref, a map[string]string) Rules {
			return Rules{
				NoPut: a["put"] == "no", NoGet: a["get"] == "no", Arrival: a["order"] == "fifo", Persistent: a["persistent"] == "yes",
				Priority: max(0, number(a["priority"])), MaxDepth: number(a["depth"]), MaxLength: number(a["length"]), MaxChanges: number(a["changes"]),
			}
		}
	})
	s.must(s.e.Define(t.Context(), governor, map[string]string{"length": "9", "changes": "4"}))
	return s
}

// What an application meets: the limits count what units of work have put and
// not what they have got (CurrentQDepth), and a commit or a restart meets none.
func TestRules(t *testing.T) {
	s := ruled(t)
	q := Ref{Queue, "Q"}
	s.must(s.e.Define(t.Context(), q, map[string]string{"depth": "2", "length": "4"}))
	alter := func(attributes map[string]string) { t.Helper(); s.must(s.e.Alter(t.Context(), q, attributes)) }
	put := func(u *Unit, body string, want error) {
		t.Helper()
		m := Message{Persistent: true, Body: []byte(body)}
		var err error
		if u == nil {
			_, err = s.e.Put(t.Context(), "Q", m)
		} else {
			_, err = u.Put(t.Context(), "Q", m)
		}
		if !errors.Is(err, want) {
			t.Fatalf("put %s: %v, wanted %v", body, err, want)
		}
	}
	put(nil, "12345", ErrTooLong)
	u, v := s.unit(), s.unit()
	put(u, "1", nil)
	put(nil, "2", nil)
	put(nil, "3", ErrFull)
	s.unitGet(v, "Q", "2")
	put(nil, "3", nil)
	if o, err := s.e.Object(q); err != nil || o.Current != 2 || o.Depth != 2 {
		t.Errorf("%+v, %v", o, err)
	}
	s.must(v.Backout(t.Context())) // the queue holds one more than it takes
	put(nil, "4", ErrFull)
	alter(map[string]string{"put": "no", "get": "no"})
	put(nil, "5", ErrPutInhibited)
	_, err := s.e.Get(t.Context(), "Q")
	if !errors.Is(err, ErrGetInhibited) || !errors.Is(s.e.Browse("Q", nil), ErrGetInhibited) {
		t.Error(err)
	}
	s.must(u.Commit(t.Context()))
	s.restart()
	put(nil, "6", ErrPutInhibited)
	alter(nil)
	s.want("Q", "1", "2", "3")
	put(nil, "1234567890", ErrTooLongForManager)
	u = s.unit()
	for _, body := range []string{"a", "b", "c", "d"} {
		put(u, body, nil)
	}
	put(u, "e", ErrTooMany)
	if _, err := u.Get(t.Context(), "Q"); !errors.Is(err, ErrTooMany) {
		t.Error(err)
	}
	put(nil, "f", nil)
	s.must(u.Commit(t.Context()))
	s.want("Q", "1", "2", "3", "a", "b", "c", "d", "f")
	s.must(s.e.Suspend(t.Context()))
	s.must(s.resume())
	if o, err := s.e.Object(q); err != nil || o.Current != 8 {
		t.Errorf("%+v, %v", o, err)
	}
}

// A message may leave priority and persistence to the queue, and a queue may
// deliver in the order of arrival, whatever messages say.
func TestAsTheQueueDefines(t *testing.T) {
	s := ruled(t)
	q := Ref{Queue, "Q"}
	s.must(s.e.Define(t.Context(), q, map[string]string{"priority": "3", "persistent": "yes"}))
	put := func(body string, priority int) {
		t.Helper()
		_, err := s.e.Put(t.Context(), "Q", Message{AsQueue: true, Priority: priority, Body: []byte(body)})
		s.must(err)
	}
	put("as queue", PriorityAsQueue)
	put("low", 1)
	put("high", 9)
	s.restart() // they were persistent
	s.want("Q", "high", "as queue", "low")
	s.must(s.e.Alter(t.Context(), q, map[string]string{"order": "fifo", "priority": "3"}))
	if s.e.Persists("Q", Message{AsQueue: true}) || !s.e.Persists("Q", Message{Persistent: true}) {
		t.Error("who is persistent")
	}
	put("first", 0)
	put("second", 9)
	// What was there keeps its place (MsgDeliverySequence).
	s.want("Q", "high", "as queue", "first", "second", "low")
	s.restart()
	s.want("Q", "high", "as queue", "low")
	s.must(s.e.Alter(t.Context(), q, nil))
	if _, err := s.e.Put(t.Context(), "Q", Message{Priority: -2}); !errors.Is(err, ErrPriority) {
		t.Error(err)
	}
}
