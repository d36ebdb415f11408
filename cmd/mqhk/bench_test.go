package main

import (
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/mqhk/mqhk/agent/host"
)

// BenchmarkPlanAgainstBareStart times a whole `mqhk plan` on one target
// against a bare start of the same binary serving a plugin that does nothing,
// with mutual TLS and its SHA-256 checked: 21 interleaved pairs, medians. The
// ratio is to be 3 at the most.
func BenchmarkPlanAgainstBareStart(b *testing.B) {
	binary := filepath.Join(b.TempDir(), "mqhk")
	if runtime.GOOS == "windows" {
		binary += ".exe"
	}
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		b.Fatalf("building: %v\n%s", err, out)
	}
	orders := filepath.Join("..", "..", "examples", "orders.mqt")
	plan := func() {
		if out, err := exec.Command(binary, "plan", "--policy", "conservative", "--transcript", orders).CombinedOutput(); err != nil {
			b.Fatalf("planning: %v\n%s", err, out)
		}
	}
	bare := func() {
		process, err := host.Start(b.Context(), host.Source{Name: nothingName, Path: binary, Args: []string{"plugin-serve", nothingName}}, host.Settings{})
		if err != nil {
			b.Fatal(err)
		}
		if err := process.Stop(); err != nil {
			b.Fatal(err)
		}
	}
	plan()
	bare()
	for b.Loop() {
		const pairs = 21
		var plans, starts []time.Duration
		for range pairs {
			plans = append(plans, timed(plan))
			starts = append(starts, timed(bare))
		}
		slices.Sort(plans)
		slices.Sort(starts)
		b.ReportMetric(float64(plans[pairs/2].Microseconds())/1000, "plan-ms")
		b.ReportMetric(float64(starts[pairs/2].Microseconds())/1000, "bare-ms")
		b.ReportMetric(float64(plans[pairs/2])/float64(starts[pairs/2]), "ratio")
	}
}

func timed(f func()) time.Duration {
	began := time.Now()
	f()
	return time.Since(began)
}
