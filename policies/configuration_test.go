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
		"nothing like it":  "it is one of aggressive, conservative, fast-startup, orders, unscheduled",
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

// The design's matrix for the journal, and that none applies by itself.
func TestBundled(t *testing.T) {
	want := []struct {
		name       string
		store      string
		unsaved    recovery.Unsaved
		maxPercent int
	}{
		{"conservative", "", recovery.HoldUnsaved, 0},
		{"fast-startup", "vault", recovery.SaveUnsaved, 0},
		{"aggressive", "vault", recovery.SaveUnsaved, 0},
	}
	bundled := Bundled()
	if len(bundled) != len(want) {
		t.Fatalf("%d bundled policies", len(bundled))
	}
	for i, w := range want {
		p := bundled[i]
		if p.Name != w.name || !p.Bundled || len(p.Tasks) != 1 || p.Schedule.Mode != Plan {
			t.Errorf("bundled policy %d is %q, mode %s", i, p.Name, p.Schedule.Mode)
		}
		task := p.Tasks[0]
		promise := task.Promise()
		if task.Plugin != "journal" || task.Name != "receivers" || !slices.Equal(task.Targets, []string{"ibmi/*"}) ||
			task.Store != w.store || promise.Strategy.String() != w.name || promise.Unsaved != w.unsaved ||
			promise.MaxDeletes != 500 || promise.MaxPercent != w.maxPercent {
			t.Errorf("%s: %+v", w.name, promise)
		}
		if text, ok := BundledSource(w.name); !ok || !strings.Contains(text, "policy \""+w.name+"\"") {
			t.Errorf("the source of %s: %v", w.name, ok)
		}
	}
}
