package host

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
)

// misbehave is the program of testdata/misbehave, built once.
var misbehave = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "mqhk-misbehave-")
	if err != nil {
		return "", err
	}
	atEnd = append(atEnd, func() { _ = os.RemoveAll(dir) })
	program := filepath.Join(dir, "misbehave")
	if out, err := exec.Command("go", "build", "-o", program, "./testdata/misbehave").CombinedOutput(); err != nil {
		return "", errors.New(string(out))
	}
	return program, nil
})

func unrulySource(t *testing.T, behaviour string) Source {
	t.Helper()
	program, err := misbehave()
	if err != nil {
		t.Fatal(err)
	}
	return Source{Name: "misbehave", Path: program, Args: []string{behaviour, sleepFor, program}}
}

// short is a limit of a test; grace comes on top.
const short = 300 * time.Millisecond

// unruly starts the program. It is stopped when the test ends, within the
// bound, and nothing may be left.
func unruly(t *testing.T, behaviour string, settings Settings) *Process {
	t.Helper()
	source := unrulySource(t, behaviour)
	settings.SocketBase = leftovers(t)
	settings.StopLimit = short
	p, err := Start(t.Context(), source, settings)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		timed(t, short, func() {
			if err := p.Stop(); err != nil {
				t.Error(err)
			}
		})
	})
	return p
}

func TestMisbehavingAtStart(t *testing.T) {
	for _, test := range []struct {
		behaviour string
		limit     time.Duration // 0: it ends by itself
		want      []string
	}{
		{"exit before the handshake", 0, []string{"exit status 3", "| no licence for this machine"}},
		{"panic before the handshake", 0, []string{"exit status 2", "panic: no licence"}},
		{"print before the handshake", 0, []string{`loading`, `\x1b[31m`}},
		{"print without a line end", 0, []string{"Unrecognized remote plugin message"}},
		{"hang in start", short, []string{"did not say what it is within 300ms"}},
		{"hang in describe", short, []string{"did not say what it is within 300ms"}},
		{"panic in describe", 0, []string{"panic in Describe: who am I"}},
		{"stop itself at the start", short, []string{"within 300ms"}},
		{"leave a child and hang in start", short, []string{"within 300ms"}},
		{"claim another's name", 0, []string{`it says that its name is "journal"`}},
		{"wire: no name", 0, []string{`it says that its name is ""`}},
		{"wire: an enormous description", 0, []string{"larger than max"}},
	} {
		t.Run(test.behaviour, func(t *testing.T) {
			source := unrulySource(t, test.behaviour)
			settings := Settings{StartLimit: test.limit, SocketBase: leftovers(t)}
			timed(t, settings.withDefaults().StartLimit, func() {
				p, err := Start(t.Context(), source, settings)
				var failed *StartError
				if !errors.As(err, &failed) {
					t.Fatalf("got %v, %v", p, err)
				}
				for _, part := range test.want {
					if !strings.Contains(err.Error(), part) {
						t.Errorf("the error lacks %q: %.500s", part, err)
					}
				}
			})
		})
	}
}

// A script that never speaks and leaves a sleeper in a session of its own,
// without environment, is ended with it.
func TestScriptThatLeavesASleeper(t *testing.T) {
	for name, line := range map[string]string{
		"of the shell": "setsid env -i sleep " + sleepFor + " &\nsleep " + sleepFor,
		"of nobody":    "(setsid env -i sleep " + sleepFor + " &)\nsleep " + sleepFor,
		"closed":       "(setsid env -i sleep " + sleepFor + " <&- >&- 2>&- 3>&- 4>&- &)\nsleep " + sleepFor,
		"and ends":     "(setsid env -i sleep " + sleepFor + " &)\nsleep 0.1; exit 4",
		"deaf":         "trap '' TERM HUP INT QUIT\n(setsid env -i sleep " + sleepFor + " &)\nwhile :; do sleep 1; done",
	} {
		t.Run(name, func(t *testing.T) {
			script := filepath.Join(t.TempDir(), "script")
			if err := os.WriteFile(script, []byte("#!/bin/sh\n"+line+"\n"), 0o700); err != nil {
				t.Fatal(err)
			}
			settings := Settings{StartLimit: short, SocketBase: leftovers(t)}
			timed(t, short, func() {
				_, err := Start(t.Context(), Source{Name: "script", Path: script}, settings)
				if failed := new(StartError); !errors.As(err, &failed) {
					t.Errorf("got %v", err)
				}
			})
		})
	}
}

