package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"

	versions "github.com/mqhk/mqhk"
	"github.com/mqhk/mqhk/plugins/plugintest"
)

// The modules that a new plugin's go.mod names are those that the packages for
// plugins are built with, and this module has a version and sums of each.
func TestKitModules(t *testing.T) {
	cmd := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", "./plugins/serve", "./plugins/plugintest")
	cmd.Dir = filepath.Join("..", "..")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	used := strings.Fields(string(out))
	slices.Sort(used)
	used = slices.DeleteFunc(slices.Compact(used), func(path string) bool { return path == "github.com/mqhk/mqhk" })
	if !slices.Equal(used, kitModules) {
		t.Errorf("the packages use\n%q, the list has\n%q", used, kitModules)
	}
	ours, err := modfile.Parse("go.mod", versions.GoMod, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range kitModules {
		i := slices.IndexFunc(ours.Require, func(r *modfile.Require) bool { return r.Mod.Path == path })
		if i < 0 || !strings.Contains(string(versions.GoSum), path+" "+ours.Require[i].Mod.Version+" h1:") {
			t.Errorf("%s has no version, or no sum", path)
		}
	}
}

// Every step of docs/plugins.md does what the page says when the page is
// followed word by word, from nothing to a plugin that plans on the simulator.
// No step needs a network: what the plugin is built with is there, and the
// proxy is off.
func TestPluginsPage(t *testing.T) {
	endToEnd(t)
	w := newWalk(t, "plugins.md")
	t.Setenv("GOFLAGS", "")
	t.Setenv("GOPROXY", "off")
	checkout, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	w.here = func(text string) string {
		text = strings.ReplaceAll(text, "~/src/mqhk", checkout)
		if dir, ok := strings.CutPrefix(text, "cd "); ok { // each line has a shell of its own
			w.dir = filepath.Join(w.dir, strings.TrimSpace(dir))
			return "true"
		}
		return text
	}
	w.follow(15)
	for name, args := range map[string][]string{"gofmt": {"gofmt", "-l", "."}, "vet": {"go", "vet", "./..."}, "tidy": {"go", "build", "-mod=readonly", "-o", os.DevNull, "."}} {
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir = w.dir
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}

const (
	checksBegin = "<!-- checks: written by go test ./cmd/mqhk -run PluginsPageLists -update -->\n"
	checksEnd   = "<!-- end of checks -->"
)

// The page lists the checks as the program makes them.
func TestPluginsPageListsTheChecks(t *testing.T) {
	var want strings.Builder
	want.WriteString("| check | what a plugin that passes it does | what it means where it fails |\n| --- | --- | --- |\n")
	for _, check := range plugintest.Checks() {
		fmt.Fprintf(&want, "| `%s` | %s | %s |\n", check.Name, check.Shows, check.Fails)
	}
	page := filepath.Join("..", "..", "docs", "plugins.md")
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, begins := strings.Cut(string(text), checksBegin)
	shown, after, ends := strings.Cut(rest, checksEnd)
	switch {
	case !begins || !ends:
		t.Fatal("the page has no place for the checks")
	case shown == want.String():
	case *update:
		if err := os.WriteFile(page, []byte(before+checksBegin+want.String()+checksEnd+after), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Error("the checks on the page are not those that are made; run with -update")
	}
}
