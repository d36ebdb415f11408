package engine

import (
	"context"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/wal"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// BenchmarkRestartMulti replays 1 GiB of log (64 MiB with -short) as a queue
// manager on Multiplatforms writes it: detail, the costs of the seed's table,
// and 200 messages of 1000 bytes in a unit of work.
func BenchmarkRestartMulti(b *testing.B) {
	total := uint64(1 << 30)
	if testing.Short() {
		total = 64 << 20
	}
	own, opts, e := realEstateWith(b, 16<<20, func(o *Options) {
		o.Costs, o.Part, o.ImagePart, o.Detail = &seedCosts, 15_700, 260_000, true
	})
	fill(b, e, total)
	replayed := float64(e.Status().End)
	must(b, e.Crash())
	s := newStore(opts)
	control, err := disk.ReadAll(opts.Disk, "qm/control")
	must(b, err)
	var speeds []float64
	for b.Loop() {
		for range 5 {
			speeds = append(speeds, replayed/restart(b, own, opts).Seconds()/1e6)
			must(b, s.put(controlName, control))
			must(b, s.remove(s.object(Ref{Queue, "A"})))
		}
	}
	b.ReportMetric(median(speeds), "MB/s")
}

// BenchmarkEntries reads the same log as a dump does.
func BenchmarkEntries(b *testing.B) {
	own, opts, e := realEstateWith(b, 16<<20, func(o *Options) {
		o.Costs, o.Part, o.ImagePart, o.Detail = &seedCosts, 15_700, 260_000, true
	})
	fill(b, e, 64<<20)
	must(b, e.Force(context.Background(), 0))
	bytes := float64(e.Status().End)
	must(b, e.Crash())
	open := wal.From(opts.Disk)
	var speeds []float64
	for b.Loop() {
		began := time.Now()
		for _, err := range Entries(context.Background(), open, own.list, 0, 0) {
			must(b, err)
		}
		speeds = append(speeds, bytes/time.Since(began).Seconds()/1e6)
	}
	b.ReportMetric(median(speeds), "MB/s")
}
