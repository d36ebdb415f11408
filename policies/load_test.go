package policies

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
)

// loadValid loads the valid fixtures.
func loadValid(t *testing.T) *Configuration {
	t.Helper()
	t.Setenv("MQHK_TEST_PASSWORD", testSecret)
	c, err := Load(testChecks(), "testdata/valid")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestLoadPolicy(t *testing.T) {
	p, ok := loadValid(t).Policy("orders")
	if !ok || p.Bundled || p.Description != "Keep what a restart needs, and ${nothing} else." {
		t.Fatalf("policy orders: %v, %q", ok, p.Description)
	}
	got := *p.Schedule
	got.At = Place{}
	want := Schedule{Cron: "30 1 * * 6", Timezone: "Europe/Berlin", Mode: Apply, CatchUp: Once, CatchUpWithin: 36 * time.Hour,
		Overlap: QueueRun, Jitter: 5 * time.Minute, Timeout: 90 * time.Minute}
	if got != want {
		t.Errorf("schedule %+v, want %+v", got, want)
	}
	task := p.Tasks[0]
	if task.Plugin != "journal" || task.Name != "receivers" || task.Store != "vault" || task.At.String() != "testdata/valid/orders.hcl:18:18" {
		t.Errorf("task %q %q, store %q, at %s", task.Plugin, task.Name, task.Store, task.At)
	}
	promise := recovery.Promise{Strategy: recovery.FastStartup, Margin: 2, KeepNewest: 3, MinAge: 7 * 24 * time.Hour,
		Unsaved: recovery.DeleteUnsaved, MaxDeletes: 100, MaxPercent: 50}
	if diff := cmp.Diff(promise, task.Promise()); diff != "" {
		t.Errorf("promise (-want +got):\n%s", diff)
	}
}

// What is not written has its default, and a task's own schedule takes
// nothing over from the policy's.
func TestLoadDefaults(t *testing.T) {
	c := loadValid(t)
	p, _ := c.Policy("orders")
	byHand := p.Tasks[1]
	if s := p.ScheduleOf(byHand); s.Mode != Plan || s.Timeout != DefaultTimeout || s.Overlap != SkipRun || s.CatchUpWithin != 0 {
		t.Errorf("schedule of its own %+v", s)
	}
	if diff := cmp.Diff(recovery.Promise{Strategy: recovery.Conservative}, byHand.Promise()); diff != "" {
		t.Errorf("promise (-want +got):\n%s", diff)
	}
	unscheduled, _ := c.Policy("unscheduled")
	if unscheduled.ScheduleOf(unscheduled.Tasks[0]) != nil {
		t.Error("a policy without a schedule has one")
	}
}

func TestLoadTargetsAndStores(t *testing.T) {
	c := loadValid(t)
	orders, _ := c.Target("ORDERS")
	want := observe.Target{Name: "ORDERS", Platform: observe.IBMi, Library: "QMORDERS", Zone: "Europe/Berlin"}
	if diff := cmp.Diff(want, orders.Target); diff != "" {
		t.Errorf("target (-want +got):\n%s", diff)
	}
	s := orders.Connection.Settings
	if orders.Connection.Kind != "ssh" || s.Get("port") != int64(22) || s.Get("strict") != true || s.Get("nothing") != nil ||
		!slices.Equal(s.Get("ciphers").([]string), []string{"aes256-ctr", "aes128-ctr"}) {
		t.Errorf("connection %s: %v", orders.Connection.Kind, s.Names())
	}
	group, _ := c.Target("QSG1")
	if !group.Group || group.Backup != "QMBK" || !slices.Equal(group.Members, []string{"QMA1", "QMBK"}) {
		t.Errorf("group %+v", group.Target)
	}
	vault, _ := c.Store("vault")
	if vault.Kind != "directory" || vault.Path != filepath.Join("testdata", "valid", "vault") || !vault.SameFilesystem {
		t.Errorf("store %+v", vault)
	}
	if tape, _ := c.Store("tape"); tape.Settings.Get("label") != "BRMS" {
		t.Errorf("store tape keeps %v", tape.Settings.Names())
	}
	p, _ := c.Policy("orders")
	if targets := c.TargetsOf(p.Tasks[0]); len(targets) != 1 || targets[0].Name != "ORDERS" {
		t.Errorf("targets of the task: %v", targets)
	}
	if all := c.TargetsOf(p.Tasks[1]); len(all) != len(c.Targets) {
		t.Errorf("*/* matches %d of %d targets", len(all), len(c.Targets))
	}
}

// An empty directory is a configuration: the bundled policies are there.
func TestLoadEmpty(t *testing.T) {
	c, err := Load(Checks{}, t.TempDir())
	if err != nil || len(c.Policies) != 3 {
		t.Fatalf("Load of an empty directory: %d policies, %v", len(c.Policies), err)
	}
	if c, err = Load(Checks{}); err != nil || len(c.Policies) != 3 {
		t.Fatalf("Load of nothing: %d policies, %v", len(c.Policies), err)
	}
}

func TestLoadUnreadable(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	inner := filepath.Join(dir, "d")
	if err := os.MkdirAll(filepath.Join(inner, "sub.hcl"), 0o700); err != nil {
		t.Fatal(err)
	}
	tests := []struct{ path, want string }{
		{filepath.Join(dir, "absent"), "absent: this file can't be read"},
		{inner, "sub.hcl is a directory"},
		{write("latin1.hcl", "# x\n  # caf\xe9"), "latin1.hcl:2:8: this file is not UTF-8: byte 0xe9"},
		{write("large.hcl", strings.Repeat("#", largest+1)), "more than 1048576 bytes"},
		{write("deep.hcl", "a = "+strings.Repeat("[", 100000)), "deep.hcl:1:37: nested too deeply"},
		{write("bangs.hcl", "a = "+strings.Repeat("!", 100000)), "nested too deeply"},
		{write("directives.hcl", `a = "`+strings.Repeat("%{if a}", 100000)), "nested too deeply"},
		{write("closed.hcl", strings.Repeat("}", 1000)+strings.Repeat("(", 1000)), "nested too deeply"},
	}
	for _, test := range tests {
		_, err := Load(Checks{}, test.path)
		var ds Diagnostics
		if !errors.As(err, &ds) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("Load(%s) = %v, want %q", test.path, err, test.want)
		}
	}
}

