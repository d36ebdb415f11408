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

// extents is a tree with the log of a queue manager, and a plan on it: two
// extents are copied and deleted, one is deleted, one is reported.
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
	stand := "#!/bin/sh\ncat > '" + e.bin + "/told'\ntest \"$1\" = QM1 || exit 20\ngrep -q 'SET LOG ARCHIVED(S0000103.LOG)' '" + e.bin + "/told' || exit 10\n"
	if err := os.WriteFile(filepath.Join(e.bin, "runmqsc"), []byte(stand), 0o700); err != nil {
		t.Fatal(err)
	}
	return e
}

func (e extents) path(number int) string {
	return filepath.Join(e.log, fmt.Sprintf("S%07d.LOG", number))
}

func (e extents) plan() ledger.Target {
	target := ledger.Target{Name: "QM1", Platform: "multiplatforms", Policy: "p"}
	add := func(kind, language string, number int, after []string, statements ...string) {
		id := fmt.Sprintf("%s-%d", kind, number)
		target.Actions = append(target.Actions, ledger.Action{ID: id, Kind: kind, QueueManager: "QM1", Language: language, Object: e.path(number),
			Prepare: statements[:len(statements)-1], Command: statements[len(statements)-1], After: after})
	}
	for number := 100; number < 102; number++ {
		part := filepath.Join(e.folder, "copies", fmt.Sprintf("S%07d.LOG.part", number))
		whole := strings.TrimSuffix(part, ".part")
		add("archive", "CTL", number, nil, "mkdir -p -- '"+filepath.Dir(part)+"'", "cp -p -- '"+e.path(number)+"' '"+part+"'", "sync '"+part+"'",
			"cmp -- '"+e.path(number)+"' '"+part+"'", "ln -- '"+part+"' '"+whole+"'", "rm -- '"+part+"'")
	}
	for number := 100; number < 103; number++ {
		add("delete", "CTL", number, nil, "rm -- '"+e.path(number)+"'")
	}
	add("mark-archived", "MQSC", 103, nil, "SET LOG ARCHIVED(S0000103.LOG)")
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
	if names := e.names(filepath.Join(e.folder, "copies")); !slices.Equal(names, []string{"S0000100.LOG", "S0000101.LOG"}) {
		t.Errorf("copies: %q", names)
	}
	if told, err := os.ReadFile(filepath.Join(e.bin, "told")); err != nil || string(told) != "SET LOG ARCHIVED(S0000103.LOG)\n" {
		t.Errorf("%v, %q", err, told)
	}
	if said, err := e.run(e.plan()); err == nil || !strings.Contains(said, "S0000100.LOG is not there") {
		t.Errorf("again: %v: %s", err, said)
	}
}

// The script ends at the first failure: what would have come after it is as it
// was.
func TestShellScriptStops(t *testing.T) {
	for name, test := range map[string]struct {
		spoil func(extents) error
		left  int // extents
	}{
		"one is gone": {func(e extents) error { return os.Remove(e.path(101)) }, 4},
		"one is a link": {func(e extents) error {
			return errors.Join(os.Remove(e.path(100)), os.Symlink(e.path(104), e.path(100)))
		}, 5},
		"no room":         {func(e extents) error { return os.WriteFile(filepath.Join(e.folder, "copies"), nil, 0o600) }, 5},
		"a copy is there": {func(e extents) error { return e.keep("S0000101.LOG") }, 5},
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

func (e extents) keep(name string) error {
	folder := filepath.Join(e.folder, "copies")
	return errors.Join(os.MkdirAll(folder, 0o700), os.WriteFile(filepath.Join(folder, name), nil, 0o600))
}

// A delete stands behind the copy of its extent, and what must not be done is a
// comment.
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
		if names := e.names(e.log); err != nil || len(names) != 5 || e.names(filepath.Join(e.folder, "copies")) != nil {
			t.Errorf("%s: %v: %s; left: %q", name, err, said, names)
		}
	}
	target := e.plan()
	slices.Reverse(target.Actions)
	if said, err := e.run(target); err != nil || len(e.names(filepath.Join(e.folder, "copies"))) != 2 {
		t.Errorf("deletes first: %v: %s", err, said)
	}
}

func rename(target *ledger.Target, word string) {
	for i := range target.Actions {
		a := &target.Actions[i]
		a.Object = strings.ReplaceAll(a.Object, "with", word)
	}
}
