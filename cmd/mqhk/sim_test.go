package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// mqhk carries out a command line that must not fail.
func mqhk(t *testing.T, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if status := execute(args, &stdout, &stderr); status != 0 {
		t.Fatalf("mqhk %s: exit %d: %s", strings.Join(args, " "), status, stderr.String())
	}
	return stdout.String()
}

// planOf gives a plan as JSON without what is of the run itself.
func planOf(t *testing.T, args ...string) map[string]any {
	t.Helper()
	return planRun(t, append([]string{"plan", "--format", "json", "--fail-on", "never"}, args...))
}

// planRun carries out a command line that prints a plan as JSON.
func planRun(t *testing.T, args []string) map[string]any {
	t.Helper()
	out := mqhk(t, args...)
	var record map[string]any
	if err := json.Unmarshal([]byte(out), &record); err != nil {
		t.Fatal(err)
	}
	delete(record, "run")
	return record
}

// The plan made on the recorded transcript equals the plan made on the
// simulator but for run: on a healthy queue manager, with a unit of work that
// pins the startup point, and after each of some faults.
func TestPlanOnARecordIsThePlan(t *testing.T) {
	endToEnd(t)
	faults := map[string][]string{
		"healthy": nil, "crashed": {"crash"}, "receiver lost": {"lose-receiver", "AMQA000001"},
		"queue damaged": {"damage", "APP.ORDERS"}, "clock back": {"clock-back", "2h"}, "locked": {"lock", "AMQA000001"},
	}
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			estate := filepath.Join(t.TempDir(), "estate")
			sim := func(args ...string) string { return mqhk(t, append([]string{"sim", "--estate", estate}, args...)...) }
			sim("init", "ORDERS", "--zone", "Europe/Berlin", "--threshold", "512KiB", "--no-sync")
			sim("workload", "ORDERS", "office", "--seed", "5")
			sim("cl", "ORDERS", "CRTMQMQ QNAME(APP.ORDERS) QTYPE(*LCL) MQMNAME(ORDERS)")
			sim("advance", "30h")
			if fault != nil {
				sim(append([]string{"fault", "ORDERS"}, fault...)...)
			}
			file := filepath.Join(t.TempDir(), "recorded.mqt")
			mqhk(t, "target", "record", "--estate", estate, "-o", file)
			policies := []string{"--policy", "conservative", "--policy", "fast-startup", "--policy", "aggressive"}
			direct := planOf(t, append(policies, "--estate", estate)...)
			again := planOf(t, append(policies, "--transcript", file)...)
			if diff := cmp.Diff(direct, again); diff != "" {
				t.Errorf("on the simulator (-), on the record (+):\n%s", diff)
			}
		})
	}
}

// A plan opens nothing of the estate for writing: every file keeps its
// content and its time.
func TestPlanChangesNothingInTheEstate(t *testing.T) {
	estate := filepath.Join(t.TempDir(), "estate")
	mqhk(t, "sim", "--estate", estate, "init", "ORDERS", "--threshold", "512KiB", "--no-sync")
	mqhk(t, "sim", "--estate", estate, "init", "QM1", "--platform", "multiplatforms", "--pages", "64")
	mqhk(t, "sim", "--estate", estate, "workload", "ORDERS", "office")
	mqhk(t, "sim", "--estate", estate, "advance", "20h")
	before := contents(t, estate)
	planOf(t, "--estate", estate)
	mqhk(t, "sim", "--estate", estate, "status")
	mqhk(t, "sim", "--estate", estate, "mqsc", "QM1", "DISPLAY QMSTATUS ALL", "DISPLAY QLOCAL(*)")
	if diff := cmp.Diff(before, contents(t, estate)); diff != "" {
		t.Errorf("changed:\n%s", diff)
	}
}

// contents gives size and time of every file but the lock.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || entry.Name() == "lock" {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		info, err := entry.Info()
		all[path] = info.ModTime().String() + string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// A simulator that is killed while time passes leaves a queue manager that has
// crashed, and that starts and works again.
func TestKilledSimulatorIsACrash(t *testing.T) {
	estate := filepath.Join(t.TempDir(), "estate")
	mqhk(t, "sim", "--estate", estate, "init", "ORDERS", "--threshold", "512KiB")
	mqhk(t, "sim", "--estate", estate, "workload", "ORDERS", "office")
	kills := 1
	if os.Getenv("MQHK_LONG") != "" {
		kills = 100
	}
	for n := range kills {
		cmd := exec.Command(os.Args[0], "sim", "--estate", estate, "advance", "2000h")
		cmd.Env = append(os.Environ(), asMqhk+"=1")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		waitForChange(t, filepath.Join(estate, "estate.json"), 1+n%3)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // it was killed
		if out := mqhk(t, "sim", "--estate", estate, "status"); !strings.Contains(out, "ENDED UNEXPECTEDLY") {
			t.Fatalf("kill %d: %s", n, out)
		}
		mqhk(t, "sim", "--estate", estate, "cl", "ORDERS", "STRMQM MQMNAME(ORDERS)")
		if out := mqhk(t, "sim", "--estate", estate, "advance", "1h"); strings.Contains(out, "rested") {
			t.Fatalf("kill %d: %s", n, out)
		}
	}
}

// waitForChange waits until a file was replaced some times.
func waitForChange(t *testing.T, name string, times int) {
	t.Helper()
	last, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(time.Minute); times > 0; {
		now, err := os.Stat(name)
		if err == nil && !os.SameFile(now, last) {
			last, times = now, times-1
		}
		if time.Now().After(end) {
			t.Fatal("the estate does not change")
		}
	}
}
