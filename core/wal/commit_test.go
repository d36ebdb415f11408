package wal

import (
	"context"
	"encoding/binary"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mqhk/mqhk/core/wal/crashdisk"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// slowDisk takes a millisecond for each sync.
type slowDisk struct{ disk.FS }

type slowFile struct{ disk.File }

func (d slowDisk) Create(name string) (disk.File, error) {
	f, err := d.FS.Create(name)
	return slowFile{f}, err
}

func (f slowFile) Sync() error {
	time.Sleep(time.Millisecond)
	return f.File.Sync()
}

// One sync serves all who came while the one before it was under way.
func TestGroupCommit(t *testing.T) {
	const committers, each = 64, 50
	synctest.Test(t, func(t *testing.T) {
		d := crashdisk.New()
		w, err := Create(slowDisk{d}, layout(0, 8<<20, 0), testID, 0, Options{})
		must(t, err)
		began := time.Now()
		commitAll(t, w, committers, each)
		took := time.Since(began)
		c := w.Counts()
		if c.Records != committers*each {
			t.Errorf("%d records", c.Records)
		}
		if 20*c.Syncs > c.Records {
			t.Errorf("%d syncs for %d commits, more than one for 20", c.Syncs, c.Records)
		}
		t.Logf("%d commits, %d syncs, %s", c.Records, c.Syncs, took)
		must(t, w.Close())
	})
}

// commitAll commits with many at once and looks that each was told the truth.
func commitAll(tb testing.TB, w *Writer, committers, each int) {
	tb.Helper()
	var group sync.WaitGroup
	for i := range committers {
		group.Go(func() {
			payload := make([]byte, 300)
			binary.LittleEndian.PutUint32(payload, uint32(i))
			for j := range each {
				binary.LittleEndian.PutUint32(payload[4:], uint32(j))
				at, err := w.Commit(context.Background(), payload)
				if err != nil || w.Durable() <= at {
					tb.Errorf("committer %d, record %d: at %s, durable up to %s, %v", i, j, at, w.Durable(), err)
					return
				}
			}
		})
	}
	group.Wait()
}

// Committers, appenders and rotations at once; every record is there, each
// committer's in its order. With -race it is the test of the locks.
func TestConcurrentWriters(t *testing.T) {
	const committers, each = 8, 120
	d := crashdisk.New()
	w, err := Create(d, layout(0, 4096, 4096), testID, 0, Options{Buffer: 2000})
	must(t, err)
	s, _ := w.Current()
	chain := []Segment{s}
	stop := make(chan struct{})
	var others sync.WaitGroup
	others.Go(func() {
		for n := 1; ; n++ {
			select {
			case <-stop:
				return
			default:
			}
			if err := w.Rotate(t.Context(), layout(n, 4096, 4096)); err != nil {
				t.Error(err)
				return
			}
			s, _ := w.Current()
			chain = append(chain, s)
		}
	})
	commitAll(t, w, committers, each)
	close(stop)
	others.Wait()
	must(t, w.Close())
	d.Crash()
	got, _, err := read(d, chain, ReadOptions{})
	must(t, err)
	next := map[uint32]uint32{}
	for _, e := range got {
		who := binary.LittleEndian.Uint32(e.payload)
		if seq := binary.LittleEndian.Uint32(e.payload[4:]); seq != next[who] {
			t.Fatalf("committer %d: record %d, want %d", who, seq, next[who])
		}
		next[who]++
	}
	if len(got) != committers*each {
		t.Errorf("%d records in %d segments, want %d", len(got), len(chain), committers*each)
	}
}

// When the sync fails, all who wait for it are told, and those who came too
// late for it.
func TestAllWaitersLearnOfAFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := crashdisk.New()
		w, err := Create(slowDisk{d}, layout(0, 1<<20, 0), testID, 0, Options{})
		must(t, err)
		d.Fault(failing(crashdisk.Sync, "", 0, fmt.Errorf("broken")))
		errs := make(chan error)
		for range 20 {
			go func() {
				_, err := w.Commit(context.Background(), nil)
				errs <- err
			}()
		}
		for range 20 {
			if err := <-errs; err == nil {
				t.Error("a commit was acknowledged")
			}
		}
	})
}
