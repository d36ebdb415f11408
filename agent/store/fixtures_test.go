package store

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/core/wal/crashdisk"
	"github.com/mqhk/mqhk/core/wal/disk"
)

var made = time.Date(2026, 5, 28, 2, 0, 0, 0, time.UTC)

func clock() time.Time { return made }

// receiver is a detached receiver of ORDERS.
func receiver(name string) recovery.Segment {
	return recovery.Segment{ID: recovery.SegmentID{QueueManager: "ORDERS", Library: "QMORDERS", Name: name}, State: recovery.Online}
}

// extent is a complete log extent of ORDERS.
func extent(name string) recovery.Segment {
	return recovery.Segment{ID: recovery.SegmentID{QueueManager: "ORDERS", Name: name}, State: recovery.Online}
}

func facts() Facts {
	return Facts{
		Opened: "2026-05-27-12.20.00.000000", Closed: "2026-05-27-13.59.00.000000", First: "9120044", Last: "9531915", Run: "run-1",
		Marks: []Mark{{"restart", "AMQA000010", "2026-05-27 17.20.11", "AMQ7460"}, {"media", "AMQA000007", "2026-05-27 12.40.00", "AMQ7462"}},
	}
}

// someBytes gives bytes that compress, though not to nothing.
func someBytes(seed uint64, n int) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.IntN(16))
	}
	return b
}

// newStore gives a store in a folder that is not there yet.
func newStore(t *testing.T, change ...func(*Settings)) *Directory {
	t.Helper()
	settings := Settings{Name: "vault", Path: filepath.Join(t.TempDir(), "vault"), SameFilesystem: true, Now: clock}
	for _, c := range change {
		c(&settings)
	}
	d, err := NewDirectory(settings)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func compressing(s *Settings) { s.Compress = true }

// framed makes the frames of a store small, so that a short content has many.
func framed(d *Directory, size int64) {
	k, _ := d.kept.(keptFiles)
	k.frame = size
	d.kept = k
}

func put(t *testing.T, s Store, segment recovery.Segment, facts Facts, content []byte) recovery.Copy {
	t.Helper()
	c, err := s.Put(t.Context(), segment, facts, bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// restored gives what a copy holds.
func restored(s Store, c recovery.Copy) ([]byte, error) {
	content, err := s.Open(context.Background(), c)
	if err != nil {
		return nil, err
	}
	b, err := io.ReadAll(content)
	return b, errors.Join(err, content.Close())
}

// listed gives all copies and all errors of a store.
func listed(s Store, queueManager string) (copies []recovery.Copy, problems []error) {
	for c, err := range s.List(context.Background(), queueManager) {
		if err != nil {
			problems = append(problems, err)
		} else {
			copies = append(copies, c)
		}
	}
	return copies, problems
}

// one gives the only copy that is listed.
func one(t *testing.T, s Store) recovery.Copy {
	t.Helper()
	copies, problems := listed(s, "ORDERS")
	if len(copies) != 1 || len(problems) != 0 {
		t.Fatalf("listed %+v, %v", copies, problems)
	}
	return copies[0]
}

func is(t *testing.T, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("got %v, want %v", err, want)
	}
}

// filesOf gives the paths of a store's files, the lock left out.
func filesOf(t *testing.T, d *Directory, pattern string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(d.path, "*.qm", pattern))
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

func edit(t *testing.T, path string, change func([]byte) []byte) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, change(b), 0o600); err != nil {
		t.Fatal(err)
	}
}

// onDisk gives a store on a disk in memory. Its locks end with the process
// that the disk is mounted by, as those of a system do.
func onDisk(files disk.FS, compress bool) *Directory {
	var mu sync.Mutex
	lock := func(context.Context, string) (func() error, error) {
		mu.Lock()
		return func() error { mu.Unlock(); return nil }, nil
	}
	d := newDirectory(Settings{Name: "vault", Path: "unused", SameFilesystem: true, Compress: compress, Now: clock, FullSpeed: true}, files, lock)
	if compress {
		framed(d, 1<<10)
	}
	return d
}

var _ disk.FS = (*crashdisk.Disk)(nil)