// The four kinds of call that a task makes.
var calls = map[string]func(context.Context, *Process) error{
	"Check": func(ctx context.Context, p *Process) error {
		_, err := p.Check(ctx, request)
		return err
	},
	"Plan": func(ctx context.Context, p *Process) error {
		_, err := p.Plan(ctx, request, echo, Events{})
		return err
	},
	"Confirm": func(ctx context.Context, p *Process) error {
		_, err := p.Confirm(ctx, anAction, echo, Events{})
		return err
	},
	"Perform": func(ctx context.Context, p *Process) error {
		_, err := p.Perform(ctx, anAction, echo, noHands, Events{})
		return err
	},
}

var anAction = plugins.Action{ID: "7", Kind: plugins.KindCustom, Command: plugins.Command{Language: observe.MQSC, QueueManager: "QM1", Text: "PING CHANNEL(A)"}}

// noHands is asked to do what was not planned.
func noHands(_ context.Context, c plugins.Command) (observe.Answer, error) {
	panic("done: " + c.Text)
}

func TestHangingCallsEndInTime(t *testing.T) {
	for _, test := range []struct{ behaviour, call string }{
		{"hang in check", "Check"},
		{"hang in plan", "Plan"},
		{"hang in confirm", "Confirm"},
		{"hang in perform", "Perform"},
		{"stop itself", "Plan"},
		{"wire: hang", "Plan"},
		{"wire: progress without end", "Plan"},
	} {
		t.Run(test.behaviour, func(t *testing.T) {
			p := unruly(t, test.behaviour, Settings{CallLimit: short})
			timed(t, short, func() {
				err := calls[test.call](t.Context(), p)
				if late := new(DeadlineError); !errors.As(err, &late) || late.Call != test.call {
					t.Errorf("got %v", err)
				}
			})
		})
	}
}

func TestDyingTellsHow(t *testing.T) {
	for _, test := range []struct{ behaviour, exit, line string }{
		{"panic in a goroutine", "exit status 2", "panic: out of receivers"},
		{"exit", "exit status 7", "giving up"},
		{"be killed", "signal: killed", ""},
		{"leave a child and exit", "exit status 7", ""},
	} {
		t.Run(test.behaviour, func(t *testing.T) {
			p := unruly(t, test.behaviour, Settings{})
			var crash *CrashError
			if err := calls["Plan"](t.Context(), p); !errors.As(err, &crash) || crash.Exit != test.exit {
				t.Fatalf("got %v", err)
			}
			if !strings.Contains(strings.Join(crash.Stderr, "\n"), test.line) {
				t.Errorf("its last lines are %q", crash.Stderr)
			}
		})
	}
}

func TestWhatItLeavesGoesAtTheStop(t *testing.T) {
	for _, behaviour := range []string{
		"a child", "setsid", "setsid, clean", "setsid, clean, closed", "own group, clean", "hang in stop", "ignore SIGTERM",
	} {
		t.Run(behaviour, func(t *testing.T) {
			p := unruly(t, behaviour, Settings{})
			if err := calls["Plan"](t.Context(), p); err != nil {
				t.Fatal(err)
			}
			if left := p.family.look(); strings.Contains(behaviour, "setsid") && len(left) != 1 {
				t.Errorf("of it are there %v", left)
			}
		})
	}
}

func TestFaultsAreErrorsOfTheCall(t *testing.T) {
	for _, test := range []struct{ behaviour, call, want string }{
		{"panic in a handler", "Plan", "panic in Plan: out of receivers"},
		{"a change as a question", "Plan", "a change is no question"},
		{"two commands as a question", "Plan", "refused"},
		{"perform another command", "Perform", "it is not the command of the action that is performed"},
		{"perform on another queue manager", "Perform", "it is not the command of the action that is performed"},
		{"a result of another action", "Perform", `its result is that of action "8", not of "7"`},
		{"wire: a command in a plan", "Plan", "it is not the command of the action that is performed"},
		{"wire: a command in a plan", "Confirm", "it is not the command of the action that is performed"},
		{"wire: a plan for a result", "Perform", "answered with a plan"},
		{"wire: no result", "Plan", "ended without a result"},
		{"wire: one id twice", "Plan", "is asked while it is open"},
		{"wire: an enormous reply", "Plan", "larger than max"},
		{"wire: an enormous reply", "Check", "larger than max"},
	} {
		t.Run(test.behaviour+" in "+test.call, func(t *testing.T) {
			p := unruly(t, test.behaviour, Settings{})
			err := calls[test.call](t.Context(), p)
			if said := new(PluginError); !errors.As(err, &said) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v", err)
			}
			if _, err := p.Check(t.Context(), request); test.call != "Check" && errors.As(err, new(*CrashError)) {
				t.Errorf("the process does not live on: %v", err)
			}
		})
	}
}
