package report

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/finding"
)

// extents is a tree with the log of a queue manager.
type extents struct {
	t                *testing.T
	folder, log, bin string
}

func newExtents(t *testing.T) extents {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "with blanks")
	e := extents{t, folder, filepath.Join(folder, "log", "active"), filepath.Join(folder, "bin")}
	for _, dir := range []string{e.log, e.bin} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for number := 100; number < 105; number++ {
		if err := os.WriteFile(e.path(number), fmt.Appendf(nil, "log %d", number), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	// It notes what it was told, and refuses what it does not know.
	stand := "#!/bin/sh\ncat > '" + e.bin + "/told'\ntest \"$1\" = QM1 || exit 20\ngrep -q 'ALTER QMGR DESCR(x)' '" + e.bin + "/told' || exit 10\n"
	if err := os.WriteFile(filepath.Join(e.bin, "runmqsc"), []byte(stand), 0o700); err != nil {
		t.Fatal(err)
	}
	return e
}

func (e extents) path(number int) string {
	return filepath.Join(e.log, fmt.Sprintf("S%07d.LOG", number))
}

// step adds an action on an extent to a plan; each delete waits for the one
// before it.
func (e extents) step(target *ledger.Target, kind, language string, number int, command string) {
	step := ledger.Action{ID: fmt.Sprintf("%s-%d", kind, number), Kind: kind, QueueManager: "QM1", Language: language, Object: e.path(number), Command: command}
	for _, before := range target.Actions {
		if kind == before.Kind && kind == "delete" || before.Kind == "archive" && before.Object == step.Object {
			step.After = append(step.After, before.ID)
		}
	}
	target.Actions = append(target.Actions, step)
}

func (e extents) remove(target *ledger.Target, number int) {
	e.step(target, "delete", "CTL", number, "rm -- '"+e.path(number)+"'")
}

// plan deletes three extents that need no copy, and sends a statement.
func (e extents) plan() ledger.Target {
	target := ledger.Target{Name: "QM1", Platform: "multiplatforms", Policy: "p"}
	for number := 100; number < 103; number++ {
		e.remove(&target, number)
	}
	e.step(&target, "command", "MQSC", 0, "ALTER QMGR DESCR(x)")
	return target
}

// run runs the script of a plan.
func (e extents) run(target ledger.Target) (string, error) {
	e.t.Helper()
	file := filepath.Join(e.folder, "script")
	if err := os.WriteFile(file, []byte(render(e.t, record(target), Options{Format: Script})), 0o600); err != nil {
		e.t.Fatal(err)
	}
	if said, err := exec.CommandContext(e.t.Context(), "sh", "-n", file).CombinedOutput(); err != nil {
		e.t.Fatalf("sh -n: %v: %s", err, said)
	}
	cmd := exec.CommandContext(e.t.Context(), "sh", file)
	cmd.Env = []string{"PATH=" + e.bin + ":" + os.Getenv("PATH")}
	said, err := cmd.CombinedOutput()
	return string(said), err
}

func (e extents) names(folder string) []string {
	entries, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		e.t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

func TestShellScriptRuns(t *testing.T) {
	e := newExtents(t)
	if said, err := e.run(e.plan()); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	if names := e.names(e.log); !slices.Equal(names, []string{"S0000103.LOG", "S0000104.LOG"}) {
		t.Errorf("left: %q", names)
	}
	if told, err := os.ReadFile(filepath.Join(e.bin, "told")); err != nil || string(told) != "ALTER QMGR DESCR(x)\n" {
		t.Errorf("%v, %q", err, told)
	}
	if said, err := e.run(e.plan()); err == nil || !strings.Contains(said, "S0000100.LOG is not there") {
		t.Errorf("again: %v: %s", err, said)
	}
}

// Only a copy that mqhk made comes back. What is to be saved first, what waits
// for that, and what stands behind it is a comment, in whatever order a plan has
// it and whatever statement stands there; so is a report to the queue manager,
// and what goes only since a copy is in the store.
func TestShellScriptMakesNoCopies(t *testing.T) {
	for name, test := range map[string]struct {
		plan func(extents, *ledger.Target)
		left []string
	}{
		"saved first": {func(e extents, t *ledger.Target) {
			e.remove(t, 100)
			e.step(t, "archive", "", 101, "")
			e.remove(t, 101)
			e.remove(t, 102)
		}, []string{"S0000101.LOG", "S0000102.LOG", "S0000103.LOG", "S0000104.LOG"}},
		"a delete that waits for nothing": {func(e extents, t *ledger.Target) {
			e.step(t, "archive", "", 101, "")
			e.remove(t, 101)
			e.remove(t, 102)
			for i := range t.Actions {
				t.Actions[i].After = nil
			}
		}, nil},
		"newest first": {func(e extents, t *ledger.Target) {
			e.step(t, "archive", "", 101, "")
			e.remove(t, 101)
			slices.Reverse(t.Actions)
		}, nil},
		"it is in the store": {func(e extents, t *ledger.Target) {
			t.Segments = []ledger.Segment{{Name: "S0000101.LOG", QueueManager: "QM1", Verdict: "delete", Reason: "in-store"}}
			e.remove(t, 101)
			e.remove(t, 102)
		}, nil},
		"LogManagement=Archive": {func(e extents, t *ledger.Target) {
			e.step(t, "archive", "", 100, "")
			e.step(t, "mark-archived", "MQSC", 100, "SET LOG ARCHIVED(S0000100.LOG)")
			e.step(t, "mark-archived", "MQSC", 101, "SET LOG ARCHIVED(S0000101.LOG)")
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			e := newExtents(t)
			target := ledger.Target{Name: "QM1", Platform: "multiplatforms", Policy: "p"}
			test.plan(e, &target)
			said, err := e.run(target)
			want := test.left
			if want == nil {
				want = []string{"S0000100.LOG", "S0000101.LOG", "S0000102.LOG", "S0000103.LOG", "S0000104.LOG"}
			}
			if names := e.names(e.log); err != nil || !slices.Equal(names, want) {
				t.Errorf("%v: %s; left: %q", err, said, names)
			}
			if told, err := os.ReadFile(filepath.Join(e.bin, "told")); err == nil {
				t.Errorf("the queue manager was told %s", told)
			}
			if text := render(t, record(target), Options{Format: Script}); !strings.Contains(strings.ReplaceAll(text, "\n# ", " "), "mqhk run --apply") {
				t.Error(text)
			}
		})
	}
}

// The script ends at the first failure: what would have come after it is as it
// was.
func TestShellScriptStops(t *testing.T) {
	for name, test := range map[string]struct {
		spoil func(extents) error
		left  int // extents
	}{
		"one is gone": {func(e extents) error { return os.Remove(e.path(101)) }, 3},
		"one is a link": {func(e extents) error {
			return errors.Join(os.Remove(e.path(100)), os.Symlink(e.path(104), e.path(100)))
		}, 5},
		"a later is gone": {func(e extents) error { return os.Remove(e.path(102)) }, 2},
		"MQSC is refused": {func(e extents) error {
			return os.WriteFile(filepath.Join(e.bin, "runmqsc"), []byte("#!/bin/sh\nexit 10\n"), 0o600)
		}, 2},
		"MQSC is not here": {func(e extents) error { return os.Remove(filepath.Join(e.bin, "runmqsc")) }, 2},
	} {
		t.Run(name, func(t *testing.T) {
			e := newExtents(t)
			if err := test.spoil(e); err != nil {
				t.Fatal(err)
			}
			said, err := e.run(e.plan())
			if names := e.names(e.log); err == nil || len(names) != test.left {
				t.Errorf("%v: %s; left: %q", err, said, names)
			}
		})
	}
}

// What must not be done is a comment.
func TestShellScriptOfWhatMustNotBeDone(t *testing.T) {
	e := newExtents(t)
	for name, spoil := range map[string]func(*ledger.Target){
		"critical":            func(t *ledger.Target) { t.Findings = []finding.Finding{finding.New(finding.MarkMissing, "x")} },
		"a quote in the path": func(t *ledger.Target) { rename(t, "it's") },
		"no such name": func(t *ledger.Target) {
			for i := range t.Actions {
				t.Actions[i].QueueManager, t.Actions[i].Language = "QM1;x", "MQSC"
			}
		},
		"a second command": func(t *ledger.Target) {
			for i := range t.Actions {
				t.Actions[i].Command += "; rm -r x"
			}
		},
		"another language": func(t *ledger.Target) {
			for i := range t.Actions {
				t.Actions[i].Language = "CL"
			}
		},
	} {
		target := e.plan()
		spoil(&target)
		said, err := e.run(target)
		if names := e.names(e.log); err != nil || len(names) != 5 {
			t.Errorf("%s: %v: %s; left: %q", name, err, said, names)
		}
	}
}

func rename(target *ledger.Target, word string) {
	for i := range target.Actions {
		a := &target.Actions[i]
		a.Object = strings.ReplaceAll(a.Object, "with", word)
	}
}
