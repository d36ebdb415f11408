package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/transcript"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/plugintest"
)

// machine lays out the data of a machine with queue manager QM1, and gives its
// folder.
func machine(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for folder, files := range map[string]map[string]int{ // days since they were written
		"errors":           {"AMQ100.0.FDC": 90, "AMQ101.0.FDC": 60, "AMQ102.0.FDC": 5, "AMQ103.0.FDC.for-ibm": 90, "AMQERR01.LOG": 90, "AMQERR02.LOG": 90, "AMQERR01.LOG.20260201": 90},
		"trace":            {"AMQ100.0.TRC": 45, "AMQ100.1.TRC": 45, "AMQ200.0.TRC": 1},
		"qmgrs/QM1/errors": {"AMQERR01.LOG": 90, "AMQERR01.json": 90, "AMQ7.0.FDC": 31},
		"log/QM1/active":   {"S0000000.LOG": 90},
	} {
		must(t, os.MkdirAll(filepath.Join(root, folder), 0o770))
		for name, days := range files {
			lay(t, filepath.Join(root, folder), name, day*time.Duration(days))
		}
	}
	ini := fmt.Sprintf("AllQueueManagers:\n   DefaultPrefix=%s\nQueueManager:\n   Name=QM1\n   Prefix=%[1]s\n   Directory=QM1\n", root)
	must(t, os.WriteFile(filepath.Join(root, "mqs.ini"), []byte(ini), 0o660))
	return root
}

// recorded gives a transcript of what that machine would answer.
func recorded(t *testing.T, root string) *transcript.Transcript {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, ">>> CLOCK %s\n>>> QMGR QM1 multiplatforms\n", night.Format("2006-01-02T15:04:05Z07:00"))
	ini, err := os.ReadFile(filepath.Join(root, "mqs.ini"))
	must(t, err)
	fmt.Fprintf(&b, ">>> FILE QM1: /var/mqm/mqs.ini\n%s", ini)
	for _, folder := range []string{"", "errors", "trace", "qmgrs/QM1", "qmgrs/QM1/errors"} {
		fmt.Fprintf(&b, ">>> LOGDIR QM1: %s\n", filepath.Join(root, folder))
		entries, err := os.ReadDir(filepath.Join(root, folder))
		must(t, err)
		for _, e := range entries {
			info, err := e.Info()
			must(t, err)
			mode := map[bool]string{true: "d", false: "-"}[e.IsDir()] + "rw-rw----"
			if info.Mode()&os.ModeSymlink != 0 {
				mode = "lrwxrwxrwx"
			}
			fmt.Fprintf(&b, "%s %d %s mqm:mqm %s\n", e.Name(), info.Size(), info.ModTime().UTC().Format("2006-01-02T15:04:05.999999999Z07:00"), mode)
		}
	}
	path := filepath.Join(t.TempDir(), "qm1.mqt")
	must(t, os.WriteFile(path, []byte(b.String()), 0o600))
	return plugintest.Open(t, path)
}

func tree(t *testing.T, root string) plugintest.Tree {
	t.Helper()
	seen, err := plugintest.ReadTree(root)
	must(t, err)
	return seen
}

// A plan changes nothing; its apply removes what it named and nothing else.
func TestTree(t *testing.T) {
	needLinks(t)
	for _, test := range []struct {
		name     string
		settings map[string]any
		gone     []string
	}{
		{"newest of each kind kept", nil, nil}, // ten of each, and there are fewer
		{"one kept", map[string]any{settingKeepNewest: int64(1)},
			[]string{"errors/AMQ100.0.FDC", "errors/AMQ101.0.FDC", "trace/AMQ100.0.TRC", "trace/AMQ100.1.TRC"}},
		{"none kept", map[string]any{settingKeepNewest: int64(0), settingKinds: []string{kindReport}},
			[]string{"errors/AMQ100.0.FDC", "errors/AMQ101.0.FDC", "qmgrs/QM1/errors/AMQ7.0.FDC"}},
		{"copies, older", map[string]any{settingKeepNewest: int64(0), settingMinAge: 80 * day, settingKinds: []string{kindCopy, kindReport}},
			[]string{"errors/AMQ100.0.FDC", "errors/AMQERR01.LOG.20260201"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := machine(t)
			script, before := recorded(t, root), tree(t, root)
			served := plugintest.Start(t, plugin{})
			made := served.Plan(t.Context(), plugintest.Request(t, plugin{}, script, test.settings), script.Player())
			if made.Err != nil || len(made.Plan.Findings) > 0 {
				t.Fatalf("%v, %v", made.Err, made.Plan.Findings)
			}
			if diff := before.Diff(tree(t, root)); len(diff) > 0 {
				t.Fatalf("the plan changed %q", diff)
			}
			for _, action := range made.Plan.Actions {
				if did := served.Perform(t.Context(), action, script.Player(), nil); did.Err != nil || did.Result.State != plugins.Done {
					t.Errorf("%s: %+v, %v", action.ID, did.Result, did.Err)
				}
			}
			var want []string
			for _, path := range test.gone {
				want = append(want, path+": is gone")
			}
			slices.Sort(want)
			if diff := before.Diff(tree(t, root)); !slices.Equal(diff, want) {
				t.Errorf("the apply: %q, want %q", diff, want)
			}
			if named := deleted(made.Plan, root); !slices.Equal(named, test.gone) {
				t.Errorf("the plan says that these go: %q, want %q", named, test.gone)
			}
		})
	}
}

