package qmgr

import (
	"errors"
	"slices"
	"syscall"
	"testing"

	"github.com/mqhk/mqhk/core/sim/multi/extents"
	"github.com/mqhk/mqhk/core/sim/multi/quota"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// The file system of a linear log is full: AMQ6708, what there is can be
// committed and ended, and with room work goes on (reference, Multiplatforms 4.3
// item 94).
func TestFileSystemOfTheLogFull(t *testing.T) {
	s := &station{tester: t, ctx: t.Context(), clock: newClock(), root: t.TempDir()}
	s.site = siteAt(s.root, s.clock, "")
	system := quota.New(disk.NoSync(disk.At(s.root)), "var/mqm/log", 0)
	s.site.Disk = system
	s.create(Spec{Log: extents.Settings{Kind: extents.Linear, Primary: 10, Secondary: 10, FilePages: 64}})
	t.Cleanup(s.halt)
	s.start()
	s.define("Q", "FILL")
	s.fill(11) // the primary extents are used up
	system.Resize(system.Used() + 600_000)
	u, err := s.m.Begin("APP")
	s.must(err)
	_, err = u.Put(s.ctx, "Q", text("of a unit of work"))
	s.must(err)
	put := 0
	for ; put < 1000; put++ {
		if _, err = s.m.Put(s.ctx, "Q", text(long(9_000))); err != nil {
			break
		}
	}
	s.reason(err, ResourceProblem)
	s.says(err, "AMQ6708")
	s.refuses(err, syscall.ENOSPC)
	if put < 20 || put > 110 {
		t.Errorf("%d messages fitted", put)
	}
	told := s.told(0)
	if !slices.Contains(told, "AMQ6708") || slices.Contains(told, "AMQ7469") {
		t.Error(told)
	}
	s.must(u.Commit(s.ctx))
	if s := s.m.Status(); s.Log.SystemSize == 0 || s.Log.SystemUsed == 0 {
		t.Errorf("%+v", s.Log)
	}
	// It ends, and starts, on the full file system.
	s.end()
	s.start()
	if depth, err := s.m.Depth("Q"); err != nil || depth != put+1 {
		t.Error(depth, err)
	}
	if _, err = s.m.Put(s.ctx, "Q", text(long(200_000))); err == nil {
		_, err = s.m.Put(s.ctx, "Q", text(long(200_000)))
	}
	s.refuses(err, syscall.ENOSPC)
	system.Resize(system.Used() + 50<<20)
	for range 60 {
		s.put("Q", long(9_000))
	}
	s.end()
}

// AMQ5782 tells how full the file systems are, at the start and when that has
// changed.
func TestFileSystemsAreTold(t *testing.T) {
	s := &station{tester: t, ctx: t.Context(), clock: newClock(), root: t.TempDir()}
	s.site = siteAt(s.root, s.clock, "")
	system := quota.New(disk.NoSync(disk.At(s.root)), "var/mqm", 100<<20)
	s.site.Disk = system
	s.create(Spec{Log: small(extents.Linear, extents.Manual)})
	t.Cleanup(s.halt)
	s.start()
	count := func() int {
		n := 0
		for _, id := range s.told(0) {
			if id == "AMQ5782" {
				n++
			}
		}
		return n
	}
	if got := count(); got != 2 { // data and log
		t.Errorf("told %d times", got)
	}
	s.must(s.m.Tick(s.ctx))
	if got := count(); got != 2 {
		t.Errorf("nothing has changed, and it was told %d times", got)
	}
	system.Resize(5 << 20)
	s.must(s.m.Tick(s.ctx))
	if got := count(); got != 4 {
		t.Errorf("told %d times", got)
	}
	if s := s.m.Status(); s.DataSize != 5<<20 || s.DataUsed == 0 {
		t.Errorf("%d of %d", s.DataUsed, s.DataSize)
	}
}

// A queue manager that does not fit is not made.
func TestNoRoomForAQueueManager(t *testing.T) {
	root, c := t.TempDir(), newClock()
	site := siteAt(root, c, "")
	site.Disk = quota.New(site.Disk, "var/mqm", 500_000)
	_, err := Create(t.Context(), site, Spec{Name: "QM1", Log: small(extents.Linear, extents.Manual)})
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	if _, err := Open(site, "QM1", "var/mqm/qmgrs/QM1"); err == nil {
		t.Error("it is there")
	}
}

// A file system with room for everything is not what fills the log, whatever is
// lost at the ends of extents: the oldest unit of work is rolled back.
func TestLogFullOnAFileSystemWithRoom(t *testing.T) {
	for _, kind := range kinds {
		s := &station{tester: t, ctx: t.Context(), clock: newClock(), root: t.TempDir()}
		s.site = siteAt(s.root, s.clock, "")
		s.site.Disk = quota.New(s.site.Disk, "var/mqm", 1<<30)
		s.create(Spec{Log: extents.Settings{Kind: kind, Primary: 3, Secondary: 3, FilePages: 64}})
		t.Cleanup(s.halt)
		s.start()
		s.define("Q", "OLD", "FILL")
		s.fill(1)
		s.must(s.m.Checkpoint(s.ctx))
		u, err := s.m.Begin("APP")
		s.must(err)
		_, err = u.Put(s.ctx, "OLD", text("old"))
		s.must(err)
		for range 200 { // five fit in an extent
			s.put("Q", long(50_000))
		}
		_, err = u.Put(s.ctx, "OLD", text("more"))
		s.reason(err, BackedOut)
		told := s.told(0)
		if slices.Contains(told, "AMQ6708") || !slices.Contains(told, "AMQ7469") {
			t.Error(kind, told)
		}
	}
}
