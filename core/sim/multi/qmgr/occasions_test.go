package qmgr

import (
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
	"github.com/mqhk/mqhk/core/wal"
)

// The occasions of checkpoints (reference, Multiplatforms 4.1 item 76).
func TestCheckpointsOnTheirOccasions(t *testing.T) {
	s := inMemory(t, Spec{Log: extents.Settings{Kind: extents.Linear, Primary: 20, Secondary: 10, FilePages: 1024}})
	s.start()
	s.define("Q")
	checkpoints := func() int64 { return s.m.Status().Checkpoints }
	was := checkpoints()
	taken := func(want int64, what string) {
		t.Helper()
		if got := checkpoints() - was; got != want {
			t.Errorf("%s: %d checkpoints, wanted %d", what, got, want)
		}
		was = checkpoints()
	}

	for range 99 {
		s.put("Q", "x")
	}
	s.clock.advance(31 * time.Minute)
	s.must(s.m.Tick(s.ctx))
	taken(0, "99 messages in half an hour")
	s.put("Q", "x")
	taken(1, "100 messages in half an hour")
	for range 100 {
		s.put("Q", "x")
	}
	s.must(s.m.Tick(s.ctx))
	taken(0, "100 messages at once")
	s.clock.advance(-40 * time.Minute) // a clock that is put back keeps nobody from it
	s.must(s.m.Tick(s.ctx))
	taken(1, "the clock went back")

	for range 9_999 {
		_, err := s.m.Put(s.ctx, "Q", engine.Message{Body: []byte("not persistent")})
		s.must(err)
	}
	taken(0, "messages that are not persistent")
	s.define("R")
	for range 5_000 {
		s.put("R", "x")
		_, err := s.m.Get(s.ctx, "R")
		s.must(err)
	}
	taken(1, "10,000 operations")
	_, err := s.m.Image(s.ctx, Selection{"queue", "Q"})
	s.must(err)
	taken(1, "rcdmqimg")
}

// The figures of the seed's table for each operation, as the log shows them:
// the position moves by what the operation costs (SEED 7.1.4; reference,
// Multiplatforms 4.4).
func TestOperationsCostWhatTheTableSays(t *testing.T) {
	for release, segment := range map[string]int{"7.5.0.0": 15_700, "9.4.0.0": 261_844} {
		s := &station{tester: t, ctx: t.Context(), clock: newClock(), root: t.TempDir()}
		s.site = siteAt(s.root, s.clock, release)
		s.create(Spec{Log: extents.Settings{Kind: extents.Linear, Primary: 3, Secondary: 2, FilePages: 1024}})
		t.Cleanup(s.halt)
		s.start()
		s.define("Q")
		end := func() wal.LSN {
			status, err := s.m.EngineStatus()
			s.must(err)
			return status.End
		}
		costs := func(what string, want int, do func()) {
			t.Helper()
			before := end()
			do()
			if got := int(end() - before); got < want || got >= want+5*wal.Align {
				t.Errorf("%s: %s takes %d bytes, wanted %d", release, what, got, want)
			}
		}
		costs("put", 750+1000, func() { s.put("Q", long(1000)) })
		segments := 0 // of a message that is not cut
		if 100_000 > segment {
			segments = (100_000 + segment - 1) / segment
		}
		costs("put in segments", 750+100_000+300*segments, func() { s.put("Q", long(100_000)) })
		costs("get", 260, func() { _, err := s.m.Get(s.ctx, "Q"); s.must(err) })
		costs("create", 1500, func() { s.define("NEW") })
		costs("alter", 1024, func() { s.must(s.m.AlterObject(s.ctx, queueRef("NEW"), map[string]string{"DESCR": "d"})) })
		costs("delete", 300, func() { s.must(s.m.DeleteObject(s.ctx, queueRef("NEW"), false)) })
		unit := func(end func(*Unit) error) func() {
			return func() {
				u, err := s.m.Begin("APP")
				s.must(err)
				for range 3 {
					_, err = u.Put(s.ctx, "Q", text("x"))
					s.must(err)
				}
				s.must(end(u))
			}
		}
		// The beginning of the unit of work is among what its end costs.
		costs("backout", 3*751+1000+3*12, unit(func(u *Unit) error { return u.Backout(s.ctx) }))
		costs("commit", 3*751+750, unit(func(u *Unit) error { return u.Commit(s.ctx) }))
	}
}
