package dmpmqlog

import (
	"io"
	"slices"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
	"github.com/mqhk/mqhk/core/wal"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// BenchmarkDump prints 256 MiB of log on a real disk to nowhere, without the
// data of messages: units of work of 200 puts of 1000 bytes, each got again.
func BenchmarkDump(b *testing.B) {
	d := disk.At(b.TempDir())
	l, err := extents.Create(d, folder, extents.Settings{Kind: extents.Linear, Primary: 40, Secondary: 40, FilePages: 4096})
	if err != nil {
		b.Fatal(err)
	}
	r := &rig{t: b, own: &owner{l, b}}
	opts := engine.Options{Disk: d, Folder: "qm", Costs: &costs, Part: 15_700, ImagePart: 60_000, Detail: true}
	r.e, err = engine.Create(b.Context(), r.own, opts, l.ID())
	r.must(err)
	r.must(r.e.Define(b.Context(), engine.Ref{Kind: engine.Queue, Name: "QL.A"}, nil))
	for r.e.Status().Log.Bytes < 256<<20 {
		u, err := r.e.Begin()
		r.must(err)
		for range 200 {
			_, err := u.Put(b.Context(), "QL.A", engine.Message{Persistent: true, Body: make([]byte, 1000)})
			r.must(err)
			_, err = u.Get(b.Context(), "QL.A")
			r.must(err)
		}
		r.must(u.Commit(b.Context()))
	}
	log := r.end()
	bytes := float64(r.e.Status().End - wal.First)
	var speeds []float64
	for b.Loop() {
		for range 5 {
			began := time.Now()
			if err := Dump(b.Context(), io.Discard, log, Options{Extent: "0"}); err != nil {
				b.Fatal(err)
			}
			speeds = append(speeds, bytes/time.Since(began).Seconds()/1e6)
		}
	}
	slices.Sort(speeds)
	b.ReportMetric(speeds[len(speeds)/2], "MB/s")
}
