package extents

import (
	"errors"
	"testing"

	"github.com/mqhk/mqhk/core/sim/multi/quota"
	"github.com/mqhk/mqhk/core/wal"
	"github.com/mqhk/mqhk/core/wal/crashdisk"
)

// An extent of 256 pages is one MB, so the sizes can be counted by hand.
func TestStatusOfALinearLog(t *testing.T) {
	set := line(Automatic, 4, 4)
	set.FilePages = 256
	r := build(t, set)
	for range 5 {
		must(t, r.put(1<<19)) // half an extent
		must(t, r.rotate())
	}
	must(t, r.put(100))
	_, err := r.pass(2, 3) // the restart needs the two extents before the current
	must(t, err)
	s := r.log.Status(r.w.End())
	if s.Current != "S0000005.LOG" || s.Restart != "S0000003.LOG" || s.Media != "S0000002.LOG" {
		t.Errorf("CURRLOG %s, RECLOG %s, MEDIALOG %s", s.Current, s.Restart, s.Media)
	}
	if s.RestartSize != 3 || s.MediaSize != 4 || s.ReuseSize != 2 || s.ArchiveSize != 0 || s.Archived != "" {
		t.Errorf("RECSZ %d, MEDIASZ %d, REUSESZ %d, ARCHSZ %d, ARCHLOG %q", s.RestartSize, s.MediaSize, s.ReuseSize, s.ArchiveSize, s.Archived)
	}
	// Two halves of an extent and some bytes, of four.
	if s.InUse != 25 || s.Utilised != 150 {
		t.Errorf("LOGINUSE %d, LOGUTIL %d", s.InUse, s.Utilised)
	}
	if s.Path != dir+"/active" || s.Primary != 4 || s.Secondary != 4 || s.FilePages != 256 {
		t.Errorf("%+v", s)
	}
}

// More than the primary files in use is more than a hundred percent, and the
// names of a circular log are blank.
func TestStatusOfARing(t *testing.T) {
	r := build(t, ring(2, 4))
	r.fill(t, 3)
	s := r.log.Status(r.w.End())
	if s.Current != "" || s.Restart != "" || s.Media != "" || s.MediaSize != 0 {
		t.Errorf("%+v", s)
	}
	// 1500 and three times 3000 bytes, of two times 4096, and the records' heads.
	if s.InUse != 129 {
		t.Errorf("LOGINUSE %d", s.InUse)
	}
}

// What Room says fits, and one extent more does not.
func TestRoom(t *testing.T) {
	extent := int64(3 * 4096)
	for name, c := range map[string]struct {
		set  Settings
		size int64 // of the file system, beside the control file; 0: without a limit
		want int64 // whole extents beside the current one
	}{
		"circular":                     {ring(3, 2), 0, 4},
		"linear":                       {line(Manual, 3, 2), 0, 4},
		"circular, no room for more":   {ring(3, 2), 3 * extent, 2},
		"circular, room for one":       {ring(3, 2), 4*extent + 50, 3},
		"linear, prepared ahead":       {line(Manual, 3, 2), 3 * extent, 2},
		"linear, with some for reuse":  {line(Archive, 3, 2), 3 * extent, 2},
		"linear, room on disk for all": {line(Automatic, 3, 2), 9 * extent, 4},
	} {
		t.Run(name, func(t *testing.T) {
			size := c.size
			if size != 0 {
				size += 2 * leastSlot
			}
			r, err := newRig(quota.New(crashdisk.New(), dir, size), c.set)
			must(t, err)
			rest := 4096 - int64(r.w.End()-wal.First)
			if got := r.log.Room(r.restart, r.w.End()); got != c.want*4096+rest {
				t.Errorf("room for %d bytes, want %d and the %d of the current extent", got, c.want*4096, rest)
			}
			for range c.want {
				must(t, r.rotate())
			}
			if got := r.log.Room(r.restart, r.w.End()); got != 4096 {
				t.Errorf("room for %d bytes in the last extent", got)
			}
			if err := r.rotate(); err == nil || errors.Is(err, crashdisk.ErrPower) {
				t.Error("the log went on")
			}
		})
	}
}
