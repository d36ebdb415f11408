package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

var (
	// exitNote is what a line of a page says of its exit status.
	exitNote = regexp.MustCompile(`# exit (\d+): (\S+)`)
	// shownFile is a block of a page that is to be put into a file.
	shownFile = regexp.MustCompile("(?ms)^```hcl\n# (\\S+\\.hcl)\n(.*?)^```$")
	// shownBlock is a block of commands: for a shell, or for cron.
	shownBlock = regexp.MustCompile("(?ms)^```(sh|cron)\n((?:mqhk |[0-9*]).*?)^```$")
	// cronEntry is what stands before the command of a line for cron.
	cronEntry = regexp.MustCompile(`^(\S+ +){5}mqm +`)
)

// Every command of docs/simulator.md and docs/apply.md does what the page says
// when the page is followed word by word in an empty folder: it ends with 0, or
// with the status that stands behind it.
func TestSimulatorPage(t *testing.T) {
	endToEnd(t)
	t.Parallel()
	newWalk(t, "simulator.md").follow(20)
}

func TestApplyPage(t *testing.T) {
	endToEnd(t)
	t.Parallel()
	newWalk(t, "apply.md").follow(20)
}

// walk follows a page in an empty folder.
type walk struct {
	t        *testing.T
	page     string
	bin, dir string
	// here gives a line or a file of the page as it is on this machine; nil: as
	// it stands.
	here func(string) string
	// before is what happens before a command, by its line.
	before map[string]func()
}

// newWalk prepares to follow a page.
func newWalk(t *testing.T, name string) *walk {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the page is written for a shell")
	}
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", name))
	if err != nil {
		t.Fatal(err)
	}
	w := &walk{t: t, page: string(page), bin: t.TempDir(), dir: t.TempDir(), here: func(line string) string { return line }}
	self, err := filepath.Abs(os.Args[0])
	if err == nil {
		err = os.Symlink(self, filepath.Join(w.bin, "mqhk"))
	}
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// follow carries out the commands of the page, of which there are at least so
// many.
func (w *walk) follow(least int) {
	w.t.Helper()
	for _, file := range shownFile.FindAllStringSubmatch(w.page, -1) {
		path := filepath.Join(w.dir, filepath.FromSlash(file[1]))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			w.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(w.here(file[2])), 0o600); err != nil {
			w.t.Fatal(err)
		}
	}
	count := 0
	for _, block := range shownBlock.FindAllStringSubmatch(w.page, -1) {
		for line := range strings.Lines(block[2]) {
			if block[1] == "cron" {
				line = cronEntry.ReplaceAllString(line, "")
			}
			count++
			w.run(line)
		}
	}
	if count < least {
		w.t.Errorf("only %d commands were found", count)
	}
}

// run carries out one line.
func (w *walk) run(line string) {
	w.t.Helper()
	if happens := w.before[strings.TrimSpace(line)]; happens != nil {
		happens()
	}
	want, word := 0, ""
	if note := exitNote.FindStringSubmatch(line); note != nil {
		want, _ = strconv.Atoi(note[1]) // digits
		word = strings.Trim(note[2], ",")
	}
	cmd := exec.Command("sh", "-c", w.here(line))
	cmd.Dir = w.dir
	cmd.Env = append(os.Environ(), asMqhk+"=1", "PATH="+w.bin+":"+os.Getenv("PATH"), "XDG_CONFIG_HOME="+w.dir, "XDG_STATE_HOME="+w.dir)
	out, err := cmd.CombinedOutput()
	if got := cmd.ProcessState.ExitCode(); got != want || !strings.Contains(string(out), word) {
		w.t.Fatalf("%sexit %d (%v), the page says %d:\n%s", line, got, err, want, out)
	}
}
