package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// asMqhk in the environment makes the test binary behave as mqhk.
const asMqhk = "MQHK_TEST_AS_MQHK"

// TestMain lets the test binary be mqhk: in scripts by name, and as the host
// starts it to serve a built-in plugin.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "plugin-serve" || os.Getenv(asMqhk) != "" {
		os.Exit(execute(os.Args[1:], os.Stdout, os.Stderr))
	}
	testscript.Main(m, map[string]func(){
		"mqhk": func() { os.Exit(execute(os.Args[1:], os.Stdout, os.Stderr)) },
	})
}

// The end-to-end scripts read like the manual: each begins with what it
// shows.
func TestScripts(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		Cmds:          map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
		Setup: func(env *testscript.Env) error {
			env.Setenv("EXAMPLES", filepath.Join(root, "examples"))
			env.Setenv("CASES", filepath.Join(root, "plugins", "journal", "testdata"))
			env.Setenv("XDG_CONFIG_HOME", filepath.Join(env.WorkDir, "config"))
			return nil
		},
	})
}

// exits runs a command and checks its exit status: exits 4 mqhk plan.
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
	if want := args[0]; strconv.Itoa(got) != want {
		ts.Fatalf("exit status %d, want %s", got, want)
	}
}
