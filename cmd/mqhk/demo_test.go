package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Every difference between what was there and what came back is found: a
// message lost, added, changed, or in another place, and a unit of work.
func TestDifferences(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		one := rapid.Custom(func(t *rapid.T) message {
			m := message{put: time.Unix(rapid.Int64Range(0, 1e9).Draw(t, "put"), 0)}
			m.body[0] = rapid.Byte().Draw(t, "body")
			return m
		})
		h := holdings{queues: map[string][]message{}, inDoubt: []string{"7"}}
		for _, name := range []string{"A", "B"} {
			list := rapid.SliceOfN(one, 2, 9).Draw(t, name)
			for i := range list {
				list[i].sequence = uint64(i + 1)
			}
			h.queues[name] = list
		}
		if found := differences(h, copied(h)); len(found) > 0 {
			t.Fatalf("the same differs: %v", found)
		}
		other := copied(h)
		a := other.queues["A"]
		i := rapid.IntRange(0, len(a)-2).Draw(t, "where")
		switch rapid.SampledFrom([]string{"lost", "added", "body", "time", "order", "queue", "open", "doubt"}).Draw(t, "what") {
		case "lost":
			other.queues["A"] = append(a[:i:i], a[i+1:]...)
		case "added":
			other.queues["A"] = append(a, message{sequence: 99})
		case "body":
			a[i].body[31] ^= 1
		case "time":
			a[i].put = a[i].put.Add(time.Nanosecond)
		case "order":
			a[i], a[i+1] = a[i+1], a[i]
		case "queue":
			delete(other.queues, "B")
		case "open":
			other.open = []string{"8"}
		case "doubt":
			other.inDoubt = nil
		}
		if found := differences(h, other); len(found) == 0 {
			t.Fatal("it is not found")
		}
	})
}

func copied(h holdings) holdings {
	c := holdings{queues: map[string][]message{}, open: h.open, inDoubt: h.inDoubt}
	for name, list := range h.queues {
		c.queues[name] = append([]message{}, list...)
	}
	return c
}

// A folder is taken when it is new, empty or a demo's, and left alone
// otherwise.
func TestTakeFolder(t *testing.T) {
	marked := func(state string) string {
		content, err := json.Marshal(marker{Schema: demoSchema, State: state, Seed: 3, Nights: 2})
		if err != nil {
			t.Fatal(err)
		}
		return string(content)
	}
	for _, c := range []struct {
		name     string
		files    map[string]string // nil: the folder is not there
		replaced string
		status   int
	}{
		{"new", nil, "", 0},
		{"empty", map[string]string{}, "", 0},
		{"killed before the marker", map[string]string{demoLock: "", demoMarker + ".new": "{"}, "", 0},
		{"finished", map[string]string{demoMarker: marked(demoFinished), "estate/estate.json": "x"}, "seed 3, 2 nights", 0},
		{"stopped", map[string]string{demoMarker: marked(demoStopped)}, "stopped", 0},
		{"failed", map[string]string{demoMarker: marked(demoFailed)}, "failed", 0},
		{"killed", map[string]string{demoMarker: marked(demoRunning)}, "killed", 0},
		{"of others", map[string]string{"letter.txt": "x"}, "", exitUsage},
		{"with the name of a part", map[string]string{"estate/estate.json": "x"}, "", exitUsage},
		{"a marker of another kind", map[string]string{demoMarker: `{"schema":"mqhk.demo/v2"}`}, "", exitUsage},
		{"no marker", map[string]string{demoMarker: "hello"}, "", exitUsage},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "d")
			for name, content := range c.files {
				writeFile(t, filepath.Join(dir, name), content)
			}
			if c.files != nil {
				writeFile(t, filepath.Join(dir, demoLock), "")
			}
			before := listing(t, dir)
			folder, replaced, err := takeFolder(demonstration{dir: dir})
			if status := exitStatus(err); status != c.status || !strings.Contains(replaced, c.replaced) || (replaced == "") != (c.replaced == "") {
				t.Fatalf("%d %v, replaced %q", status, err, replaced)
			}
			if err != nil {
				if diff := cmp.Diff(before, listing(t, dir)); diff != "" {
					t.Errorf("refused, and changed: %s", diff)
				}
				return
			}
			writeFile(t, filepath.Join(dir, "mine.txt"), "x")
			if err := folder.clear(); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(filepath.Join(dir, "mine.txt")); err != nil {
				t.Errorf("what others put into the folder went: %v", err)
			}
			if _, _, err := takeFolder(demonstration{dir: dir}); exitStatus(err) != exitFailed {
				t.Errorf("two at once: %v", err)
			}
			folder.release()
			again, _, err := takeFolder(demonstration{dir: dir})
			if err != nil {
				t.Fatal(err)
			}
			again.release()
		})
	}
}

