package main

import (
	"bufio"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/mqhk/mqhk/agent/run"
)

// Whoever reads the report goes away, as head does: nothing is left behind, and
// an apply was finished and recorded before it had anything to report.
func TestReaderGoesAway(t *testing.T) {
	k := &killing{site: newSite(t, "images", 1), fell: map[string]int{}, seen: map[string]bool{}}
	plan := []string{"plan", "--policy", "images", "--policy", "saves", "--policy", "least", "--verbose"}
	for _, test := range []struct {
		name  string
		args  []string
		lines int // that are read
	}{
		{"plan, first line", plan, 1},
		{"plan, nothing", plan, 0},
		{"apply, nothing", k.apply(), 0},
	} {
		k.work()
		p := k.command(test.args...)
		reader, writer, err := os.Pipe()
		k.must(err)
		p.Stdout = writer
		k.must(p.Start())
		k.must(writer.Close())
		lines := bufio.NewReaderSize(reader, 16)
		for range test.lines {
			if _, err := lines.ReadString('\n'); err != nil {
				t.Fatalf("%s: %v: %s", test.name, err, &p.out)
			}
		}
		k.must(reader.Close())
		status := p.status()
		sys, _ := p.ProcessState.Sys().(syscall.WaitStatus)
		if piped := sys.Signaled() && sys.Signal() == syscall.SIGPIPE; !piped && status != 0 && status != exitFailed {
			t.Errorf("%s: %s: %s", test.name, p.ProcessState, &p.out)
		}
		k.noStrays()
	}
	if rows := k.mqhk("history", "--limit", "1"); !strings.Contains(rows, " apply ") || !strings.Contains(rows, run.Applied) {
		t.Errorf("the apply was not recorded: %s", rows)
	}
	k.finish()
}
