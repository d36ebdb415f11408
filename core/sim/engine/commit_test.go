package engine

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/mqhk/mqhk/core/wal/crashdisk"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// Commits that wait for the disk at the same time share one force.
func TestCommitsShareAForce(t *testing.T) {
	const committers = 20
	s := newEstate(t, 64<<10)
	s.define("A")
	s.crash()
	synctest.Test(t, func(t *testing.T) {
		// The first sync is held up until all others wait for the next.
		held, arrived := make(chan struct{}), make(chan struct{}, 1)
		slow := &heldDisk{Disk: s.disk}
		s.opts.Disk = slow
		_, err := s.start()
		s.must(err)
		slow.arrived = arrived
		slow.hold.Store(&held)
		before := s.e.Status().Log.Syncs
		var group sync.WaitGroup
		for i := range committers {
			u := s.unit()
			s.unitPut(u, "A", fmt.Sprint(i))
			group.Go(func() {
				if err := u.Commit(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		<-arrived
		synctest.Wait()
		close(held)
		group.Wait()
		if syncs := s.e.Status().Log.Syncs - before; syncs > 2 {
			t.Errorf("%d syncs for %d commits", syncs, committers)
		}
		s.crash()
	})
	_, err := s.start()
	s.must(err)
	if n := len(s.bodies("A")); n != committers {
		t.Errorf("%d messages of %d", n, committers)
	}
}

// Goroutines that work on the same queues at once lose and double nothing.
func TestManyAtOnce(t *testing.T) {
	const workers, each = 8, 40
	s := newEstate(t, 32<<10)
	s.define("IN", "OUT")
	for i := range workers * each {
		s.put("IN", fmt.Sprint(i))
	}
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for i := range each {
				u, err := s.e.Begin()
				if err != nil {
					t.Error(err)
					return
				}
				if err := move(t, u, i%4 == 3); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for range 5 {
		_, err := s.e.Checkpoint(t.Context())
		s.must(err)
		s.must(s.e.Image(t.Context(), Ref{Queue, "OUT"}))
	}
	group.Wait()
	s.restart()
	in, out := s.bodies("IN"), s.bodies("OUT")
	seen := map[string]bool{}
	for _, body := range append(in, out...) {
		seen[body] = true
	}
	if len(seen) != workers*each || len(in)+len(out) != workers*each || len(out) != workers*each*3/4 {
		t.Errorf("%d on IN, %d on OUT, %d different", len(in), len(out), len(seen))
	}
}

func move(t *testing.T, u *Unit, backOut bool) error {
	t.Helper()
	m, err := u.Get(t.Context(), "IN")
	if err == nil {
		_, err = u.Put(t.Context(), "OUT", m)
	}
	if err != nil {
		return err
	}
	if backOut {
		return u.Backout(t.Context())
	}
	return u.Commit(t.Context())
}

// heldDisk lets a test hold up syncs of files.
type heldDisk struct {
	*crashdisk.Disk

	hold    atomic.Pointer[chan struct{}] // the next sync waits for it; nil: none
	arrived chan struct{}
}

func (d *heldDisk) OpenWrite(name string) (disk.File, error) {
	f, err := d.Disk.OpenWrite(name)
	return heldFile{f, d}, err
}

type heldFile struct {
	disk.File

	held *heldDisk
}

func (f heldFile) Sync() error {
	if hold := f.held.hold.Swap(nil); hold != nil {
		f.held.arrived <- struct{}{}
		<-*hold
	}
	return f.File.Sync()
}