func exitStatus(err error) int {
	if err == nil {
		return 0
	}
	return exitOf(err)
}

func writeFile(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func listing(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// What is shown can be typed: a shell takes it apart into the same arguments.
func TestCommandLine(t *testing.T) {
	for want, args := range map[string][]string{
		"mqhk plan --config d/mqhk.d":                           {"plan", "--config", "d/mqhk.d"},
		"mqhk sim cl A 'CRTLIB LIB(X)'":                         {"sim", "cl", "A", "CRTLIB LIB(X)"},
		`mqhk sim cl A "TRANNUM('0,1')"`:                        {"sim", "cl", "A", "TRANNUM('0,1')"},
		`mqhk --dir 'it'\''s $HOME' ''`:                         {"--dir", "it's $HOME", ""},
		"mqhk a \\\n      '" + strings.Repeat("x ", 60) + "' b": {"a", strings.Repeat("x ", 60), "b"},
	} {
		if got := commandLine(args); got != want {
			t.Errorf("%q is shown as %s", args, got)
		}
	}
}

func TestGrouped(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 41207: "41,207", 1234567: "1,234,567"} {
		if got := grouped(n); got != want {
			t.Errorf("%d is %s, want %s", n, got, want)
		}
	}
}

// A long list is shown by its ends, and the count of what is left out is right.
func TestShort(t *testing.T) {
	if got := short("1\n2\n3\n4\n5\n6\n7\n"); got != "1\n2\n3\n4\n5\n6\n7\n" {
		t.Error(got)
	}
	if got := short("1\n2\n3\n4\n5\n6\n7\n8\n"); got != "1\n2\n3\n4\n... 2 more lines ...\n7\n8\n" {
		t.Error(got)
	}
}

// demoed gives a demo and the exit status that it has to have.
func demoed(t *testing.T, want int, args ...string) string {
	t.Helper()
	var out, problems bytes.Buffer
	args = append([]string{"demo", "--nights", "2", "--no-sync"}, args...)
	if status := execute(args, &out, &problems); status != want {
		t.Fatalf("mqhk %s: exit %d, want %d: %s%s", strings.Join(args, " "), status, want, out.String(), problems.String())
	}
	return out.String()
}

// sums are those of saved receivers: each queue manager that is made has an
// identity of its own in its log, as a real one has.
var sums = regexp.MustCompile(`SHA-256 [0-9a-f]{64}`)

// reportsOf gives the reports of a demo without what is of the runs themselves.
func reportsOf(t *testing.T, dir string) map[string]any {
	t.Helper()
	all := map[string]any{}
	for _, name := range []string{"three-policies", "first-run", "conservative", "aggressive", "linux-first-run", "linux-fast-startup"} {
		content, err := os.ReadFile(filepath.Join(dir, demoReports, name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		var record map[string]any
		if err := json.Unmarshal(sums.ReplaceAll(content, []byte("SHA-256")), &record); err != nil {
			t.Fatal(err)
		}
		delete(record, "run")
		all[name] = record
	}
	return all
}
