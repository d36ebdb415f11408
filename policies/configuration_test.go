package policies

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/recovery"
)

const ownConservative = `policy "conservative" {
  task "journal" "receivers" {
    targets  = ["ibmi/*"]
    strategy = "conservative"
    margin   = 7
  }
}
`

func TestFind(t *testing.T) {
	dir := t.TempDir()
	own, other := filepath.Join(dir, "own.hcl"), filepath.Join(t.TempDir(), "other.hcl")
	both := ownConservative + `store "vault" {
  kind = "external"
}
`
	for path, text := range map[string]string{own: both, other: strings.Replace(ownConservative, `"conservative" {`, `"other" {`, 1)} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c, err := Load(testChecks(), dir)
	if err != nil {
		t.Fatal(err)
	}
	found, err := c.Find("aggressive", "conservative", "conservative", other, own)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, p := range found {
		names = append(names, p.Name)
	}
	if !slices.Equal(names, []string{"aggressive", "conservative", "other"}) {
		t.Errorf("found %v", names)
	}
	// The site's policy takes the place of the bundled one.
	if found[1].Bundled || found[1].Tasks[0].Margin != 7 || !found[0].Bundled {
		t.Errorf("conservative comes from %s, aggressive from %s", found[1].At, found[0].At)
	}
}

func TestFindRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.hcl")
	if err := os.WriteFile(path, []byte("store \"s\" {\n  kind = \"external\"\n}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := loadValid(t)
	for want, message := range map[string]string{
		"conservativ":      `there is no policy "conservativ"; did you mean "conservative"?`,
		"nothing like it":  "it is one of aggressive, conservative, fast-startup, orders, structures, unscheduled",
		"./absent.hcl":     "policy file ./absent.hcl",
		path:               "a store in a policy file",
		"testdata/valid/x": "no such file",
	} {
		if _, err := c.Find(want); err == nil || !strings.Contains(err.Error(), message) {
			t.Errorf("Find(%s): %v, want %q", want, err, message)
		}
	}
	var unknown *UnknownPolicy
	if _, err := c.Find("x"); !errors.As(err, &unknown) || unknown.Name != "x" {
		t.Errorf("Find(x): %v, want UnknownPolicy", err)
	}
	var ds Diagnostics
	if _, err := c.Find(path); !errors.As(err, &ds) {
		t.Errorf("Find(%s): %v, want Diagnostics", path, err)
	}
}

// The design's matrix for journals and log extents, and that none applies by
// itself. Nobody asks for an archive of extents under conservative, and no save
// job has them.
func TestBundled(t *testing.T) {
	type task struct {
		plugin, name, target string
		store                string
		unsaved              recovery.Unsaved
	}
	receivers := func(store string, unsaved recovery.Unsaved) task {
		return task{"journal", "receivers", "ibmi/*", store, unsaved}
	}
	extents := func(store string, unsaved recovery.Unsaved) task {
		return task{"archive", "extents", "multiplatforms/*", store, unsaved}
	}
	structures := task{"cfbackup", "structures", "zos/*", "", recovery.HoldUnsaved}
	dataSets := task{"smdsexpand", "data-sets", "zos/*", "", recovery.HoldUnsaved}
	want := []struct {
		name  string
		tasks []task
	}{
		{"conservative", []task{receivers("", recovery.HoldUnsaved), extents("", recovery.DeleteUnsaved), structures, dataSets}},
		{"fast-startup", []task{receivers("vault", recovery.SaveUnsaved), extents("vault", recovery.SaveUnsaved), structures, dataSets}},
		{"aggressive", []task{receivers("vault", recovery.SaveUnsaved), extents("vault", recovery.SaveUnsaved), structures, dataSets}},
	}
	bundled := Bundled(Checks{})
	if len(bundled) != len(want) {
		t.Fatalf("%d bundled policies", len(bundled))
	}
	for i, w := range want {
		p := bundled[i]
		if p.Name != w.name || !p.Bundled || len(p.Tasks) != len(w.tasks) || p.Schedule.Mode != Plan {
			t.Fatalf("bundled policy %d is %q, mode %s, %d tasks", i, p.Name, p.Schedule.Mode, len(p.Tasks))
		}
		for j, got := range p.Tasks {
			promise := got.Promise()
			if is := (task{got.Plugin, got.Name, strings.Join(got.Targets, " "), got.Store, promise.Unsaved}); is != w.tasks[j] ||
				promise.Strategy.String() != w.name || promise.MaxPercent != 0 || promise.TrustErrorLog {
				t.Errorf("%s: %+v, want %+v", w.name, got, w.tasks[j])
			}
			if ofLogs := j < 2; ofLogs != (promise.MaxDeletes == 500) || ofLogs != (got.Schedule == nil) || p.ScheduleOf(got).Mode != Plan {
				t.Errorf("%s: %s deletes %d at most, schedule %v", w.name, got.Name, promise.MaxDeletes, got.Schedule)
			}
		}
		if text, ok := BundledSource(w.name); !ok || !strings.Contains(text, "policy \""+w.name+"\"") {
			t.Errorf("the source of %s: %v", w.name, ok)
		}
	}
}