// deleted gives the files that a plan says go, as a person reads it, in order.
func deleted(plan plugins.Plan, root string) []string {
	var names []string
	for _, o := range plan.Objects {
		if o.Verdict == "delete" {
			name, _ := filepath.Rel(root, o.Name)
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// A kept plan waits up to a day: what was written to meanwhile is left alone.
func TestWrittenToAfterThePlan(t *testing.T) {
	needLinks(t)
	root := machine(t)
	script := recorded(t, root)
	served := plugintest.Start(t, plugin{})
	made := served.Plan(t.Context(), plugintest.Request(t, plugin{}, script, map[string]any{settingKeepNewest: int64(1)}), script.Player())
	path := filepath.Join(root, "errors", "AMQ100.0.FDC")
	must(t, os.WriteFile(path, []byte("the process has failed once more\n"), 0o660))
	before := tree(t, root)
	did := served.Perform(t.Context(), made.Plan.Actions[0], script.Player(), nil)
	if did.Result.State != plugins.Failed || !strings.HasPrefix(did.Result.Evidence, "1 left alone: AMQ100.0.FDC (") {
		t.Errorf("%+v, %v", did.Result, did.Err)
	}
	if diff := before.Diff(tree(t, root)); !slices.Equal(diff, []string{"errors/AMQ101.0.FDC: is gone"}) {
		t.Errorf("%q", diff)
	}
}

// What is not known is told, and nothing goes there.
func TestDoubts(t *testing.T) {
	needLinks(t)
	for _, test := range []struct {
		name   string
		change func(t *testing.T, root string)
		code   string // of the finding; empty: the plan fails
	}{
		{"errors is a link", func(t *testing.T, root string) {
			must(t, os.Rename(filepath.Join(root, "errors"), filepath.Join(root, "moved")))
			must(t, os.Symlink("moved", filepath.Join(root, "errors")))
		}, string(folderLinked)},
		{"two queue managers of the name", func(t *testing.T, root string) {
			path := filepath.Join(root, "mqs.ini")
			ini, err := os.ReadFile(path)
			must(t, err)
			must(t, os.WriteFile(path, append(ini, ini...), 0o660))
		}, ""},
	} {
		root := machine(t)
		test.change(t, root)
		made := plugintest.Plan(t, plugin{}, recorded(t, root), map[string]any{settingKeepNewest: int64(0)})
		if test.code == "" {
			if made.Err == nil {
				t.Errorf("%s: it plans %+v", test.name, made.Plan.Actions)
			}
			continue
		}
		if len(made.Plan.Findings) != 1 || string(made.Plan.Findings[0].Code) != test.code {
			t.Errorf("%s: %v, %v", test.name, made.Err, made.Plan.Findings)
		}
		for _, action := range made.Plan.Actions {
			if action.Object == filepath.Join(root, "errors") {
				t.Errorf("%s: it plans %+v", test.name, action)
			}
		}
	}
}

// Many files are removed in several actions, of which none is too long to read.
func TestManyFiles(t *testing.T) {
	root := machine(t)
	for i := range 2*perAction + 1 {
		lay(t, filepath.Join(root, "trace"), fmt.Sprintf("AMQ1%05d.0.TRC", i), 50*day)
	}
	made := plugintest.Plan(t, plugin{}, recorded(t, root), map[string]any{settingKinds: []string{kindTrace}, settingKeepNewest: int64(3)})
	count := 0
	for _, action := range made.Plan.Actions {
		if len(action.Items) > perAction {
			t.Errorf("%s names %d files", action.ID, len(action.Items))
		}
		count += len(action.Items)
	}
	if want := 2*perAction + 1; len(made.Plan.Actions) != 3 || count != want {
		t.Errorf("%d files in %d actions, want %d in 3: %v", count, len(made.Plan.Actions), want, made.Err)
	}
}

func TestNoKindIsAComplaint(t *testing.T) {
	request := plugintest.Request(t, plugin{}, recorded(t, machine(t)), map[string]any{settingKinds: []string{}})
	complaints, err := plugintest.Start(t, plugin{}).Check(t.Context(), request)
	if err != nil || len(complaints) != 1 || complaints[0].Path != settingKinds {
		t.Errorf("%v, %v", complaints, err)
	}
}

func TestConforms(t *testing.T) {
	root := machine(t)
	plugintest.Conform(t, plugin{}, plugintest.Options{
		Transcript: recorded(t, root), Settings: map[string]any{settingKeepNewest: int64(1)}, Tree: root,
	})
}
