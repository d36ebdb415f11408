package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mqhk/mqhk/core/sim"
)

// needsShell is a test of the stand-in commands, which are scripts.
func needsShell(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the stand-in commands are scripts of a shell")
	}
}

// The plan made on a transcript of a simulated queue manager of Multiplatforms is
// that made on itself but for run, over connection "sim" and over connection
// "local" with the stand-in commands. On the latter the clock is this machine's,
// so that the times of the observations differ.
func TestPlanOnARecordOfMultiplatforms(t *testing.T) {
	endToEnd(t)
	needsShell(t)
	faults := map[string][]string{
		"healthy": nil, "crashed": {"fault", "QM1", "crash"}, "extent lost": {"fault", "QM1", "lose-extent", "S0000001.LOG"},
		"queue damaged": {"fault", "QM1", "damage", "ORDERS.IN"}, "restart point pinned": {"fault", "QM1", "open-unit", "ORDERS.IN", "prepared"},
		"ended": {"control", "--", "endmqm", "-i", "QM1"},
	}
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			estate, config := filepath.Join(dir, "estate"), filepath.Join(dir, "local.d")
			sim := func(args ...string) string { return mqhk(t, append([]string{"sim", "--estate", estate}, args...)...) }
			sim("init", "QM1", "--platform", "multiplatforms", "--pages", "64", "--primaries", "10", "--zone", "Europe/Berlin", "--no-sync")
			sim("workload", "QM1", "office", "--seed", "5")
			sim("advance", "5h")
			if fault != nil {
				sim(fault...)
				sim("advance", "1h")
			}
			reached := map[string][]string{"sim": {"--estate", estate}, "local": {"--config", config}}
			connectionOf(t, estate, dir, config)
			for connection, from := range reached {
				file := filepath.Join(dir, connection+".mqt")
				mqhk(t, slices.Concat([]string{"target", "record"}, from, []string{"-o", file})...)
				policies := []string{"--policy", "conservative", "--policy", "fast-startup", "--policy", "aggressive"}
				direct := planOf(t, append(policies, from...)...)
				again := planOf(t, append(policies, "--transcript", file)...)
				if diff := cmp.Diff(direct, again, cmp.FilterPath(observedTime, cmp.Ignore())); diff != "" {
					t.Errorf("over connection %s (-), on the record (+):\n%s", connection, diff)
				}
			}
		})
	}
}

// observedTime finds when a target was observed, which connection "local" tells
// by this machine's clock.
func observedTime(p cmp.Path) bool {
	key, ok := p.Last().(cmp.MapIndex)
	return ok && key.Key().String() == "observed"
}

// connectionOf writes the stand-in commands of an estate with QM1, and the
// configuration that reaches it by them.
func connectionOf(t *testing.T, estate, dir, config string) {
	t.Helper()
	bin := filepath.Join(dir, "bin")
	mqhk(t, "sim", "--estate", estate, "commands", bin, "--program", thisAsMqhk(t, dir))
	e, err := sim.Look(t.Context(), estate)
	if err != nil {
		t.Fatal(err)
	}
	site, err := e.Site("QM1")
	if err == nil {
		err = errors.Join(e.Close(t.Context()), os.MkdirAll(config, 0o700))
	}
	if err != nil {
		t.Fatal(err)
	}
	block := fmt.Sprintf("queue_manager \"QM1\" {\n  platform = \"multiplatforms\"\n  zone = \"Europe/Berlin\"\n  connection \"local\" {\n    bin = %q\n    data = %q\n  }\n}\n", bin, site.DataRoot())
	if err := os.WriteFile(filepath.Join(config, "QM1.hcl"), []byte(block), 0o600); err != nil {
		t.Fatal(err)
	}
}

// thisAsMqhk gives a program that is mqhk, whatever its environment.
func thisAsMqhk(t *testing.T, dir string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	script := fmt.Sprintf("#!/bin/sh\n%s=1 exec '%s' \"$@\"\n", asMqhk, self)
	path := filepath.Join(dir, "mqhk")
	if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// Stand-in commands that are given at once wait for each other, and each has its
// own standard input, output and exit code.
func TestStandInCommandsAtOnce(t *testing.T) {
	endToEnd(t)
	needsShell(t)
	dir := t.TempDir()
	estate := filepath.Join(dir, "estate")
	mqhk(t, "sim", "--estate", estate, "init", "QM1", "--platform", "multiplatforms", "--pages", "64", "--no-sync")
	connectionOf(t, estate, dir, filepath.Join(dir, "local.d"))
	run := func(stdin string, want int, name string, args ...string) string {
		cmd := exec.Command(filepath.Join(dir, "bin", name), args...)
		cmd.Stdin = strings.NewReader(stdin)
		out, err := cmd.CombinedOutput()
		if got := cmd.ProcessState.ExitCode(); got != want {
			t.Errorf("%s %q: exit code %d (%v), want %d: %s", name, args, got, err, want, out)
		}
		return string(out)
	}
	var all sync.WaitGroup
	for n := range 4 {
		queue := fmt.Sprintf("QUEUE.%d", n)
		all.Go(func() {
			if out := run("DEFINE QLOCAL("+queue+")\n", 0, "runmqsc", "QM1"); !strings.Contains(out, "AMQ8006I") {
				t.Error(out)
			}
		})
		all.Go(func() { run("", 0, "dspmq", "-m", "QM1") })
	}
	all.Go(func() { run("DISPLAY QLOCAL(NOT.THERE)\n", 10, "runmqsc", "QM1") })
	all.Go(func() { run("", 72, "rcdmqimg", "-m", "QM9", "-t", "all", "*") })
	all.Wait()
	out := run("DISPLAY QLOCAL(QUEUE.*)\n", 0, "runmqsc", "QM1")
	if got := strings.Count(out, "QUEUE(QUEUE."); got != 4 {
		t.Errorf("%d queues: %s", got, out)
	}
	// A folder of other commands is left as it is.
	script := filepath.Join(dir, "bin", "dspmq")
	if err := os.WriteFile(script, []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	var problems strings.Builder
	if code := execute([]string{"sim", "--estate", estate, "commands", filepath.Join(dir, "bin")}, &problems, &problems); code != exitUsage {
		t.Errorf("over another command: exit %d: %s", code, problems.String())
	}
}
