package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/mqhk/mqhk/plugins/plugintest"
)

// The scripts use the plugin as an operator does: the real mqhk, built here,
// locks it, plans with it and applies, on a simulated queue manager.
func TestScripts(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds mqhk and starts it many times")
	}
	needLinks(t)
	programs := t.TempDir()
	build(t, programs, "mqhk", "../..", "./cmd/mqhk")
	build(t, programs, "mqhk-plugin-"+name, ".", ".")
	testscript.Run(t, testscript.Params{
		Dir:  "testdata/script",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "aged": aged, "remember": remember, "gone": gone},
		Setup: func(env *testscript.Env) error {
			env.Setenv("PATH", programs+string(os.PathListSeparator)+env.Getenv("PATH"))
			env.Setenv("PROGRAMS", programs)
			env.Setenv("MQM", "estate/systems/SYS1/var/mqm")
			env.Values[seen{}] = make(map[string]plugintest.Tree)
			env.Setenv("XDG_CONFIG_HOME", filepath.Join(env.WorkDir, "config"))
			env.Setenv("XDG_STATE_HOME", filepath.Join(env.WorkDir, "state"))
			return nil
		},
	})
}

// build builds a program of the module in a folder.
func build(t *testing.T, programs, program, module, pattern string) {
	t.Helper()
	command := exec.CommandContext(t.Context(), "go", "-C", module, "build", "-o", filepath.Join(programs, program), pattern)
	command.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+runtime.GOOS)
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", command, err, out)
	}
}

// exits runs a command and checks its exit status: exits 3 mqhk run.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS COMMAND [ARG]...")
	}
	got := 0
	var exit *exec.ExitError
	switch err := ts.Exec(args[1], args[2:]...); {
	case errors.As(err, &exit):
		got = exit.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if strconv.Itoa(got) != args[0] {
		ts.Fatalf("exit status %d, want %s", got, args[0])
	}
}

// aged makes files that were last written so many days before the clock of the
// estate begins: aged 40 FILE...
func aged(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: aged DAYS FILE...")
	}
	days, err := strconv.Atoi(args[0])
	ts.Check(err)
	written := night.Add(-time.Duration(days) * day)
	for _, file := range args[1:] {
		ts.Check(os.WriteFile(ts.MkAbs(file), []byte("+---+\n"), 0o660))
		ts.Check(os.Chtimes(ts.MkAbs(file), written, written))
	}
}

// seen is where a script keeps what it remembers.
type seen struct{}

// remember looks at a folder: remember FOLDER.
func remember(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: remember FOLDER")
	}
	now, err := plugintest.ReadTree(ts.MkAbs(args[0]))
	ts.Check(err)
	ts.Value(seen{}).(map[string]plugintest.Tree)[args[0]] = now
}

// gone looks at the folder again: these files are gone, and nothing else has
// changed: gone FOLDER [FILE]...
func gone(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: gone FOLDER [FILE]...")
	}
	now, err := plugintest.ReadTree(ts.MkAbs(args[0]))
	ts.Check(err)
	var want []string
	for _, file := range args[1:] {
		want = append(want, file+": is gone")
	}
	slices.Sort(want)
	if got := ts.Value(seen{}).(map[string]plugintest.Tree)[args[0]].Diff(now); !slices.Equal(got, want) {
		ts.Fatalf("%s changed by %q, want %q", args[0], got, want)
	}
}
