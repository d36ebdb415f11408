package engine

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/wal/disk"
)

// realEstate is a queue manager on a real disk.
func realEstate(b *testing.B, size int64) (*platform, Options, *Engine) {
	b.Helper()
	return realEstateWith(b, size, func(*Options) {})
}

func realEstateWith(b *testing.B, size int64, with func(*Options)) (*platform, Options, *Engine) {
	b.Helper()
	d := disk.At(b.TempDir())
	must(b, d.MkdirAll("log"))
	own := newPlatform(d, size)
	opts := Options{Disk: d, Folder: "qm"}
	with(&opts)
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

// pairs is how often each figure is taken; the median of them is told.
const pairs = 21

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

// BenchmarkRestart replays 1 GiB of log (64 MiB with -short): units of work of
// 200 puts of 1000 bytes, each got again by the next one. In turn with it the
// same segments are read and not looked at.
func BenchmarkRestart(b *testing.B) {
	total := uint64(1 << 30)
	if testing.Short() {
		total = 64 << 20
	}
	own, opts, e := realEstate(b, 64<<20)
	fill(b, e, total)
	replayed := float64(e.Status().End)
	must(b, e.Crash())
	control, err := disk.ReadAll(opts.Disk, "qm/control")
	must(b, err)
	s := newStore(opts)
	var speeds, ratios []float64
	for b.Loop() {
		for range pairs {
			ours := restart(b, own, opts)
			began := time.Now()
			for _, seg := range own.list {
				_, err := disk.ReadAll(opts.Disk, seg.Name)
				must(b, err)
			}
			theirs := time.Since(began)
			speeds = append(speeds, replayed/ours.Seconds()/1e6)
			ratios = append(ratios, float64(theirs)/float64(ours))
			// The next start begins at the old checkpoint again, which knew
			// no file.
			must(b, s.put(controlName, control))
			must(b, s.remove(s.object(Ref{Queue, "A"})))
		}
	}
	b.ReportMetric(median(speeds), "MB/s")
	b.ReportMetric(median(ratios), "of-read-speed")
}

// restart tells how long a start took that reads the whole log.
func restart(b *testing.B, own *platform, opts Options) time.Duration {
	b.Helper()
	began := time.Now()
	e, done, err := Start(context.Background(), own, opts)
	took := time.Since(began)
	must(b, err)
	if done.From.LSN > 1000 || e.Objects()[0].Depth != 200 {
		b.Fatalf("%+v, %+v", done, e.Objects())
	}
	must(b, e.Crash())
	return took
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

// BenchmarkCommitters64AgainstOne: puts outside units of work in a second, and
// how many one sync served.
func BenchmarkCommitters64AgainstOne(b *testing.B) {
	_, _, e := realEstate(b, 64<<20)
	var ratios, speeds, served []float64
	for b.Loop() {
		for range pairs {
			one := committers(b, e, 1, 100)
			before := e.Status().Log
			many := committers(b, e, 64, 50)
			after := e.Status().Log
			ratios, speeds = append(ratios, many/one), append(speeds, many)
			served = append(served, float64(after.Records-before.Records)/float64(after.Syncs-before.Syncs))
		}
	}
	b.ReportMetric(median(ratios), "times-one")
	b.ReportMetric(median(speeds), "commits/s")
	b.ReportMetric(median(served), "commits/sync")
	must(b, e.Crash())
}

// committers gives the commits in a second.
func committers(b *testing.B, e *Engine, n, each int) float64 {
	b.Helper()
	m := Message{Persistent: true, Body: make([]byte, 300)}
	began := time.Now()
	var group sync.WaitGroup
	for range n {
		group.Go(func() {
			for range each {
				if _, err := e.Put(context.Background(), "A", m); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	group.Wait()
	return float64(n*each) / time.Since(began).Seconds()
}

// BenchmarkResume goes on with a queue manager that has 20000 hardened messages
// of 1000 bytes on a queue, and behind the restart mark, which a unit of work
// pins, a short log and a long one: it must not make a difference.
func BenchmarkResume(b *testing.B) {
	for _, log := range []uint64{16 << 20, 256 << 20} {
		b.Run(fmt.Sprintf("log=%dMiB", log>>20), func(b *testing.B) {
			own, opts, e := realEstate(b, 16<<20)
			deepen(b, e)
			fill(b, e, e.Status().Log.Bytes+log)
			var suspends, resumes []float64
			for b.Loop() {
				for range pairs {
					began := time.Now()
					must(b, e.Suspend(context.Background()))
					suspended := time.Now()
					var err error
					e, err = Resume(context.Background(), own, opts)
					resumes = append(resumes, time.Since(suspended).Seconds()*1e3)
					suspends = append(suspends, suspended.Sub(began).Seconds()*1e3)
					must(b, err)
				}
			}
			b.ReportMetric(median(suspends), "ms/suspend")
			b.ReportMetric(median(resumes), "ms/resume")
			must(b, e.Crash())
		})
	}
}

// deepen makes a deep queue with a file, and pins the restart mark.
func deepen(b *testing.B, e *Engine) {
	b.Helper()
	ctx := context.Background()
	m := Message{Persistent: true, Body: make([]byte, 1000)}
	must(b, e.Define(ctx, Ref{Queue, "DEEP"}, nil))
	pin, err := e.Begin()
	must(b, err)
	_, err = pin.Put(ctx, "DEEP", m)
	must(b, err)
	u, err := e.Begin()
	must(b, err)
	for range 20000 {
		_, err := u.Put(ctx, "DEEP", m)
		must(b, err)
	}
	must(b, u.Commit(ctx))
	_, err = e.Checkpoint(ctx)
	must(b, err)
}
