package main

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
)

// lay writes a file of that age and gives it as a plan would name it.
func lay(t *testing.T, folder, name string, age time.Duration) item {
	t.Helper()
	path := filepath.Join(folder, name)
	if err := os.WriteFile(path, []byte("+---+\n"), 0o660); err != nil {
		t.Fatal(err)
	}
	modified := night.Add(-age)
	if err := os.Chtimes(path, modified, modified); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	return itemOf(folder, observe.ListedFile{Name: name, Bytes: info.Size(), Modified: info.ModTime()})
}

// must fails the test for an error of its own preparations.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func namesIn(t *testing.T, folder string) []string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	must(t, err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func needLinks(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("nothing is removed on Windows (README.md)")
	}
}

func TestRemovesWhatIsNamedAndNothingElse(t *testing.T) {
	needLinks(t)
	folder := t.TempDir()
	named := []item{lay(t, folder, "AMQ1.0.FDC", 40*day), lay(t, folder, "AMQ2.0.FDC", 41*day)}
	lay(t, folder, "AMQ3.0.FDC", 42*day)
	lay(t, folder, "AMQERR01.LOG", 43*day)
	gone := lay(t, folder, "AMQ4.0.FDC", 44*day)
	must(t, os.Remove(filepath.Join(folder, gone.name)))

	result := remove(t.Context(), folder, append(named, gone))
	if want := "2 removed: AMQ1.0.FDC, AMQ2.0.FDC; 1 gone before: AMQ4.0.FDC"; result.State != plugins.Done || result.Evidence != want {
		t.Errorf("%+v, want %s", result, want)
	}
	if left := namesIn(t, folder); !slices.Equal(left, []string{"AMQ3.0.FDC", "AMQERR01.LOG"}) {
		t.Errorf("left are %q", left)
	}
}

// What changed between the plan and its apply is left alone, and said.
func TestLeavesAloneWhatChanged(t *testing.T) {
	needLinks(t)
	for _, test := range []struct {
		name   string
		change func(t *testing.T, path string)
		says   string
	}{
		{"it grew", func(t *testing.T, path string) {
			must(t, os.WriteFile(path, []byte("+---+\n+---+\n"), 0o660))
			must(t, os.Chtimes(path, night.Add(-40*day), night.Add(-40*day)))
		}, "bytes=12"},
		{"it was written to", func(t *testing.T, path string) {
			must(t, os.Chtimes(path, night, night))
		}, "modified=2026-05-28T02:00:00Z"},
		{"by a nanosecond", func(t *testing.T, path string) {
			must(t, os.Chtimes(path, night, night.Add(-40*day+1)))
		}, "00.000000001Z"},
		{"another name of it", func(t *testing.T, path string) {
			must(t, os.Link(path, filepath.Join(filepath.Dir(path), "kept-for-ibm")))
		}, "2 names"},
		{"a link", func(t *testing.T, path string) {
			must(t, os.Rename(path, path+".moved"))
			must(t, os.Symlink(path+".moved", path))
		}, "no regular file"},
		{"a directory", func(t *testing.T, path string) {
			must(t, os.Remove(path))
			must(t, os.Mkdir(path, 0o770))
		}, "no regular file"},
	} {
		t.Run(test.name, func(t *testing.T) {
			folder := t.TempDir()
			changed, other := lay(t, folder, "AMQ1.0.FDC", 40*day), lay(t, folder, "AMQ2.0.FDC", 40*day)
			test.change(t, filepath.Join(folder, changed.name))
			before := namesIn(t, folder)

			result := remove(t.Context(), folder, []item{changed, other})
			if result.State != plugins.Failed || !strings.HasPrefix(result.Evidence, "1 left alone: AMQ1.0.FDC (") ||
				!strings.Contains(result.Evidence, test.says) || !strings.HasSuffix(result.Evidence, "1 removed: AMQ2.0.FDC") {
				t.Errorf("%+v", result)
			}
			want := slices.DeleteFunc(before, func(name string) bool { return name == other.name })
			if left := namesIn(t, folder); !slices.Equal(left, want) {
				t.Errorf("left are %q, want %q", left, want)
			}
		})
	}
}

