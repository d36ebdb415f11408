package engine

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/wal/disk"
)

// realEstate is a queue manager on a real disk.
func realEstate(b *testing.B, size int64) (*platform, Options, *Engine) {
	b.Helper()
	d := disk.At(b.TempDir())
	must(b, d.MkdirAll("log"))
	own := newPlatform(d, size)
	opts := Options{Disk: d, Folder: "qm"}
	e, err := Create(context.Background(), own, opts, testID)
	must(b, err)
	must(b, e.Define(context.Background(), Ref{Queue, "A"}, nil))
	return own, opts, e
}

func must(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// BenchmarkRestart replays 1 GiB of log (64 MiB with -short): units of work of
// 200 puts of 1000 bytes, each got again by the next one.
func BenchmarkRestart(b *testing.B) {
	total := uint64(1 << 30)
	if testing.Short() {
		total = 64 << 20
	}
	own, opts, e := realEstate(b, 64<<20)
	fill(b, e, total)
	replayed := int64(e.Status().End)
	must(b, e.Crash())
	control, err := readFile(opts.Disk, "qm/control")
	must(b, err)
	s := store{disk: opts.Disk, folder: "qm"}
	b.SetBytes(replayed)
	for b.Loop() {
		e, done, err := Start(context.Background(), own, opts)
		must(b, err)
		b.StopTimer()
		if done.From.LSN > 1000 || e.Objects()[0].Depth != 200 {
			b.Fatalf("%+v, %+v", done, e.Objects())
		}
		// The next start begins at the old checkpoint again, which knew no
		// file.
		must(b, e.Crash())
		must(b, s.put(controlName, control))
		must(b, s.remove(Ref{Queue, "A"}.fileName()))
		b.StartTimer()
	}
}

func fill(b *testing.B, e *Engine, total uint64) {
	b.Helper()
	ctx := context.Background()
	m := Message{Persistent: true, Body: make([]byte, 1000)}
	for i := 0; e.Status().Log.Bytes < total; i++ {
		u, err := e.Begin()
		must(b, err)
		for range 200 {
			if i > 0 {
				_, err = u.Get(ctx, "A")
				must(b, err)
			}
			_, err = u.Put(ctx, "A", m)
			must(b, err)
		}
		must(b, u.Commit(ctx))
	}
}

// BenchmarkCommits64 counts the units of work of one put that 64 goroutines
// commit in a second, and how many one sync served.
func BenchmarkCommits64(b *testing.B) { benchmarkCommits(b, 64) }

// BenchmarkCommits1 is one goroutine alone.
func BenchmarkCommits1(b *testing.B) { benchmarkCommits(b, 1) }

func benchmarkCommits(b *testing.B, committers int) {
	b.Helper()
	const each = 100
	_, _, e := realEstate(b, 64<<20)
	ctx := context.Background()
	m := Message{Persistent: true, Body: make([]byte, 300)}
	syncs := e.Status().Log.Syncs
	count := 0
	began := time.Now()
	for b.Loop() {
		var group sync.WaitGroup
		for range committers {
			group.Go(func() {
				for range each {
					if _, err := e.Put(ctx, "A", m); err != nil {
						b.Error(err)
						return
					}
				}
			})
		}
		group.Wait()
		count += committers * each
	}
	b.ReportMetric(float64(count)/time.Since(began).Seconds(), "commits/s")
	b.ReportMetric(float64(count)/float64(e.Status().Log.Syncs-syncs), "commits/sync")
	must(b, e.Crash())
}
