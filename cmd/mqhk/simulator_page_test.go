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
)

// Every command of docs/simulator.md and docs/apply.md does what the page says
// when the page is followed word by word in an empty folder: it ends with 0, or
// with the status that stands behind it.
func TestSimulatorPage(t *testing.T) { endToEnd(t); follow(t, "simulator.md", 20) }
func TestApplyPage(t *testing.T)     { endToEnd(t); follow(t, "apply.md", 20) }

// follow carries out the commands of a page, of which there are at least so
// many.
func follow(t *testing.T, name string, least int) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the page is written for a shell")
	}
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", name))
	if err != nil {
		t.Fatal(err)
	}
	bin, dir := t.TempDir(), t.TempDir()
	self, err := filepath.Abs(os.Args[0])
	if err == nil {
		err = os.Symlink(self, filepath.Join(bin, "mqhk"))
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range shownFile.FindAllStringSubmatch(string(page), -1) {
		path := filepath.Join(dir, filepath.FromSlash(file[1]))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(file[2]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	count := 0
	for block := range strings.SplitSeq(string(page), "```sh\n") {
		commands, _, found := strings.Cut(block, "```")
		if !found || !strings.HasPrefix(commands, "mqhk ") {
			continue
		}
		for line := range strings.Lines(commands) {
			count++
			want, word := 0, ""
			if note := exitNote.FindStringSubmatch(line); note != nil {
				want, _ = strconv.Atoi(note[1]) // digits
				word = note[2]
			}
			cmd := exec.Command("sh", "-c", line)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), asMqhk+"=1", "PATH="+bin+":"+os.Getenv("PATH"), "XDG_CONFIG_HOME="+dir, "XDG_STATE_HOME="+dir)
			out, err := cmd.CombinedOutput()
			if got := cmd.ProcessState.ExitCode(); got != want || word != "" && !strings.Contains(string(out), strings.Trim(word, ",")) {
				t.Fatalf("%sexit %d (%v), the page says %d:\n%s", line, got, err, want, out)
			}
		}
	}
	if count < least {
		t.Errorf("only %d commands were found", count)
	}
}
