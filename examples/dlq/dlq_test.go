// Package dlq tests the plugin of this folder, which is written in Python: by
// itself, and as an operator uses it.
package dlq

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// noSkip in the environment makes a missing library a failure, as CI wants it.
const noSkip = "MQHK_EXAMPLES_NO_SKIP"

// python is the interpreter of the plugin's first line.
const python = "/usr/bin/python3"

func needPython(t *testing.T) {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), python, "-I", "-c", "import grpc, cryptography").CombinedOutput()
	switch {
	case err == nil:
	case os.Getenv(noSkip) != "":
		t.Fatalf("%s has not what the plugin needs (apt-get install python3-grpcio python3-cryptography): %v\n%s", python, err, out)
	default:
		t.Skipf("%s has not what the plugin needs (apt-get install python3-grpcio python3-cryptography): %v", python, err)
	}
}

// The plugin's own functions, without a process.
func TestUnits(t *testing.T) {
	needPython(t)
	command := exec.CommandContext(t.Context(), python, "-I", "-B", "dlq_test.py")
	if out, err := command.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// The scripts use the plugin as an operator does: the real mqhk, built here,
// tries it, locks it and plans with it.
func TestScripts(t *testing.T) {
	needPython(t)
	if testing.Short() {
		t.Skip("it builds mqhk and starts it many times")
	}
	programs := t.TempDir()
	command := exec.CommandContext(t.Context(), "go", "-C", "../..", "build", "-o", filepath.Join(programs, "mqhk"), "./cmd/mqhk")
	command.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", command, err, out)
	}
	folder, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:  "testdata/script",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
		Setup: func(env *testscript.Env) error {
			env.Setenv("PATH", programs+string(os.PathListSeparator)+env.Getenv("PATH"))
			env.Setenv("PLUGIN", filepath.Join(folder, "mqhk-plugin-dlq"))
			env.Setenv("XDG_CONFIG_HOME", filepath.Join(env.WorkDir, "config"))
			env.Setenv("XDG_STATE_HOME", filepath.Join(env.WorkDir, "state"))
			return nil
		},
	})
}

// exits runs a command and checks its exit status: exits 3 mqhk plan.
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
