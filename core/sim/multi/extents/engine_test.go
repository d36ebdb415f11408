package extents_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
	"github.com/mqhk/mqhk/core/wal"
	"github.com/mqhk/mqhk/core/wal/crashdisk"
)

// owner is a queue manager's half of an engine.Owner over a log.
type owner struct {
	*extents.Log
	failed error
}

func (*owner) Now() time.Time                        { return time.Date(2026, 1, 5, 6, 0, 0, 0, time.UTC) }
func (o *owner) Begun(s wal.Segment, _ uint64) error { return o.Log.Begun(s) }
func (*owner) Imaged(engine.Ref, engine.Marks)       {}
func (o *owner) Checkpointed(m engine.Marks) {
	_, err := o.Passed(m.Restart.LSN, m.Media.LSN)
	o.failed = errors.Join(o.failed, err)
}

const folder = "var/mqm/log/QM1"

var queue = engine.Ref{Kind: engine.Queue, Name: "Q"}

// manager is a queue manager with one queue, and what has to be on it.
type manager struct {
	disk  *crashdisk.Disk
	set   extents.Settings
	owner *owner
	e     *engine.Engine
	want  map[string]bool // bodies
	next  int
}

func (m *manager) options() engine.Options {
	return engine.Options{Disk: m.disk, Folder: "var/mqm/qmgrs/QM1"}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func create(t *testing.T, set extents.Settings) *manager {
	t.Helper()
	m := &manager{disk: crashdisk.New(), set: set, want: map[string]bool{}}
	l, err := extents.Create(m.disk, folder, set)
	must(t, err)
	m.owner = &owner{Log: l}
	m.e, err = engine.Create(t.Context(), m.owner, m.options(), l.ID())
	must(t, err)
	must(t, m.e.Define(t.Context(), queue, nil))
	return m
}

// start starts it after a crash and compares the queue.
func (m *manager) start(t *testing.T) {
	t.Helper()
	l, err := extents.Open(m.disk, folder, m.set)
	must(t, err)
	m.owner = &owner{Log: l}
	m.e, _, err = engine.Start(t.Context(), m.owner, m.options())
	must(t, err)
	m.compare(t)
}

func (m *manager) compare(t *testing.T) {
	t.Helper()
	got := map[string]bool{}
	must(t, m.e.Browse("Q", func(msg engine.Message) bool { got[string(msg.Body)] = true; return true }))
	if !maps.Equal(got, m.want) {
		t.Fatalf("%d messages are there, %d should be", len(got), len(m.want))
	}
}

// settle takes a checkpoint where the log is nearly full.
func (m *manager) settle(t *testing.T) {
	t.Helper()
	restart, _ := m.owner.Marks()
	if m.owner.Room(restart, m.e.Status().End) < 40<<10 {
		_, err := m.e.Checkpoint(t.Context())
		must(t, err)
	}
}

// work is one unit of work: some puts and gets, and an end.
func (m *manager) work(ctx context.Context, r *rand.Rand) error {
	u, err := m.e.Begin()
	if err != nil {
		return err
	}
	after := maps.Clone(m.want)
	for range 1 + r.IntN(4) {
		if len(after) > 0 && r.IntN(2) == 0 {
			msg, err := u.Get(ctx, "Q")
			if errors.Is(err, engine.ErrNoMessage) {
				continue
			}
			if err != nil {
				return err
			}
			delete(after, string(msg.Body))
			continue
		}
		m.next++
		body := fmt.Sprintf("%06d%*s", m.next, r.IntN(3000), "")
		if _, err := u.Put(ctx, "Q", engine.Message{Persistent: true, Body: []byte(body)}); err != nil {
			return err
		}
		after[body] = true
	}
	if r.IntN(4) == 0 {
		return u.Backout(ctx)
	}
	if err := u.Commit(ctx); err != nil {
		return err
	}
	m.want = after
	return nil
}

// A queue manager on such a log loses no message, through crashes, images and
// rebuilds, whatever the log reuses, deletes or goes over again meanwhile.
func TestQueueManagerOnExtents(t *testing.T) {
	for _, set := range []extents.Settings{
		small(extents.Circular, ""), small(extents.Linear, extents.Manual),
		small(extents.Linear, extents.Automatic), small(extents.Linear, extents.Archive),
	} {
		if set.Management == extents.Automatic {
			set.First = 9_999_990
		}
		t.Run(fmt.Sprint(set.Kind, set.Management), func(t *testing.T) {
			r := rand.New(rand.NewPCG(7, 7))
			m := create(t, set)
			for step := range 600 {
				m.settle(t)
				must(t, m.work(t.Context(), r))
				m.housekeep(t, r, step)
			}
			must(t, m.e.End(t.Context()))
			m.start(t)
			must(t, m.owner.failed)
			if _, media := m.owner.Marks(); set.Kind == extents.Linear && media == wal.First {
				t.Error("no image has moved the media mark")
			}
		})
	}
}

// housekeep does what comes up now and then.
func (m *manager) housekeep(t *testing.T, r *rand.Rand, step int) {
	t.Helper()
	switch {
	case step%101 == 100:
		must(t, m.e.Crash())
		m.disk.CrashScattered(r)
		m.start(t)
	case m.set.Kind == extents.Linear && step%60 == 30:
		must(t, m.e.Image(t.Context(), queue))
		_, err := m.e.Checkpoint(t.Context())
		must(t, err)
	case m.set.Kind == extents.Linear && step%97 == 96:
		must(t, m.e.Damage(t.Context(), queue))
		if _, err := m.e.Rebuild(t.Context(), queue); err != nil {
			t.Fatalf("step %d: %v", step, err)
		}
		m.compare(t)
	case m.set.Management == extents.Archive && step%20 == 0:
		names := m.owner.Segments()
		if len(names) > 2 {
			name := names[r.IntN(len(names)-1)].Name
			if err := m.owner.ArchivedUpTo(name[len(name)-12:]); !errors.Is(err, extents.ErrCurrent) {
				must(t, err)
			}
		}
	case m.set.Management == extents.Manual && step%50 == 49:
		m.prune(t)
	}
}

// prune removes by hand what neither mark needs, as an administrator does.
func (m *manager) prune(t *testing.T) {
	t.Helper()
	s := m.owner.Status(m.e.Status().End)
	for _, segment := range m.owner.Segments() {
		name := segment.Name[len(segment.Name)-12:]
		if slices.Contains([]string{s.Restart, s.Media, s.Current}, name) {
			return
		}
		if err := m.disk.Remove(segment.Name); !errors.Is(err, fs.ErrNotExist) { // until the next checkpoint the log lists it
			must(t, err)
		}
	}
}
