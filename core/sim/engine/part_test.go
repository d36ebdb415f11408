package engine

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/wal"
)

// long gives a body that is longer than any segment of these tests.
func long(n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		fmt.Fprint(&b, i, ",")
	}
	return b.String()[:n]
}

// inParts is a queue manager whose segments are shorter than its messages.
func inParts(t *testing.T, with func(*Options)) *estate {
	t.Helper()
	return newEstateWith(t, 8<<10, func(o *Options) {
		o.Part = 3000
		with(o)
	})
}

// A message goes on in as many segments as it takes; replay, image and rebuild
// bring it back whole, committed or not.
func TestLongMessages(t *testing.T) {
	for _, with := range []func(*Options){
		func(*Options) {},
		func(o *Options) { o.Costs, o.Detail = &seedCosts, true },
		func(o *Options) { o.ImagePart, o.Detail = 7000, true },
	} {
		s := inParts(t, with)
		s.define("A", "B")
		bodies := []string{"", long(1), long(2999), long(3000), long(3001), long(6000), long(50_000)}
		s.put("A", bodies...)
		u := s.unit()
		s.unitPut(u, "A", long(20_000))
		s.unitGet(u, "A", bodies[0])
		s.must(u.Prepare(t.Context(), []byte("xid")))
		check := func(how string) {
			t.Helper()
			if got := s.bodies("A"); !slices.Equal(got, bodies[1:]) {
				t.Fatalf("%s: %d messages of %d", how, len(got), len(bodies)-1)
			}
		}
		s.restart()
		check("replayed")
		_, err := s.e.Checkpoint(t.Context())
		s.must(err)
		s.restart()
		check("read from the file")
		for _, how := range []string{"rebuilt from the definition", "rebuilt from an image"} {
			s.must(s.e.Damage(t.Context(), Ref{Queue, "A"}))
			did, err := s.e.Rebuild(t.Context(), Ref{Queue, "A"})
			if !did || err != nil {
				t.Fatalf("%s: %v, %v", how, did, err)
			}
			check(how)
			s.must(s.e.Image(t.Context(), Ref{Queue, "A"}))
		}
		if u, err = s.e.Unit(u.ID()); err != nil {
			t.Fatal(err)
		}
		s.must(u.Commit(t.Context()))
		s.want("A", append(bodies[1:], long(20_000))...)
	}
}

// A put without all of its parts never happened: the log cut at each record of
// it, and behind it work that goes on. Its sequence goes to the next put.
func TestPutWithoutAllParts(t *testing.T) {
	for _, inUnit := range []bool{false, true} {
		for cut := 1; ; cut++ {
			s := inParts(t, func(o *Options) { o.Detail = true })
			s.define("A")
			s.put("A", "1")
			before := len(s.stored())
			u := s.unit()
			if inUnit {
				s.unitPut(u, "A", long(9000))
				s.must(s.e.Force(t.Context(), 0))
			} else {
				s.put("A", long(9000))
			}
			all := s.stored()
			s.crash()
			if before+cut >= len(all) {
				break
			}
			end := all[before+cut]
			// The segments that follow were never begun, then.
			i := slices.IndexFunc(s.own.list, func(seg wal.Segment) bool { return seg.Name == end.segment })
			for _, seg := range s.own.list[i+1:] {
				s.must(s.disk.Remove(seg.Name))
			}
			s.own.list = s.own.list[:i+1]
			s.change(end.segment, func(b []byte) { clear(b[end.offset:]) })
			for i := range 2 {
				done, err := s.start()
				s.must(err)
				if i == 0 && done.End > end.at {
					t.Fatalf("the log ends at %s, it was cut at %s", done.End, end.at)
				}
				s.want("A", "1")
				s.crash()
			}
			_, err := s.start()
			s.must(err)
			s.put("A", long(7000), "3")
			s.restart()
			s.want("A", "1", long(7000), "3")
		}
	}
}

// A put that finds no room for one of its parts is refused, and leaves nothing
// behind; the log goes on when there is room.
func TestPutWithoutRoom(t *testing.T) {
	for how := range 4 {
		inUnit, detail := how&1 != 0, how&2 != 0
		s := inParts(t, func(o *Options) { o.Detail = detail })
		s.define("A")
		s.own.stay = true
		u := s.unit()
		put := s.e.Put
		if inUnit {
			put = u.Put
		}
		if _, err := put(t.Context(), "A", Message{Persistent: true, Body: []byte(long(30_000))}); err == nil {
			t.Fatal("a message of 30000 bytes was put in a segment of 8192")
		}
		s.want("A")
		s.own.stay = false
		if inUnit {
			s.unitPut(u, "A", long(5000))
			_, err := s.e.Checkpoint(t.Context()) // it knows the unit of work from its beginning
			s.must(err)
			s.must(u.Prepare(t.Context(), nil))
			s.restart()
			u, err = s.e.Unit(u.ID())
			s.must(err)
			s.must(u.Commit(t.Context()))
		} else {
			s.put("A", long(5000))
		}
		s.want("A", long(5000))
		s.restart()
		s.want("A", long(5000))
		s.must(s.e.Damage(t.Context(), Ref{Queue, "A"}))
		did, err := s.e.Rebuild(t.Context(), Ref{Queue, "A"})
		if !did || err != nil {
			t.Fatalf("rebuilt %v, %v", did, err)
		}
		s.want("A", long(5000))
	}
}
