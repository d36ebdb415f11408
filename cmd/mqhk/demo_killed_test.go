package main

import (
	"bufio"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A demo that was killed, wherever it was, is replaced by the next one; and
// the same seed gives the same reports but for run, whatever was there before.
func TestDemoAfterKills(t *testing.T) {
	endToEnd(t)
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "d")
	for _, place := range []string{"sim", "run --policy conservative", "archive restore"} {
		cmd, lines := beginDemo(t, dir)
		awaitLine(t, lines, place)
		moment := time.NewTimer(time.Duration(rand.IntN(400)) * time.Millisecond)
		<-moment.C // a random moment of what is under way
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		for range lines { // to its end
		}
		_ = cmd.Wait() // it was killed
	}
	if out := demoed(t, 0, "--dir", dir, "--seed", "5"); !strings.Contains(out, "was killed") || !strings.Contains(out, "All that was promised held.") {
		t.Fatal(out)
	}
	first := reportsOf(t, dir)
	if out := demoed(t, 0, "--dir", dir, "--seed", "5"); !strings.Contains(out, "is replaced: an earlier demo made it (seed 5, 2 nights)") {
		t.Fatal(out)
	}
	if diff := cmp.Diff(first, reportsOf(t, dir)); diff != "" {
		t.Errorf("the same seed, other reports:\n%s", diff)
	}
}

// A signal ends a demo with 130, and its estate can be worked with.
func TestDemoInterrupted(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("there is no such signal")
	}
	dir := filepath.Join(t.TempDir(), "d")
	cmd, lines := beginDemo(t, dir)
	awaitLine(t, lines, "advance --until 2026-01-06")
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	for range lines { // to its end
	}
	if _ = cmd.Wait(); cmd.ProcessState.ExitCode() != exitInterrupted {
		t.Fatalf("ended with %v", cmd.ProcessState)
	}
	estate := filepath.Join(dir, demoEstate)
	if out := mqhk(t, "sim", "--estate", estate, "status"); !strings.Contains(out, "ORDERS") {
		t.Error(out)
	}
	mqhk(t, "sim", "--estate", estate, "advance", "10m")
	content, err := os.ReadFile(filepath.Join(dir, demoMarker))
	if err != nil || !strings.Contains(string(content), demoStopped) {
		t.Errorf("%s, %v", content, err)
	}
}

// beginDemo starts a demo in a process of its own and gives the lines that it
// prints.
func beginDemo(t *testing.T, dir string) (*exec.Cmd, <-chan string) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "demo", "--nights", "2", "--no-sync", "--dir", dir)
	cmd.Env = append(os.Environ(), asMqhk+"=1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	hang := time.AfterFunc(3*time.Minute, func() { _ = cmd.Process.Kill() })
	t.Cleanup(func() { hang.Stop(); _ = cmd.Process.Kill() })
	lines := make(chan string)
	go func() {
		defer close(lines)
		for s := bufio.NewScanner(out); s.Scan(); {
			lines <- s.Text()
		}
	}()
	return cmd, lines
}

// awaitLine waits for a line that shows a command.
func awaitLine(t *testing.T, lines <-chan string, with string) {
	t.Helper()
	for line := range lines {
		if strings.Contains(line, "$ ") && strings.Contains(line, with) {
			return
		}
	}
	t.Fatalf("the demo ended before %s", with)
}