// What editors on other systems write means the same.
func TestLoadForeignEditors(t *testing.T) {
	text, err := os.ReadFile("testdata/valid/orders.hcl")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("MQHK_TEST_PASSWORD", testSecret)
	digests := map[string]bool{}
	for _, variant := range []string{
		string(text),
		"\ufeff" + string(text),
		strings.ReplaceAll(string(text), "\n", "\r\n"),
		"\ufeff" + strings.ReplaceAll(string(text), "\n", "\r\n"),
	} {
		path := filepath.Join(t.TempDir(), "orders.hcl")
		if err := os.WriteFile(path, []byte(variant), 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := Load(testChecks(), path)
		if err != nil {
			t.Fatal(err)
		}
		p, _ := c.Policy("orders")
		digests[Digest(p)] = true
	}
	if len(digests) != 1 {
		t.Errorf("one policy has %d digests", len(digests))
	}
}

func TestWarnings(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w.hcl")
	text := `policy "w" {
  schedule {
    cron = "0 3 13 * 5"
  }
  task "journal" "receivers" {
    targets  = ["ibmi/ORDRES"]
    strategy = "conservative"
    store    = "nowhere" # no store is defined: the caller reports it
  }
}
queue_manager "ORDERS" {
  platform = "ibmi"
  connection "sim" {}
}
`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := Load(testChecks(), path)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range c.Warnings {
		got = append(got, strings.TrimPrefix(d.String(), path+":"))
	}
	want := []string{
		`2:3: warning: no timezone: UTC is taken; write timezone = "Area/City", or "UTC" to say so`,
		`3:12: warning: is this meant?: the 13th OR a Friday`,
		`6:17: warning: no such target: "ibmi/ORDRES"; did you mean "ibmi/ORDERS"?`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}

// Whatever a file holds, Load gives a configuration or diagnostics that can
// be shown, and nothing else.
func FuzzLoad(f *testing.F) {
	for _, pattern := range []string{"testdata/valid/*.hcl", "testdata/invalid/*.hcl", "bundled/*.hcl"} {
		files, _ := filepath.Glob(pattern)
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(text)
		}
	}
	f.Add([]byte("\ufeffpolicy \"a\" {\r\n}\r\n"))
	f.Add([]byte("a = <<E\n${\"\n"))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(dir, "fuzz.hcl")
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := Load(testChecks(), path)
		if err == nil {
			for _, p := range c.Policies {
				if Sentence(p) == "" || len(Diff(p, p)) != 0 || len(Digest(p)) != 64 {
					t.Errorf("policy %q can't be shown", p.Name)
				}
			}
			return
		}
		var ds Diagnostics
		if !errors.As(err, &ds) || len(ds) == 0 {
			t.Fatalf("Load: %v, want diagnostics", err)
		}
		var b strings.Builder
		if err := ds.Write(&b, true); err != nil || b.Len() == 0 {
			t.Errorf("diagnostics can't be shown: %v", err)
		}
	})
}
