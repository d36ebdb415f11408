package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/mqhk/mqhk/agent/store"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
	"github.com/mqhk/mqhk/core/sim/multi/qmgr"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// asArchiver in the environment makes the test binary archive the extents of
// the folder that it names, over and over.
const asArchiver = "MQHK_TEST_ARCHIVER"

const (
	filledExtents    = 40     // that are archived, of 16 MiB
	commitsRound     = 10_000 // timed in each half of a round
	rounds           = 10
	committedMessage = 1024 // bytes of the message in each unit of work
)

// BenchmarkCommitsWhileArchiving times the commits of a simulated queue manager,
// each a put of 1 KiB that is forced to the disk, while a process of its own
// archives the log's extents to the same disk as a run does by default (paced,
// compressed, at low priority), against the same with nobody archiving. Ten
// rounds, in turns; slower is the median over the rounds of the medians' ratio,
// which is to be 1.10 at the most. The p99 are over all rounds.
//
//	go test ./cmd/mqhk -run '^$' -bench CommitsWhileArchiving -benchtime 1x -timeout 60m
func BenchmarkCommitsWhileArchiving(b *testing.B) {
	m := filledManager(b)
	for b.Loop() {
		var alone, beside []time.Duration
		var ratios []float64
		for range rounds {
			without := commits(b, m)
			archiver := startArchiver(b, m.LogPath())
			with := commits(b, m)
			_ = archiver.Process.Kill()
			_ = archiver.Wait()
			ratios = append(ratios, float64(percentile(with, 50))/float64(percentile(without, 50)))
			alone, beside = append(alone, without...), append(beside, with...)
		}
		b.ReportMetric(0, "ns/op")
		b.ReportMetric(percentile(ratios, 50), "slower")
		for _, percent := range []int{50, 99} {
			b.ReportMetric(float64(percentile(alone, percent).Microseconds()), fmt.Sprintf("p%d-alone-us", percent))
			b.ReportMetric(float64(percentile(beside, percent).Microseconds()), fmt.Sprintf("p%d-beside-us", percent))
		}
	}
}

// percentile gives the value that so many of a hundred are not above.
func percentile[T cmp.Ordered](all []T, percent int) T {
	sorted := slices.Sorted(slices.Values(all))
	return sorted[min(len(sorted)-1, len(sorted)*percent/100)]
}

// filledManager makes a queue manager with a log to be archived. Its messages
// are text, so that they compress as those of applications do.
func filledManager(b *testing.B) *qmgr.Manager {
	b.Helper()
	root, ctx := b.TempDir(), b.Context()
	site := qmgr.Site{Disk: disk.At(root), Root: root, Now: time.Now}
	log := extents.Settings{Kind: extents.Linear, Management: extents.Manual, Primary: 10, Secondary: 10, FilePages: 4096}
	m, err := qmgr.Create(ctx, site, qmgr.Spec{Name: "QM1", Log: log})
	if err == nil {
		_, err = m.Start(ctx)
	}
	if err == nil {
		err = m.Define(ctx, "Q")
	}
	draw := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // content, no secret
	body := make([]byte, 64<<10)
	for n := 0; err == nil && n < filledExtents*256; n++ {
		for i := range body {
			body[i] = "0123456789ABCDEF <>/="[draw.IntN(21)]
		}
		if _, err = m.Put(ctx, "Q", engine.Message{Persistent: true, Body: body}); err == nil {
			_, err = m.Get(ctx, "Q")
		}
	}
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = m.Crash() })
	return m
}

// commits times units of work. What each has put is got again untimed.
func commits(b *testing.B, m *qmgr.Manager) []time.Duration {
	b.Helper()
	took := make([]time.Duration, 0, commitsRound)
	msg := engine.Message{Persistent: true, Body: make([]byte, committedMessage)}
	for range commitsRound {
		u, err := m.Begin("APP")
		if err == nil {
			_, err = u.Put(b.Context(), "Q", msg)
		}
		began := time.Now()
		if err == nil {
			err = u.Commit(b.Context())
		}
		took = append(took, time.Since(began))
		if err == nil {
			_, err = m.Get(b.Context(), "Q")
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	return took
}

// startArchiver starts a process that archives, and returns when it is at it.
func startArchiver(b *testing.B, log string) *exec.Cmd {
	b.Helper()
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	c := exec.Command(self)
	c.Env = append(os.Environ(), asArchiver+"="+log)
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err == nil {
		_, err = bufio.NewReader(out).ReadString('\n')
	}
	if err != nil {
		b.Fatal(err)
	}
	return c
}

// archiveFor archives the oldest extents of a log until it is killed.
func archiveFor(log string) error {
	vault := filepath.Join(log, "..", "..", "vault")
	fmt.Println("archiving")
	for {
		v, err := store.NewDirectory(store.Settings{Name: "vault", Path: vault, SameFilesystem: true, Compress: true})
		if err != nil {
			return err
		}
		names, err := filepath.Glob(filepath.Join(log, "S*.LOG"))
		if err != nil || len(names) < filledExtents {
			return fmt.Errorf("%d extents are in %s: %w", len(names), log, err)
		}
		failed := make([]error, filledExtents)
		var wait sync.WaitGroup
		for i, name := range names[:filledExtents] {
			wait.Go(func() { failed[i] = archiveOne(v, name) })
		}
		wait.Wait()
		if err := errors.Join(append(failed, os.RemoveAll(vault))...); err != nil {
			return err
		}
	}
}

func archiveOne(v *store.Directory, name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err == nil {
		segment := recovery.Segment{ID: recovery.SegmentID{QueueManager: "QM1", Name: filepath.Base(name)}}
		_, err = v.Put(context.Background(), segment, store.Facts{Bytes: info.Size(), Log: name}, f)
	}
	return errors.Join(err, f.Close())
}
