package sim_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/core/sim"
	"github.com/mqhk/mqhk/core/sim/ibmi/qmgr"
)

const (
	// many is how many receivers a neglected journal has.
	many = 10_000
	// together is how many deletions one intent of the ledger covers.
	together = 256
)

// neglected makes an estate in a folder whose queue manager ORDERS has so many
// detached receivers, by as many CHGJRN. Nothing is forced to the disk while
// that is done; the estate is one that forces from then on.
func neglected(tb testing.TB, dir string, receivers int) {
	tb.Helper()
	start := time.Date(2026, 1, 5, 6, 0, 0, 0, time.UTC)
	e, err := sim.Create(tb.Context(), dir, sim.Settings{Zone: "Europe/Berlin", Start: start, NoSync: true})
	must(tb, err)
	must(tb, e.Add(tb.Context(), sim.IBMi{Spec: qmgr.Spec{Name: "ORDERS"}}))
	job := e.Job()
	for range receivers {
		_, err := e.CLLater(tb.Context(), "ORDERS", job, "CHGJRN JRN(QMORDERS/AMQAJRN) JRNRCV(*GEN)")
		must(tb, err)
	}
	must(tb, e.Close(tb.Context()))
	name := filepath.Join(dir, "estate.json")
	state, err := os.ReadFile(name)
	must(tb, err)
	must(tb, os.WriteFile(name, []byte(strings.Replace(string(state), `"no_sync": true,`, "", 1)), 0o600))
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// Ten thousand receivers are deleted by as many DLTJRNRCV, oldest first, and
// forced to the disk in batches; beside it find deletes as many files of the
// same size on the same file system, and the facts for a decision are asked
// for. The metrics are medians of all rounds, which take turns.
//
//	go test ./core/sim -run xxx -bench DeleteTenThousand -benchtime 5x
func BenchmarkDeleteTenThousand(b *testing.B) {
	whole := filepath.Join(b.TempDir(), "whole")
	neglected(b, whole, many)
	var found, deleted, each, faced, opened []time.Duration
	for b.Loop() {
		b.StopTimer()
		folder := b.TempDir()
		estate, files := filepath.Join(folder, "estate"), filepath.Join(folder, "files")
		run(b, "cp", "-a", whole, estate)
		run(b, "cp", "-a", filepath.Join(whole, "systems/SYS1/QSYS.LIB/QMORDERS.LIB"), files)
		run(b, "sync", "-f", folder)
		found = append(found, timed(func() { run(b, "find", files, "-type", "f", "-delete") }))
		faced = append(faced, timed(func() { facts(b, estate) }))
		run(b, "sync", "-f", folder)
		var e *sim.Estate
		opened = append(opened, timed(func() {
			var err error
			e, err = sim.Open(b.Context(), estate)
			must(b, err)
		}))
		b.StartTimer()
		deleted = append(deleted, timed(func() { deleteMany(b, e, many) }))
		b.StopTimer()
		must(b, e.Close(b.Context()))
		each = append(each, deleted[len(deleted)-1]/many)
		must(b, os.RemoveAll(folder))
		b.StartTimer()
	}
	b.ReportMetric(milliseconds(found), "find-ms")
	b.ReportMetric(milliseconds(deleted), "delete-ms")
	b.ReportMetric(milliseconds(each)*1000, "us/receiver")
	b.ReportMetric(milliseconds(faced), "facts-ms")
	b.ReportMetric(milliseconds(opened), "open-ms")
	b.ReportMetric(milliseconds(deleted)/milliseconds(found), "delete/find")
	b.ReportMetric(0, "ns/op")
}

// deleteMany deletes the oldest receivers of ORDERS, durably.
func deleteMany(tb testing.TB, e *sim.Estate, n int) {
	job := e.Job()
	for i := range n {
		text := fmt.Sprintf("DLTJRNRCV JRNRCV(QMORDERS/AMQA%06d) DLTOPT(*IGNINQMSG)", i)
		_, err := e.CLLater(tb.Context(), "ORDERS", job, text)
		must(tb, err)
		if (i+1)%together == 0 || i == n-1 {
			must(tb, e.Force())
		}
	}
}

// facts asks for what a plan of ORDERS needs, and decides.
func facts(tb testing.TB, dir string) {
	e, err := sim.Look(tb.Context(), dir)
	must(tb, err)
	seen, err := observe.ReadJournal(tb.Context(), asks{e}, e.Targets()[0])
	must(tb, err)
	recovery.Decide([]recovery.Inventory{seen.Inventory}, recovery.Promise{Strategy: recovery.Conservative, Unsaved: recovery.DeleteUnsaved})
	must(tb, e.Close(tb.Context()))
}

func run(tb testing.TB, name string, args ...string) {
	tb.Helper()
	if out, err := exec.CommandContext(tb.Context(), name, args...).CombinedOutput(); err != nil {
		tb.Fatalf("%s: %v: %s", name, err, out)
	}
}

func timed(do func()) time.Duration {
	begin := time.Now()
	do()
	return time.Since(begin)
}

// milliseconds gives the median.
func milliseconds(all []time.Duration) float64 {
	sorted := slices.Sorted(slices.Values(all))
	return float64(sorted[len(sorted)/2]) / float64(time.Millisecond)
}