func TestRemovesNothingBehindALink(t *testing.T) {
	needLinks(t)
	real := filepath.Join(t.TempDir(), "errors")
	must(t, os.Mkdir(real, 0o770))
	lay(t, real, "AMQ1.0.FDC", 40*day)
	link := filepath.Join(t.TempDir(), "errors")
	must(t, os.Symlink(real, link))
	named := lay(t, link, "AMQ1.0.FDC", 40*day)

	if result := remove(t.Context(), link, []item{named}); result.State != plugins.Failed || !strings.Contains(result.Evidence, "is a link") {
		t.Errorf("%+v", result)
	}
	if left := namesIn(t, real); len(left) != 1 {
		t.Errorf("left are %q", left)
	}
}

func TestStopsWhenTheHostDoes(t *testing.T) {
	folder := t.TempDir()
	named := lay(t, folder, "AMQ1.0.FDC", 40*day)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if result := remove(ctx, folder, []item{named}); result.State != plugins.Failed || len(namesIn(t, folder)) != 1 {
		t.Errorf("%+v, left are %q", result, namesIn(t, folder))
	}
}

// An action has been in other hands between plan and apply: in a file, for a
// day. One item that this plugin would not have written refuses all of it.
func TestItemsThatNoPlanWrote(t *testing.T) {
	const errors, good = "/var/mqm/errors", "/var/mqm/errors/AMQ1.0.FDC bytes=6 modified=2026-04-18T02:00:00Z"
	for _, test := range []struct{ name, object, text, says string }{
		{"good", errors, good, ""},
		{"another directory", "/var/mqm/log/QM1/active", good, "no directory of reports"},
		{"outside it", errors, "/var/mqm/trace/AMQ1.0.FDC bytes=6 modified=2026-04-18T02:00:00Z", "is not in"},
		{"out of it", errors, "/var/mqm/errors/../AMQ1.0.FDC bytes=6 modified=2026-04-18T02:00:00Z", "as this plugin writes it"},
		{"below it", errors, "/var/mqm/errors/x/AMQ1.0.FDC bytes=6 modified=2026-04-18T02:00:00Z", "is not in"},
		{"the queue manager's own log", errors, "/var/mqm/errors/AMQERR01.LOG bytes=6 modified=2026-04-18T02:00:00Z", "no kind"},
		{"an extent", errors, "/var/mqm/errors/S0000000.LOG bytes=6 modified=2026-04-18T02:00:00Z", "no kind"},
		{"no size", errors, "/var/mqm/errors/AMQ1.0.FDC", "size and time"},
		{"a size in another form", errors, "/var/mqm/errors/AMQ1.0.FDC bytes=06 modified=2026-04-18T02:00:00Z", "as this plugin writes it"},
		{"too large a size", errors, "/var/mqm/errors/AMQ1.0.FDC bytes=99999999999999999999 modified=2026-04-18T02:00:00Z", "size and time"},
		{"no time", errors, "/var/mqm/errors/AMQ1.0.FDC bytes=6 modified=yesterday", "size and time"},
		{"nothing", errors, "", "size and time"},
	} {
		action := plugins.Action{QueueManager: "QM1", Object: test.object, Items: []string{good, test.text}}
		items, err := itemsOf(action, []string{errors, "/var/mqm/trace"})
		switch {
		case test.says == "" && (err != nil || len(items) != 2 || items[1].String() != good):
			t.Errorf("%s: %v, %v", test.name, items, err)
		case test.says != "" && (err == nil || items != nil || !strings.Contains(err.Error(), test.says)):
			t.Errorf("%s: %v, %v, want %q", test.name, items, err, test.says)
		}
	}
}

func FuzzItem(f *testing.F) {
	for _, text := range []string{"/var/mqm/errors/AMQ1.0.FDC bytes=6 modified=2026-04-18T02:00:00.000000001Z", "/ bytes=0 modified=2026-04-18T02:00:00Z", "/a b/c bytes=1 bytes=2 modified=x", ""} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		i, err := parseItem(text)
		if err != nil {
			return
		}
		if i.String() != text || !filepath.IsAbs(i.folder) || strings.Contains(i.name, "/") && i.name != "/" {
			t.Errorf("%q is read as %+v", text, i)
		}
	})
}
