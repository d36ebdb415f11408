package host

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// leftovers looks at what there is, and once more when the test is over: no
// process, file in the socket base, file descriptor or goroutine may be there
// that was not there before. A test that uses it can't be parallel. It gives
// the socket base.
func leftovers(t *testing.T) (base string) {
	t.Helper()
	base, err := os.MkdirTemp("/tmp", "mqhk-left-") //nolint:usetesting // a short path, for a socket
	if err != nil {
		t.Fatal(err)
	}
	if _, err := self(); err != nil { // it stays open
		t.Fatal(err)
	}
	running := goleak.IgnoreCurrent()
	before := inventoryOf(base)
	t.Cleanup(func() {
		var more []string
		for until := time.Now().Add(2 * time.Second); time.Now().Before(until); time.Sleep(5 * time.Millisecond) {
			if more = newIn(before, inventoryOf(base)); len(more) == 0 {
				break
			}
		}
		for _, thing := range more {
			t.Errorf("left behind: %s", thing)
		}
		if err := goleak.Find(running); err != nil {
			t.Error(err)
		}
		_ = os.RemoveAll(base)
	})
	return base
}

// inventoryOf names all that a plugin could leave behind.
func inventoryOf(base string) map[string]bool {
	things := make(map[string]bool)
	own := os.Getpid()
	for _, p := range descendants(own) {
		things[fmt.Sprintf("process %d started at %d: %s", p.pid, p.start, cmdline(p.pid))] = true
	}
	for pid := range allProcs() {
		m, err := readMark(pid)
		bears := err == nil && strings.HasPrefix(m.dir, base)
		if sleeps := strings.HasSuffix(cmdline(pid), sleepFor); bears || sleeps {
			things[fmt.Sprintf("process %d: %s", pid, cmdline(pid))] = true
		}
	}
	fds, _ := names("/proc/self/fd")
	for _, fd := range fds {
		if to, err := os.Readlink("/proc/self/fd/" + fd); err == nil && !strings.HasPrefix(to, "/proc/") {
			things["file descriptor "+fd+" of "+to] = true
		}
	}
	files, _ := filepath.Glob(filepath.Join(base, "*", "*"))
	dirs, _ := filepath.Glob(filepath.Join(base, "*"))
	for _, file := range slices.Concat(dirs, files) {
		things["file "+file] = true
	}
	return things
}

// sleepFor is how long what a plugin leaves behind sleeps: a number that no
// other process of the machine is given.
var sleepFor = fmt.Sprintf("600.%d", os.Getpid())

func cmdline(pid int) string {
	words, _ := os.ReadFile(procPath(pid, "cmdline"))
	return strings.TrimSpace(strings.ReplaceAll(string(words), "\x00", " "))
}

func newIn(before, after map[string]bool) []string {
	var more []string
	for _, thing := range slices.Sorted(maps.Keys(after)) {
		if !before[thing] {
			more = append(more, thing)
		}
	}
	return more
}
