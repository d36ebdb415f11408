package wal

import (
	"context"
	"errors"
	"io"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/wal/disk"
)

// The figures are ratios of two things measured in turn, so that a disk that is
// busy now and idle later does not decide them. Each is the median of so many
// pairs.
const pairs = 21

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

func realLog(b *testing.B, size int64) (disk.FS, *Writer) {
	b.Helper()
	d := disk.At(b.TempDir())
	must(b, d.MkdirAll("log"))
	w, err := Create(d, layout(0, size, 0), testID, 0, Options{})
	must(b, err)
	b.Cleanup(func() { _ = w.Abandon() })
	return d, w
}

// BenchmarkCommitAgainstPlainWrites: one committer, against a loop that writes
// as many bytes to a file that was filled with zeros ahead and syncs them. The
// two take turns with every write: a sync takes as long as the disk is busy
// with others.
func BenchmarkCommitAgainstPlainWrites(b *testing.B) {
	const n, payload = 200, 300
	size := recordBytes(firstAt, payload)
	var ratios []float64
	for b.Loop() {
		d, w := realLog(b, 2*pairs*n*size)
		plain, err := prepare(d, layout(1, 2*pairs*n*size, 0))
		must(b, err)
		record := make([]byte, size)
		commit := func(int) {
			_, err := w.Commit(context.Background(), record[:payload])
			must(b, err)
		}
		write := func(i int) {
			_, err := plain.WriteAt(record, firstAt+int64(i)*size)
			must(b, err)
			must(b, plain.Sync())
		}
		for pair := range pairs {
			var ours, theirs time.Duration
			for i := range n / 2 {
				i = pair*n + 2*i
				ours += timed(commit, i)
				theirs += timed(write, i)
				theirs += timed(write, i+1)
				ours += timed(commit, i+1)
			}
			ratios = append(ratios, float64(theirs)/float64(ours))
		}
		must(b, plain.Close())
	}
	b.ReportMetric(median(ratios), "of-plain-speed")
}

func timed(what func(int), i int) time.Duration {
	began := time.Now()
	what(i)
	return time.Since(began)
}

// BenchmarkCommitters64AgainstOne: commits in a second, and how many one sync
// served.
func BenchmarkCommitters64AgainstOne(b *testing.B) {
	var ratios, served []float64
	for b.Loop() {
		_, w := realLog(b, 256<<20)
		for range pairs {
			one := committers(b, w, 1, 100)
			before := w.Counts()
			many := committers(b, w, 64, 50)
			after := w.Counts()
			ratios = append(ratios, many/one)
			served = append(served, float64(after.Records-before.Records)/float64(after.Syncs-before.Syncs))
		}
	}
	b.ReportMetric(median(ratios), "times-one")
	b.ReportMetric(median(served), "commits/sync")
}

// committers gives the commits in a second.
func committers(b *testing.B, w *Writer, n, each int) float64 {
	b.Helper()
	payload := make([]byte, 300)
	began := time.Now()
	var group sync.WaitGroup
	for range n {
		group.Go(func() {
			for range each {
				if _, err := w.Commit(context.Background(), payload); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	group.Wait()
	return float64(n*each) / time.Since(began).Seconds()
}

// BenchmarkScan reads a log of 300-byte records, each checked, in turn with
// the most that the system gives: the same file, read in the same pieces and
// not looked at. The speed is that of the payloads.
func BenchmarkScan(b *testing.B) {
	const payload, size = 300, 128 << 20
	d, w := realLog(b, size)
	record := make([]byte, payload)
	for i := range record {
		record[i] = byte(i * 7)
	}
	count := 0
	for err := error(nil); err == nil; count++ {
		_, err = w.Append(record)
	}
	count--
	must(b, w.Close())
	chain := []Segment{{layout(0, 0, 0).Name, First}}
	f, err := d.Open(chain[0].Name)
	must(b, err)
	defer f.Close()
	var speeds, ratios []float64
	for b.Loop() {
		for range pairs {
			ours := timed(func(int) { scan(b, d, chain, count) }, 0)
			theirs := timed(func(int) { readWindows(b, f, size) }, 0)
			speeds = append(speeds, float64(count*payload)/ours.Seconds()/1e9)
			ratios = append(ratios, float64(theirs)/float64(ours))
		}
	}
	b.ReportMetric(median(speeds), "GB/s")
	b.ReportMetric(slices.Max(speeds), "GB/s-best") // on a machine that others use too
	b.ReportMetric(median(ratios), "of-read-speed")
}

func scan(b *testing.B, d disk.FS, chain []Segment, want int) {
	b.Helper()
	r, err := NewReader(From(d), chain, ReadOptions{})
	must(b, err)
	for got := 0; ; got++ {
		_, err := r.Next()
		if err == nil {
			continue
		}
		if !errors.Is(err, io.EOF) || got != want {
			b.Fatalf("%d records, want %d: %v", got, want, err)
		}
		return
	}
}

func readWindows(b *testing.B, f disk.File, size int64) {
	b.Helper()
	buf := make([]byte, window)
	for off := int64(firstAt); off < size; off += window {
		_, err := f.ReadAt(buf, off)
		must(b, err)
	}
}
