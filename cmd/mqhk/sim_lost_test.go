package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A queue manager that can't be read is in the status and in a plan, which ends
// with 3; a machine with it that was moved opens. With two systems control
// finds the one of the queue manager that the command names.
func TestUnreadableQueueManagerIsToldOf(t *testing.T) {
	endToEnd(t)
	estate := filepath.Join(t.TempDir(), "estate")
	do := func(want int, args ...string) string {
		t.Helper()
		var out, problems bytes.Buffer
		if got := execute(args, &out, &problems); got != want {
			t.Fatalf("mqhk %s: exit %d, want %d: %s%s", strings.Join(args, " "), got, want, &out, &problems)
		}
		return out.String() + problems.String()
	}
	do(0, "sim", "init", "A1", "--estate", estate, "--platform", "multiplatforms", "--pages", "64", "--no-sync")
	do(0, "sim", "init", "B1", "--estate", estate, "--platform", "multiplatforms", "--pages", "64")
	do(0, "sim", "control", "--estate", estate, "--", "endmqm", "-i", "B1")
	if err := os.Truncate(filepath.Join(estate, "systems/SYS1/var/mqm/qmgrs/A1/qm.ini"), 0); err != nil {
		t.Fatal(err)
	}
	moved := filepath.Join(t.TempDir(), "elsewhere")
	if err := os.Rename(estate, moved); err != nil {
		t.Fatal(err)
	}
	if out := do(0, "sim", "status", "--estate", moved); !strings.Contains(out, "A1        not readable on system SYS1") || !strings.Contains(out, "qm.ini") || !strings.Contains(out, "B1") {
		t.Error(out)
	}
	if out := do(3, "plan", "--estate", moved, "--policy", "conservative", "--target", "A1"); !strings.Contains(out, "A1") || !strings.Contains(out, "qm.ini") {
		t.Error(out)
	}
	if out := do(20, "sim", "mqsc", "--estate", moved, "A1", "DISPLAY QMGR"); strings.Contains(out, "no such queue manager") {
		t.Error(out)
	}
	if out := do(0, "sim", "control", "--estate", moved, "--", "strmqm", "B1"); !strings.Contains(out, "A1") {
		t.Error(out)
	}
}
