package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

func sized(t *testing.T, want int, args ...string) (out, problems string) {
	t.Helper()
	var o, p bytes.Buffer
	if code := execute(append([]string{"size", "log"}, args...), &o, &p); code != want {
		t.Fatalf("mqhk size log %s: exit status %d, want %d: %s", strings.Join(args, " "), code, want, &p)
	}
	return o.String(), p.String()
}

// The numbers are those of the worked examples of package logsize.
func TestSizeLogJSON(t *testing.T) {
	out, _ := sized(t, 0, "--puts", "10", "--length", "2KiB", "--longest", "1m", "--format", "json")
	var r sizeResult
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	if r.Schema != "mqhk.size/v1" || r.Type != "circular" || r.Pages != 4096 || r.Primary != 3 || r.Secondary != 2 ||
		r.Peak != 45_590 || r.Span != 25_580_940 || r.Checkpoint != 500 || r.Files != 5 || r.FileSystem != 5*4098*4096 {
		t.Errorf("%+v", r)
	}
	if len(r.Steps) < 8 || r.Steps[0].Numbers != "750 + 2048" {
		t.Errorf("%+v", r.Steps)
	}
	out, _ = sized(t, 0, "--puts", "10", "--length", "2KiB", "--longest", "1m", "--release", "5.3", "--format", "json")
	if err := json.Unmarshal([]byte(out), &r); err != nil || r.Pages != 1024 || r.Primary != 8 || r.Secondary != 4 {
		t.Errorf("%v, %+v", err, r)
	}
}

// Without the longest unit of work, or the images of a linear log, there is no
// figure that could be true.
func TestSizeLogRefuses(t *testing.T) {
	load := func(more ...string) []string { return append([]string{"--puts", "1", "--longest", "1m"}, more...) }
	for want, commands := range map[int][][]string{
		exitUsage: {
			{}, {"--longest", "1m"}, {"--puts", "1"}, {"--puts", "1", "--longest", "soon"},
			load("--puts", "-1"), load("--length", "2"), load("--type", "replicated"), load("--type", "linear"),
			load("--type", "linear", "--depth", "5", "--keep", "1h"), load("--depth", "5"), load("--burst", "0.5"), load("--format", "script"),
		},
		exitFailed: {{"--puts", "1000", "--longest", "1000h"}},
	} {
		for _, args := range commands {
			if _, problems := sized(t, want, args...); !strings.HasPrefix(problems, "mqhk: ") {
				t.Errorf("%v: %q", args, problems)
			}
		}
	}
}

// docs/size.md shows what is printed.
func TestSizePage(t *testing.T) {
	out, _ := sized(t, 0, "--puts", "50", "--length", "2KiB", "--longest", "5m", "--burst", "3",
		"--type", "linear", "--depth", "10000", "--images", "1h", "--keep", "2h")
	checkExample(t, "size.md", out)
}
