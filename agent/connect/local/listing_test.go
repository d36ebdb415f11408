package local

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

// Both ways show the same lines, whatever the names are.
func TestListing(t *testing.T) {
	both(t, case18(), func(t *testing.T, s *station) {
		modified := time.Date(2026, 5, 27, 12, 0, 0, 123456789, time.UTC)
		s.must(os.Chtimes(s.path(100), time.Time{}, modified))
		s.must(os.Chmod(s.path(100), 0o660))
		for _, name := range []string{"with blank", "line\nend", `quote"`, "größe", "-rf", ">>> QMGR"} {
			s.must(os.WriteFile(filepath.Join(s.log, name), []byte("x"), 0o600))
		}
		s.must(os.Symlink("S0000100.LOG", filepath.Join(s.log, "link")))
		body, err := s.ask(observe.LogDir, s.log)
		s.must(err)
		info, err := os.Stat(s.path(100))
		s.must(err)
		owner := owners{}.of(info)
		lines := strings.Split(strings.TrimSuffix(string(body), "\n"), "\n")
		if want := "S0000100.LOG 65536 2026-05-27T12:00:00.123456789Z " + owner + " -rw-rw----"; !slices.Contains(lines, want) {
			t.Errorf("no line %q in\n%s", want, body)
		}
		if len(lines) != 31+7 {
			t.Errorf("%d lines:\n%s", len(lines), body)
		}
		for _, quoted := range []string{`"with blank" 1 `, `"line\nend" 1 `, `"quote\"" 1 `, strconv.Quote("größe") + " 1 ", `-rf 1 `, `">>> QMGR" 1 `} {
			if !slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, quoted) }) {
				t.Errorf("no line %q in\n%s", quoted, body)
			}
		}
		body, err = s.ask(observe.LogDir, filepath.Dir(s.log))
		if err != nil || !strings.Contains(string(body), "amqhlctl.lfh 3 ") || !strings.Contains(string(body), "\nactive ") && !strings.HasPrefix(string(body), "active ") {
			t.Errorf("%v: %s", err, body)
		}
	})
}

func TestModeText(t *testing.T) {
	for want, mode := range map[string]fs.FileMode{
		"-rw-rw----": 0o660, "drwxrws---": fs.ModeDir | fs.ModeSetgid | 0o770, "drwxrwsr-x": fs.ModeDir | fs.ModeSetgid | 0o775,
		"drwxrwxrwt": fs.ModeDir | fs.ModeSticky | 0o777, "-rwSr-Sr-T": fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky | 0o644,
		"lrwxrwxrwx": fs.ModeSymlink | 0o777, "prw-------": fs.ModeNamedPipe | 0o600, "crw-rw-rw-": fs.ModeDevice | fs.ModeCharDevice | 0o666,
		"brw-rw----": fs.ModeDevice | 0o660, "srwx------": fs.ModeSocket | 0o700,
	} {
		if got := modeText(mode); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestParseListed(t *testing.T) {
	for line, want := range map[string]string{
		`total 12`: "",
		`-rw-rw---- 1 mqm mqm 16785408 1779840000.123456789 "S0000100.LOG"`: "S0000100.LOG 16785408 2026-05-27T00:00:00.123456789Z mqm:mqm -rw-rw----\n",
		`-rw-rw----. 1 mqm mqm 5 1779840000.000000000 "a b"`:                "\"a b\" 5 2026-05-27T00:00:00Z mqm:mqm -rw-rw----\n",
		`lrwxrwxrwx 1 mqm mqm 5 1779840000.000000000 "l" -> "x \" y"`:       "l 5 2026-05-27T00:00:00Z mqm:mqm lrwxrwxrwx\n",
		`crw-rw-rw- 1 root root 1, 3 1779840000.000000000 "null"`:           "",
		`-rw-rw---- 1 mqm mqm x 1779840000.000000000 "a"`:                   "error",
		`-rw-rw---- 1 mqm mqm 5 1779840000.5 "a"`:                           "error",
		`-rw-rw---- 1 mqm mqm 5 May 27 12:00 S0000100.LOG`:                  "error",
	} {
		e, ok, err := parseListed(line)
		got := ""
		switch {
		case err != nil:
			got = "error"
		case ok:
			got = string(e.appendTo(nil))
		}
		if got != want {
			t.Errorf("%s\ngot  %q\nwant %q", line, got, want)
		}
	}
}

func FuzzParseListed(f *testing.F) {
	f.Add(`-rw-rw---- 1 mqm mqm 16785408 1779840000.123456789 "S0000100.LOG"`)
	f.Add(`lrwxrwxrwx 1 mqm mqm 5 1779840000.000000000 "l" -> "x"`)
	f.Fuzz(func(t *testing.T, line string) {
		if e, ok, err := parseListed(line); err == nil && ok && (e.bytes < 0 || strings.Count(string(e.appendTo(nil)), "\n") != 1) {
			t.Errorf("%q became %+v", line, e)
		}
	})
}

// The fingerprint of a file comes to what stat prints of it, and back.
func TestStatOf(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bytes, nano := rapid.Int64Min(1).Draw(t, "bytes"), rapid.Int64Range(0, 4e18).Draw(t, "nano")
		text := observe.Extent{Bytes: bytes, Modified: time.Unix(0, nano)}.Fingerprint()
		got, err := statOf(text)
		if want := fmt.Sprintf("regular file|1|%d|%d.%09d", bytes, nano/1e9, nano%1e9); got != want || err != nil {
			t.Fatalf("%s: %q, %v, want %q", text, got, err, want)
		}
	})
	for _, bad := range []string{"", "bytes=5", "bytes=x modified=2026-05-27T12:00:00Z", "bytes=5 modified=today", "bytes=5 modified=2026-05-27T12:00:00Z; rm"} {
		if _, err := statOf(bad); err == nil {
			t.Errorf("%q", bad)
		}
	}
}

// Listing and deleting many extents costs no more than looking and unlinking.
func BenchmarkRemove(b *testing.B) {
	const many = 20_000
	for b.Loop() {
		b.StopTimer()
		folder := b.TempDir()
		names := make([]string, many)
		for i := range names {
			names[i] = observe.ExtentName(i)
			if err := os.WriteFile(filepath.Join(folder, names[i]), nil, 0o600); err != nil {
				b.Fatal(err)
			}
		}
		m := newMachine(Settings{})
		open, err := m.files.open(b.Context(), folder)
		if err != nil {
			b.Fatal(err)
		}
		w := newWriter(m)
		w.places["QM1"] = &place{folder: open, path: folder}
		m.said.newest["QM1"] = reading{path: folder, logType: "LINEAR", current: observe.ExtentName(many), restart: observe.ExtentName(many)}
		removals := make([]connect.Removal, many)
		for i, name := range names {
			info, err := os.Lstat(filepath.Join(folder, name))
			if err != nil {
				b.Fatal(err)
			}
			removals[i] = connect.Removal{Segment: recovery.SegmentID{QueueManager: "QM1", Name: name}, Fingerprint: fingerprintOf(info)}
		}
		b.StartTimer()
		began := time.Now()
		if _, err := m.files.list(b.Context(), folder); err != nil {
			b.Fatal(err)
		}
		listed := time.Since(began)
		for _, r := range removals {
			if _, state, err := w.Remove(b.Context(), r); state != plugins.Done {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(listed.Microseconds())/many, "µs/listed")
		b.ReportMetric(float64((time.Since(began)-listed).Microseconds())/many, "µs/removed")
	}
}
