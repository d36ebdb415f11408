package run

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mqhk/mqhk/core/sim"
	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
	"github.com/mqhk/mqhk/core/sim/ibmi/qmgr"
	"github.com/mqhk/mqhk/core/wal"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// link is a receiver that the journal has or had.
type link struct {
	name   string
	attach time.Time // in the system's zone, to the second
	start  wal.LSN
}

// truth is what the queue manager itself knows, from the inside, at one
// moment: positions, not names or times. Nothing of it passes through what
// the host observes.
type truth struct {
	restart wal.LSN // a start reads from here
	media   wal.LSN // a rebuild of any object
	queues  wal.LSN // of any queue
	manager wal.LSN // of the queue manager object
	// What was shown outside last: it may be older than the truth. published:
	// it is the truth still, so that the host can know it.
	shown     qmgr.Points
	published bool
}

// truthOf looks into an estate that is open, whose queue manager runs.
func truthOf(e *sim.Estate) truth {
	m := e.Manager("ORDERS")
	marks := m.Engine().Status().Marks
	t := truth{restart: marks.Restart.LSN, media: marks.Media.LSN, queues: marks.Checkpoint.LSN, manager: marks.Checkpoint.LSN}
	for _, o := range m.Engine().Objects() {
		if o.Ref.Kind == engine.Queue {
			t.queues = min(t.queues, o.Media.LSN)
		} else {
			t.manager = min(t.manager, o.Media.LSN)
		}
	}
	t.shown = m.Points()
	same := func(p qmgr.Point, mark engine.Mark) bool { return p.Time.Equal(mark.Time.Truncate(time.Millisecond)) }
	t.published = same(t.shown.Startup, marks.Restart) && same(t.shown.Media, marks.Media)
	return t
}

// chain is every receiver that the journal ever had, oldest first, and those
// of them that are on the system and can be read.
type chain struct {
	all      []link
	readable map[wal.LSN]bool
}

// look reads the receivers from the disk of the simulated system. Nobody has
// the estate open to change it meanwhile.
func (c *chain) look(ctx context.Context, dir string) error {
	e, err := sim.Look(ctx, dir)
	if err != nil {
		return err
	}
	system, journal, zone := e.Status().Managers[0].System, e.Manager("ORDERS").Journal(), e.Now().Location()
	if err := e.Close(ctx); err != nil {
		return err
	}
	opened, err := os400.Open(os400.Options{Disk: disk.ReadOnly(disk.At(filepath.Join(dir, "systems", system))), Now: time.Now})
	if err != nil {
		return err
	}
	c.readable = map[wal.LSN]bool{}
	for _, r := range opened.Receivers(journal) {
		if r.Start == 0 {
			continue // nothing was written to it yet
		}
		whole := r.Status == os400.Attached || r.Status == os400.Online || r.Status == os400.Saved
		c.readable[r.Start] = whole && r.Associated && !r.Damaged
		if !slices.ContainsFunc(c.all, func(l link) bool { return l.start == r.Start }) {
			c.all = append(c.all, link{r.Name, r.Attach.In(zone), r.Start})
		}
	}
	slices.SortFunc(c.all, func(a, b link) int { return cmp.Compare(a.start, b.start) })
	return nil
}

// from gives the receivers that a recovery reads which begins at a position.
func (c *chain) from(at wal.LSN) []link {
	i := len(c.all) - 1
	for i > 0 && c.all[i].start > at {
		i--
	}
	return c.all[max(i, 0):]
}

// missing gives those of them that are not on the system, or not whole.
func (c *chain) missing(at wal.LSN) []link {
	var list []link
	for _, l := range c.from(at) {
		if !c.readable[l.start] {
			list = append(list, l)
		}
	}
	return list
}

// behind tells whether a point lies so far back that a warning is right: the
// thresholds are those of the journal plugin.
func (c *chain) behind(p qmgr.Point, now time.Time) bool {
	later := 0
	for _, l := range c.all {
		if !l.attach.Before(p.Time.Truncate(time.Second)) {
			later++
		}
	}
	return later >= 20 || now.Sub(p.Time) >= 7*24*time.Hour
}

// names are for people.
func names(list []link) string {
	var words []string
	for _, l := range list {
		words = append(words, l.name)
	}
	return strings.Join(words, " ")
}

// lost gives those of some receivers that the store has no whole copy of. A copy
// is read and compared once: the simulated store does not rot by itself.
func (n *nights) lost(list []link) []link {
	lost := slices.DeleteFunc(slices.Clone(list), func(l link) bool { return n.verified[l.start] })
	if len(lost) == 0 {
		return nil
	}
	for c, err := range n.keeper.List(n.t.Context(), "ORDERS") {
		n.must(err)
		at := slices.IndexFunc(lost, func(l link) bool {
			return c.Verified && c.Segment.Name == l.name && strings.HasPrefix(c.Opened, l.attach.Format(time.DateTime))
		})
		if at < 0 {
			continue
		}
		n.must(n.keeper.Verify(n.t.Context(), c))
		n.verified[lost[at].start] = true
		lost = slices.Delete(lost, at, at+1)
	}
	return lost
}
