package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/agent/connect/local/standin"
	"github.com/mqhk/mqhk/core/observe"
)

// neglectedExtents is how many a log has that nobody looked after.
const neglectedExtents = 100_000

// realExtent is the size of an extent of 4096 pages.
const realExtent = 16785408

// everyExtentGoes is a policy without limits that lets go what no recovery
// needs.
const everyExtentGoes = `
policy "unlimited" {
  task "archive" "extents" {
    targets  = ["multiplatforms/*"]
    strategy = "conservative"
    unsaved  = "delete"
    limits {
      max_deletes = 1000000
      max_percent = 100
    }
  }
}
queue_manager "QM1" {
  platform = "multiplatforms"
  connection "local" {
    bin  = %q
    data = %q
  }
}
`

// layExtents makes files of extents, each of real size: its first block is
// written, the rest is a hole, since no disk of a workshop holds 1.6 TB.
func layExtents(b *testing.B, folder string) {
	b.Helper()
	head := make([]byte, 4096)
	for n := range neglectedExtents {
		name := filepath.Join(folder, observe.ExtentName(n))
		copy(head, name)
		if err := os.WriteFile(name, head, 0o660); err != nil {
			b.Fatal(err)
		}
		if err := os.Truncate(name, realExtent); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkDeleteHundredThousand times what deciding over 100,000 extents and
// deleting them takes: the fresh look, the second key, and every delete with
// the durable ledger, in batches that are one row of it each, against `find DIR -name 'S*.LOG' -delete` of as many files of the
// same size on the same file system. In turns, each on a tree that was synced;
// the metrics are medians of 5. The ratio is to be 1.5 at the most. The whole of `mqhk run --apply`, with the start of two processes, the
// record of 100,000 segments and the look back, is whole-ratio.
//
//	go test ./cmd/mqhk -run '^$' -bench DeleteHundredThousand -benchtime 1x -timeout 60m
func BenchmarkDeleteHundredThousand(b *testing.B) {
	folder := b.TempDir()
	binary := filepath.Join(folder, "mqhk")
	command := func(name string, args ...string) string {
		b.Helper()
		c := exec.Command(name, args...)
		c.Dir = folder
		out, err := c.CombinedOutput()
		if err != nil {
			b.Fatalf("%s %s: %v\n%.2000s", name, strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		b.Fatalf("building: %v\n%s", err, out)
	}
	const rounds = 5
	for b.Loop() {
		var found, acted, applied []time.Duration
		for range rounds {
			round := filepath.Join(folder, "round")
			host, err := standin.New(round)
			if err != nil {
				b.Fatal(err)
			}
			m, err := host.Create(standin.Manager{
				Name: "QM1", Bytes: realExtent, First: neglectedExtents, Current: neglectedExtents + 3, Restart: neglectedExtents, Media: neglectedExtents,
			})
			if err != nil {
				b.Fatal(err)
			}
			layExtents(b, m.Active())
			files := filepath.Join(round, "files")
			if err := os.Mkdir(files, 0o700); err != nil {
				b.Fatal(err)
			}
			layExtents(b, files)
			config := filepath.Join(round, "mqhk.d")
			if err := os.Mkdir(config, 0o700); err != nil {
				b.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(config, "site.hcl"), fmt.Appendf(nil, everyExtentGoes, host.Bin, host.Root), 0o600); err != nil {
				b.Fatal(err)
			}
			selected := []string{"--config", config, "--policy", "unlimited", "--state", filepath.Join(round, "state")}
			command(binary, append([]string{"run"}, selected...)...) // the first run on a target is a plan
			command("sync", "-f", round)
			found = append(found, timed(func() { command("find", files, "-name", "S*.LOG", "-delete") }))
			command("sync", "-f", round)
			var said string
			applied = append(applied, timed(func() {
				said = command(binary, append([]string{"run", "--apply", "--log-format", "json"}, selected...)...)
			}))
			acted = append(acted, timeOfActions(b, said, neglectedExtents))
			left, err := filepath.Glob(filepath.Join(m.Active(), "S*"))
			if err != nil || len(left) != 4 {
				b.Fatalf("%d extents are left, %v", len(left), err)
			}
			if err := os.RemoveAll(round); err != nil {
				b.Fatal(err)
			}
		}
		report := func(all []time.Duration, unit string) float64 {
			middle := slices.Sorted(slices.Values(all))[len(all)/2]
			b.ReportMetric(float64(middle.Milliseconds()), unit)
			return float64(middle)
		}
		base := report(found, "find-ms")
		b.ReportMetric(report(acted, "delete-ms")/base, "ratio")
		b.ReportMetric(report(applied, "whole-ms")/base, "whole-ratio")
	}
	b.ReportMetric(0, "ns/op")
}
