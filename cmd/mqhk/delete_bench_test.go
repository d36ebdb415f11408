package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/sim"
	"github.com/mqhk/mqhk/core/sim/ibmi/qmgr"
)

// neglectedReceivers is how many a journal has that nobody looked after.
const neglectedReceivers = 10_000

// everythingGoes is a policy without limits that lets go what no recovery
// needs, saved or not.
const everythingGoes = `
policy "unlimited" {
  task "journal" "receivers" {
    targets  = ["ibmi/*"]
    strategy = "conservative"
    unsaved  = "delete"
    limits {
      max_deletes = 1000000
      max_percent = 100
    }
  }
}
`

// neglect makes an estate whose queue manager ORDERS has so many detached
// receivers that nothing needs. It forces nothing to the disk while it is made,
// and everything from then on.
func neglect(b *testing.B, dir string) {
	b.Helper()
	must := func(err error) {
		b.Helper()
		if err != nil {
			b.Fatal(err)
		}
	}
	start := time.Date(2026, 1, 5, 6, 0, 0, 0, time.UTC)
	e, err := sim.Create(b.Context(), dir, sim.Settings{Zone: "Europe/Berlin", Start: start, NoSync: true})
	must(err)
	must(e.Add(b.Context(), sim.IBMi{Spec: qmgr.Spec{Name: "ORDERS"}}))
	job := e.Job()
	for range neglectedReceivers {
		_, err := e.CLLater(b.Context(), "ORDERS", job, "CHGJRN JRN(QMORDERS/AMQAJRN) JRNRCV(*GEN)")
		must(err)
	}
	_, err = e.CL(b.Context(), "ORDERS", job, "RCDMQMIMG OBJ(*ALL) OBJTYPE(*ALL) MQMNAME(ORDERS) DSPJRNDTA(*YES)")
	must(err)
	must(e.Close(b.Context()))
	state, err := os.ReadFile(filepath.Join(dir, "estate.json"))
	must(err)
	forced := strings.Replace(string(state), `"no_sync": true,`, "", 1)
	if forced == string(state) {
		b.Fatal("the estate does not say that it forces nothing")
	}
	must(os.WriteFile(filepath.Join(dir, "estate.json"), []byte(forced), 0o600))
}

// BenchmarkDeleteTenThousand times what deleting 10,000 receivers takes, from
// the first intent to the last outcome in a durable ledger, in batches: against
// `find -delete` of as many files of the same size on the same file system plus
// one `mqhk plan` of the same target. All in one run, in turns; the metrics are
// medians of 5. The ratio is to be 1.5 at the most. The whole `mqhk run --apply`,
// which plans, looks again and reads back around that, is whole-ratio.
//
//	go test ./cmd/mqhk -run '^$' -bench DeleteTenThousand -benchtime 1x
func BenchmarkDeleteTenThousand(b *testing.B) {
	folder := b.TempDir()
	binary, whole := filepath.Join(folder, "mqhk"), filepath.Join(folder, "whole")
	command := func(name string, args ...string) string {
		b.Helper()
		c := exec.Command(name, args...)
		c.Dir = folder
		out, err := c.CombinedOutput()
		if err != nil {
			b.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		b.Fatalf("building: %v\n%s", err, out)
	}
	neglect(b, whole)
	policy := filepath.Join(folder, "unlimited.hcl")
	if err := os.WriteFile(policy, []byte(everythingGoes), 0o600); err != nil {
		b.Fatal(err)
	}
	const rounds = 5
	for b.Loop() {
		var found, planned, deleted, applied []time.Duration
		for range rounds {
			round := filepath.Join(folder, "round")
			estate, files := filepath.Join(round, "estate"), filepath.Join(round, "files")
			command("mkdir", round)
			command("cp", "-a", whole, estate)
			command("cp", "-a", filepath.Join(whole, "systems/SYS1/QSYS.LIB/QMORDERS.LIB"), files)
			selected := []string{"--policy", policy, "--estate", estate, "--state", filepath.Join(round, "state")}
			command(binary, append([]string{"run"}, selected...)...) // the first run on a target is a plan
			command("sync", "-f", round)
			found = append(found, timed(func() { command("find", files, "-type", "f", "-delete") }))
			command("sync", "-f", round)
			planned = append(planned, timed(func() { command(binary, append([]string{"plan"}, selected...)...) }))
			var said string
			applied = append(applied, timed(func() {
				said = command(binary, append([]string{"run", "--apply", "--log-format", "json"}, selected...)...)
			}))
			deleted = append(deleted, timeOfActions(b, said, neglectedReceivers))
			left, err := filepath.Glob(filepath.Join(estate, "systems/SYS1/QSYS.LIB/QMORDERS.LIB/AMQA*"))
			if err != nil || len(left) > 5 {
				b.Fatalf("%d receivers are left, %v", len(left), err)
			}
			if err := os.RemoveAll(round); err != nil {
				b.Fatal(err)
			}
		}
		report := func(all []time.Duration, unit string) time.Duration {
			middle := slices.Sorted(slices.Values(all))[len(all)/2]
			b.ReportMetric(float64(middle.Milliseconds()), unit)
			return middle
		}
		base := report(found, "find-ms") + report(planned, "plan-ms")
		b.ReportMetric(float64(report(deleted, "delete-ms"))/float64(base), "ratio")
		b.ReportMetric(float64(report(applied, "whole-ms"))/float64(base), "whole-ratio")
	}
	b.ReportMetric(0, "ns/op")
}

// timeOfActions finds in the log how long so many actions took, with the look
// before them.
func timeOfActions(b *testing.B, said string, count int) time.Duration {
	b.Helper()
	for line := range strings.Lines(said) {
		var record struct {
			Msg     string
			Actions int
			Dur     time.Duration
		}
		if json.Unmarshal([]byte(line), &record) == nil && record.Msg == "carried out" && record.Actions == count {
			return record.Dur
		}
	}
	b.Fatalf("the log does not say how long it took:\n%.2000s", said)
	return 0
}
