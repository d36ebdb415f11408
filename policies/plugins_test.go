package policies

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// writeFiles makes a configuration directory.
func writeFiles(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestPluginSettings(t *testing.T) {
	dir := writeFiles(t, map[string]string{"site.hcl": `plugins {
  directory   = "plugins"
  start_limit = "20s"
  call_limit  = "1h"
  stop_limit  = "500ms"
  memory      = "1GiB"
  questions   = 5000
  message     = "8MiB"
  plan        = "100MiB"
  log_rate    = 50
}
`})
	c, err := Load(testChecks(), dir)
	if err != nil {
		t.Fatal(err)
	}
	want := PluginSettings{
		Directory:  filepath.Join(dir, "plugins"), // relative to the file that says it, as a store's path is
		StartLimit: 20 * time.Second, CallLimit: time.Hour, StopLimit: 500 * time.Millisecond,
		Memory: 1 << 30, Questions: 5000, Message: 8 << 20, Plan: 100 << 20, LogRate: 50,
	}
	if diff := cmp.Diff(want, c.Plugins, cmpopts.IgnoreFields(PluginSettings{}, "At")); diff != "" {
		t.Error(diff)
	}
}

// Without a block there is no directory: not that of the configuration, and
// never the working directory.
func TestNoPluginSettings(t *testing.T) {
	c, err := Load(testChecks(), writeFiles(t, map[string]string{"a.hcl": "plugins {\n}\n"}))
	if err != nil || c.Plugins.Directory != "" {
		t.Errorf("an empty block: %q, %v", c.Plugins.Directory, err)
	}
	if c, err = Load(testChecks(), t.TempDir()); err != nil || c.Plugins != (PluginSettings{}) {
		t.Errorf("no block: %v, %v", c.Plugins, err)
	}
}

// There is one plugins block in all files of a configuration together.
func TestPluginSettingsTwice(t *testing.T) {
	dir := writeFiles(t, map[string]string{"a.hcl": "plugins {\n}\n", "b.hcl": "\nplugins {\n}\n"})
	_, err := Load(testChecks(), dir)
	var ds Diagnostics
	if !errors.As(err, &ds) || len(ds) != 1 || ds[0].Line != 2 || !strings.Contains(ds[0].Detail, "a.hcl:1:1") {
		t.Errorf("got %v", err)
	}
}

// A file beside the configuration can't say where plugins are: it may be
// anybody's.
func TestPluginSettingsInPolicyFile(t *testing.T) {
	c, err := Load(testChecks(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir := writeFiles(t, map[string]string{"p.hcl": `plugins {
  directory = "/tmp"
}
policy "p" {
  task "journal" "r" {
    targets  = ["ibmi/*"]
    strategy = "conservative"
  }
}
`})
	_, err = c.Find(filepath.Join(dir, "p.hcl"))
	var ds Diagnostics
	if !errors.As(err, &ds) || len(ds) != 1 || ds[0].Line != 1 || ds[0].Summary != "plugins in a policy file" {
		t.Errorf("got %v", err)
	}
}

// The lock file lies beside policy files and is none.
func TestLoadPassesOverTheLock(t *testing.T) {
	dir := writeFiles(t, map[string]string{LockName: "plugin \"fdc\" {\n"})
	if _, err := Load(testChecks(), dir); err != nil {
		t.Error(err)
	}
}

// A task may name a plugin that is locked, though nobody knows its settings
// yet; of one that is in no list the message says what is to be done.
func TestLockedPluginIsKnown(t *testing.T) {
	task := func(plugin string) string {
		return writeFiles(t, map[string]string{"p.hcl": `policy "p" {
  task "` + plugin + `" "t" {
    targets  = ["multiplatforms/*"]
    strategy = "conservative"
    config {
      anything = "goes"
    }
  }
}
`})
	}
	checks := testChecks()
	checks.Locked = []string{"tidy"}
	if _, err := Load(checks, task("tidy")); err != nil {
		t.Errorf("a locked plugin: %v", err)
	}
	for plugin, want := range map[string]string{
		"tydy":     `did you mean "tidy"?`,
		"jurnal":   `did you mean "journal"?`,
		"whatever": "mqhk plugin lock whatever",
	} {
		_, err := Load(checks, task(plugin))
		var ds Diagnostics
		if !errors.As(err, &ds) || len(ds) != 1 || ds[0].Line != 2 || !strings.Contains(ds[0].Detail, want) {
			t.Errorf("%s: %v, want %q", plugin, err, want)
		}
	}
}
