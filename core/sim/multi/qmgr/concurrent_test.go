package qmgr

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
)

// Applications that work at the same time while the log fills, images are
// recorded, questions asked: nothing waits for ever, and what is committed is
// what is there.
func TestManyApplications(t *testing.T) {
	for _, kind := range kinds {
		t.Run(string(kind), func(t *testing.T) {
			s := inMemory(t, Spec{Log: small(kind, extents.Automatic)})
			s.start()
			s.define("Q")
			var mu sync.Mutex
			want := []string{}
			fail := func(err error) {
				if err != nil && !errors.Is(err, engine.ErrBackedOut) && Reason(err) != ResourceProblem {
					t.Error(err)
				}
			}
			var all sync.WaitGroup
			for a := range 6 {
				all.Go(func() {
					for n := range 12 {
						bodies := s.application(a, n, fail)
						mu.Lock()
						want = append(want, bodies...)
						mu.Unlock()
					}
				})
			}
			all.Go(func() {
				for range 5 {
					if kind == extents.Linear {
						_, err := s.m.Image(s.ctx, Selection{"queue", "Q"})
						fail(err)
					}
					fail(s.m.Checkpoint(s.ctx))
					fail(s.m.Tick(s.ctx))
					s.m.Status()
					s.m.Connections()
					s.m.QueueStatus()
				}
			})
			all.Wait()
			got := s.bodies("Q")
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("%d messages, wanted %d", len(got), len(want))
			}
			s.must(s.m.Crash())
			s.start()
			again := s.bodies("Q")
			slices.Sort(again)
			if !slices.Equal(again, want) {
				t.Errorf("after a crash %d messages, wanted %d", len(again), len(want))
			}
		})
	}
}

// application does a unit of work, or puts a message outside one, and gives
// what it has committed.
func (s *station) application(a, n int, fail func(error)) []string {
	body := func(i int) string { return fmt.Sprintf("%d.%d.%d:%s", a, n, i, long(6000)) }
	if n%3 == 0 {
		if _, err := s.m.Put(s.ctx, "Q", text(body(0))); err != nil {
			fail(err)
			return nil
		}
		return []string{body(0)}
	}
	u, err := s.m.Begin("APP")
	if err != nil {
		fail(err)
		return nil
	}
	var bodies []string
	for i := range 4 {
		if _, err := u.Put(s.ctx, "Q", text(body(i))); err != nil {
			fail(err)
			fail(u.Backout(s.ctx))
			return nil
		}
		bodies = append(bodies, body(i))
	}
	if n%3 == 1 {
		fail(u.Backout(s.ctx))
		return nil
	}
	if err := u.Commit(s.ctx); err != nil {
		fail(err)
		return nil
	}
	return bodies
}
