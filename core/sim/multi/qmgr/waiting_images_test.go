package qmgr

import (
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
	"github.com/mqhk/mqhk/core/sim/multi/quota"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// An automatic image is a target (reference, Multiplatforms 1.3 item 14): where
// the log has no room for it, it waits, time goes on, the error log tells that the
// log is full, and nobody's unit of work is rolled back for it.
func TestAutomaticImageWaitsForRoom(t *testing.T) {
	s := inMemory(t, Spec{Log: small(extents.Linear, extents.Manual)})
	s.start()
	s.must(s.m.AlterManager(s.ctx, map[string]string{"IMGSCHED": "AUTO", "IMGINTVL": "60"}))
	s.define("BIG", "Q")
	for range 30 { // more than the log of five extents takes at once
		s.put("BIG", long(60_000))
	}
	u, err := s.m.Begin("APP")
	s.must(err)
	_, err = u.Put(s.ctx, "Q", text("of a unit of work"))
	s.must(err)
	n := len(s.told(0))
	for range 3 {
		s.clock.advance(time.Hour)
		s.must(s.m.Tick(s.ctx))
	}
	told := s.told(n)
	if !slices.Contains(told, "AMQ7463") || slices.Contains(told, "AMQ7469") {
		t.Error(told)
	}
	s.must(u.Commit(s.ctx))
	s.holds("Q", "of a unit of work")
	s.put("Q", "and the next")
	s.end()
}

// rcdmqimg of queues that are larger than the log together records them one by
// one, with a checkpoint between. A single one that is larger is refused, and the
// error log says why.
func TestImagesLargerThanTheLog(t *testing.T) {
	s := inMemory(t, Spec{Log: small(extents.Linear, extents.Manual)})
	s.start()
	queues := []string{"Q1", "Q2", "Q3", "Q4"}
	s.define(queues...)
	for range 9 { // 540 kB each; the log takes 1.3 MB at once
		for _, q := range queues {
			s.put(q, long(60_000))
		}
	}
	all, err := s.m.Image(s.ctx, Selection{Type: "queue", Name: "Q*"})
	s.must(err)
	if len(all) != 4 || slices.ContainsFunc(all, func(i Imaged) bool { return i.Outcome != Recorded }) {
		t.Errorf("%+v", all)
	}
	n := len(s.told(0))
	for range 20 {
		s.put("Q1", long(60_000))
	}
	_, err = s.m.Image(s.ctx, Selection{Type: "queue", Name: "Q1"})
	s.refuses(err, extents.ErrFull)
	if told := strings.Join(s.told(n), " "); !strings.Contains(told, "AMQ7463 AMQ7466") {
		t.Error(told)
	}
}

// A message of three quarters of the log is taken: its pieces fill the extents.
func TestLongMessageInManySmallExtents(t *testing.T) {
	s := inMemory(t, Spec{Log: extents.Settings{Kind: extents.Linear, Primary: 40, Secondary: 10, FilePages: 64}})
	s.start()
	s.must(s.m.DefineObject(s.ctx, engine.Ref{Kind: engine.Queue, Name: "Q"}, map[string]string{"MAXMSGL": "104857600"}))
	s.must(s.m.AlterManager(s.ctx, map[string]string{"MAXMSGL": "104857600"}))
	s.put("Q", long(10_485_760))
	s.must(s.m.Crash())
	s.reopen()
	s.start()
	if got := s.bodies("Q"); len(got) != 1 || len(got[0]) != 10_485_760 {
		t.Errorf("%d messages", len(got))
	}
}

// A file system without any room fails no tick for what can't be told, and the
// queue manager goes on when there is room.
func TestNoRoomForTheErrorLog(t *testing.T) {
	s := &station{tester: t, ctx: t.Context(), clock: newClock(), root: t.TempDir()}
	s.site = siteAt(s.root, s.clock, "")
	system := quota.New(disk.NoSync(disk.At(s.root)), "var/mqm", 0)
	s.site.Disk = system
	s.create(Spec{Log: small(extents.Linear, extents.Manual)})
	t.Cleanup(s.halt)
	s.start()
	s.define("Q")
	for range 6 {
		s.put("Q", long(60_000))
	}
	system.Resize(system.Used())
	for range 3 {
		s.clock.advance(time.Hour)
		s.must(s.m.Tick(s.ctx))
	}
	var err error
	for range 40 {
		if _, err = s.m.Put(s.ctx, "Q", text(long(60_000))); err != nil {
			break
		}
	}
	s.reason(err, ResourceProblem)
	s.refuses(err, syscall.ENOSPC)
	system.Resize(system.Used() + 50<<20)
	s.put("Q", "there is room")
	s.end()
}

// On a file system without any room a queue manager ends, and says so; with room
// it starts with all messages.
func TestEndOnAFullFileSystem(t *testing.T) {
	s := &station{tester: t, ctx: t.Context(), clock: newClock(), root: t.TempDir()}
	s.site = siteAt(s.root, s.clock, "")
	system := quota.New(disk.NoSync(disk.At(s.root)), "var/mqm", 0)
	s.site.Disk = system
	s.create(Spec{Log: small(extents.Linear, extents.Manual)})
	t.Cleanup(s.halt)
	s.start()
	s.define("Q")
	s.put("Q", long(60_000))
	system.Resize(system.Used())
	s.clock.advance(time.Hour)
	s.must(s.m.Tick(s.ctx))
	s.end()
	s.reopen()
	if state := s.m.State(); state != EndedImmediately {
		t.Error(state)
	}
	_, err := s.m.Start(s.ctx)
	s.says(err, "AMQ6708")
	system.Resize(system.Used() + 50<<20)
	s.start()
	s.holds("Q", long(60_000))
}
