package main

import (
	"bufio"
	"os"
	"path/filepath"
	"slices"
	"strings"
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
		lines int  // that are read
		both  bool // standard error goes the same way
	}{
		{"plan, first line", plan, 1, false},
		{"plan, nothing", plan, 0, false},
		{"plan and its log, first line", slices.Concat(plan, []string{"--log-level", "debug"}), 1, true},
		{"plan and its log, nothing", slices.Concat(plan, []string{"--log-level", "debug"}), 0, true},
		{"apply, nothing", k.apply(), 0, false},
	} {
		k.work()
		p := k.command(test.args...)
		reader, writer, err := os.Pipe()
		k.must(err)
		p.Stdout = writer
		if test.both {
			p.Stderr = writer
		}
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
		if status != 0 && status != exitFailed { // 0: the pipe took it all
			t.Errorf("%s: %s: %s", test.name, p.ProcessState, &p.out)
		}
		if strings.Contains(p.out.String(), "writing the result") {
			t.Errorf("%s: it complains: %s", test.name, &p.out)
		}
		k.noStrays()
		if left, err := filepath.Glob(filepath.Join(k.path("tmp"), "mqhk-*")); err != nil || len(left) > 0 {
			t.Errorf("%s: left behind: %v, %v", test.name, left, err)
		}
	}
	if rows := k.mqhk("history", "--limit", "1"); !strings.Contains(rows, " apply ") || !strings.Contains(rows, run.Applied) {
		t.Errorf("the apply was not recorded: %s", rows)
	}
	k.finish()
}
