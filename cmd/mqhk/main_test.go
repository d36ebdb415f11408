package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/mqhk/mqhk/agent/connect/local/standin"
	"github.com/mqhk/mqhk/internal/leave"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/journal"
	"github.com/mqhk/mqhk/plugins/serve"
)

// asMqhk in the environment makes the test binary behave as mqhk.
const asMqhk = "MQHK_TEST_AS_MQHK"

// TestMain lets the test binary be mqhk: in scripts by name, and as the host
// starts it to serve a built-in plugin.
func TestMain(m *testing.M) {
	standin.Main() // the commands of IBM MQ, where it was started as one
	if isTidy() {
		serveTidy()
		return
	}
	if isGrabby() {
		serveGrabby()
		return
	}
	if log := os.Getenv(asArchiver); log != "" {
		fmt.Fprintln(os.Stderr, archiveFor(log))
		os.Exit(1)
	}
	if how := lie(); how != "" && len(os.Args) > 2 && os.Args[1] == "plugin-serve" {
		serve.Plugin(lying{journal.Plugin{Version: version()}, how})
		leave.With(0)
	}
	if len(os.Args) > 2 && os.Args[1] == "plugin-serve" && strings.HasPrefix(os.Args[2], spoiltPrefix) {
		serveSpoilt(strings.TrimPrefix(os.Args[2], spoiltPrefix), func(p plugins.Plugin) { serve.Plugin(p) })
		leave.With(0)
	}
	if len(os.Args) > 1 && os.Args[1] == "plugin-serve" {
		leave.With(execute(os.Args[1:], os.Stdout, os.Stderr))
	}
	if os.Getenv(asMqhk) != "" {
		os.Exit(execute(os.Args[1:], os.Stdout, os.Stderr))
	}
	testscript.Main(isolated{m}, map[string]func(){
		"mqhk": func() { os.Exit(execute(os.Args[1:], os.Stdout, os.Stderr)) },
	})
}

// isolated runs the tests with a state folder of their own, which is not that
// of whoever runs them.
type isolated struct{ m *testing.M }

// Run runs the tests.
func (i isolated) Run() int {
	dir, err := os.MkdirTemp("", "mqhk-test-state-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	os.Setenv("XDG_STATE_HOME", dir)
	defer standin.Prepare()()
	return i.m.Run()
}

// The end-to-end scripts read like the manual: each begins with what it
// shows.
func TestScripts(t *testing.T) {
	params := testscript.Params{Dir: "testdata/script"}
	if testing.Short() { // see endToEnd; these start agents and plugins, and are quick
		params.Dir = ""
		for _, name := range []string{"agent", "eligible", "plan_exit", "plugin", "plugin_lock"} {
			params.Files = append(params.Files, filepath.Join("testdata", "script", name+".txtar"))
		}
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	params.Cmds = map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "damage": damage, "machine": machine}
	params.UpdateScripts = os.Getenv("UPDATE_SCRIPTS") != ""
	params.Setup = func(env *testscript.Env) error {
		self, err := os.Executable()
		if err != nil {
			return err
		}
		env.Setenv("OTHER", self) // a plugin of others, under the name of one
		env.Setenv("EXAMPLES", filepath.Join(root, "examples"))
		env.Setenv("CASES", filepath.Join(root, "plugins", "journal", "testdata"))
		env.Setenv("EXTENTS", filepath.Join(root, "plugins", "archive", "testdata"))
		env.Setenv("XDG_CONFIG_HOME", filepath.Join(env.WorkDir, "config"))
		env.Setenv("XDG_STATE_HOME", filepath.Join(env.WorkDir, "state"))
		return nil
	}
	testscript.Run(t, params)
}

// endToEnd is a test of many processes one after the other. With -short, as the
// race detector is run, it is left out: the detector makes it slow and finds no
// more than in the tests of the rooms that these processes go through.
func endToEnd(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("an end-to-end test of many processes")
	}
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

// damage changes a byte in the middle of the copy of a segment in a folder of
// a store: damage FOLDER SEGMENT.
func damage(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: damage FOLDER SEGMENT")
	}
	files, err := os.ReadDir(ts.MkAbs(args[0]))
	ts.Check(err)
	for _, f := range files {
		if !strings.Contains(f.Name(), args[1]) || strings.HasSuffix(f.Name(), ".json") {
			continue
		}
		name := filepath.Join(ts.MkAbs(args[0]), f.Name())
		content, err := os.ReadFile(name)
		ts.Check(err)
		content[len(content)/2] ^= 1
		ts.Check(os.WriteFile(name, content, 0o600))
		return
	}
	ts.Fatalf("%s has no copy of %s", args[0], args[1])
}
