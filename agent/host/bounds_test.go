package host

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// grace is what a bound may be exceeded by: being killed, and a busy machine.
const grace = 2 * time.Second

// timed fails when do takes longer than limit and grace.
func timed(t *testing.T, limit time.Duration, do func()) {
	t.Helper()
	began := time.Now()
	do()
	if took := time.Since(began); took > limit+grace {
		t.Errorf("took %s, limit %s", took, limit)
	}
}

func TestStartFails(t *testing.T) {
	tests := []struct {
		behaviour string
		want      []string // parts of the error
	}{
		{"exit before handshake", []string{"starting plugin stranger", "exit status 3", "| no licence for this machine"}},
		{"print before handshake", []string{`loading... \x1b[31m`}},
		{"silent", []string{"did not say what it is within 300ms"}},
		{"hang in describe", []string{"did not say what it is within 300ms"}},
		{"panic in describe", []string{"panic in Describe: who am I"}},
		{"another name", []string{`its name is "ghost"`}},
	}
	for _, test := range tests {
		t.Run(test.behaviour, func(t *testing.T) {
			t.Parallel()
			settings := Settings{SocketBase: t.TempDir()}
			if !shortEnough(settings.SocketBase) {
				settings.SocketBase = ""
			}
			if strings.Contains(strings.Join(test.want, ""), "300ms") {
				settings.StartLimit = 300 * time.Millisecond
			}
			var err error
			timed(t, settings.withDefaults().StartLimit, func() { _, err = Start(t.Context(), source(test.behaviour), settings) })
			var failed *StartError
			if !errors.As(err, &failed) {
				t.Fatalf("got %v", err)
			}
			for _, part := range test.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("the error lacks %q: %v", part, err)
				}
			}
			if settings.SocketBase != "" {
				if left, err := os.ReadDir(settings.SocketBase); err != nil || len(left) > 0 {
					t.Errorf("left behind: %v, %v", left, err)
				}
			}
		})
	}
}

func TestStartEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	timed(t, 100*time.Millisecond, func() {
		if _, err := Start(ctx, source("silent"), Settings{}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
	})
}

func TestWhatIsNoPluginDoesNotStart(t *testing.T) {
	t.Parallel()
	script := filepath.Join(t.TempDir(), "script")
	if err := os.WriteFile(script, []byte("#!/bin/sh\necho hello from $0 >&2\nexit 4\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	text := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(text, []byte("no program"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ path, sha256, want string }{
		{script, "", "exit status 4"}, // its interpreter has read the very file
		{script, strings.Repeat("0", 64), "the lock says 000"},
		{text, "", "launching " + text},
		{script + " ", "", "no such file"},
	} {
		_, err := Start(t.Context(), Source{Name: "alien", Path: test.path, SHA256: test.sha256}, Settings{})
		if failed := new(StartError); !errors.As(err, &failed) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", test.path, err)
		}
	}
}

func TestCrashTellsHowAndWhy(t *testing.T) {
	tests := []struct{ behaviour, exit, line string }{
		{"exit in plan", "exit status 7", "giving up"},
		{"panic in a goroutine", "exit status 2", "panic: out of receivers"},
	}
	for _, test := range tests {
		t.Run(test.behaviour, func(t *testing.T) {
			t.Parallel()
			p := begin(t, test.behaviour, Settings{})
			_, err := p.Plan(t.Context(), request, echo, Events{})
			var crash *CrashError
			if !errors.As(err, &crash) || crash.Exit != test.exit {
				t.Fatalf("got %v", err)
			}
			if !slices.Contains(crash.Stderr, test.line) {
				t.Errorf("its last lines are %q", crash.Stderr)
			}
			_, err = p.Plan(t.Context(), request, echo, Events{})
			if !errors.As(err, &crash) {
				t.Errorf("a dead plugin's next call: %v", err)
			}
		})
	}
}

func TestKilledPluginIsACrash(t *testing.T) {
	t.Parallel()
	p := begin(t, "hang in plan", Settings{})
	asked := make(chan error)
	go func() {
		_, err := p.Plan(t.Context(), request, echo, Events{})
		asked <- err
	}()
	p.child.Load().killGroup()
	err := <-asked
	if crash := new(CrashError); !errors.As(err, &crash) || crash.Exit != "signal: killed" {
		t.Errorf("got %v", err)
	}
}

func TestCallsEndInTime(t *testing.T) {
	const limit = 200 * time.Millisecond
	check := func(p *Process) error {
		_, err := p.Check(t.Context(), request)
		return err
	}
	plan := func(p *Process) error {
		_, err := p.Plan(t.Context(), request, echo, Events{})
		return err
	}
	for behaviour, call := range map[string]func(*Process) error{"hang in check": check, "hang in plan": plan} {
		t.Run(behaviour, func(t *testing.T) {
			t.Parallel()
			p := begin(t, behaviour, Settings{CallLimit: limit, StopLimit: limit})
			timed(t, limit, func() {
				var late *DeadlineError
				if err := call(p); !errors.As(err, &late) || !errors.Is(err, context.DeadlineExceeded) || late.After < limit {
					t.Errorf("got %v", err)
				}
			})
			timed(t, limit, func() { _ = p.Stop() })
		})
	}
}

func TestCancelledCallIsNoDeadline(t *testing.T) {
	t.Parallel()
	p := begin(t, "hang in plan", Settings{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := p.Plan(ctx, request, echo, Events{})
	if late := new(DeadlineError); errors.As(err, &late) || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestStopIsBounded(t *testing.T) {
	const limit = 200 * time.Millisecond
	for _, behaviour := range []string{"hang in stop", "hang in plan"} {
		t.Run(behaviour, func(t *testing.T) {
			t.Parallel()
			p := begin(t, behaviour, Settings{StopLimit: limit})
			var calls sync.WaitGroup
			if behaviour == "hang in plan" {
				calls.Go(func() {
					if _, err := p.Plan(t.Context(), request, echo, Events{}); !errors.Is(err, ErrStopped) {
						t.Errorf("the call under way: %v", err)
					}
				})
			}
			timed(t, limit, func() {
				if err := p.Stop(); err != nil {
					t.Error(err)
				}
			})
			calls.Wait()
			assertGone(t, p)
			if err := p.Stop(); err != nil {
				t.Errorf("stopping again: %v", err)
			}
			if _, err := p.Plan(t.Context(), request, echo, Events{}); !errors.Is(err, ErrStopped) {
				t.Errorf("a call after it: %v", err)
			}
		})
	}
}

func TestHugePlanIsCutOff(t *testing.T) {
	t.Parallel()
	p := begin(t, "huge plan", Settings{MaxResult: 4 << 20})
	_, err := p.Plan(t.Context(), request, echo, Events{})
	if said := new(PluginError); !errors.As(err, &said) || !strings.Contains(err.Error(), "the limit is 4194304") {
		t.Errorf("got %v", err)
	}
}

func TestHugeMessageIsCutOff(t *testing.T) {
	t.Parallel()
	p := begin(t, "huge plan", Settings{MaxMessage: 10_000})
	_, err := p.Plan(t.Context(), request, echo, Events{})
	if said := new(PluginError); !errors.As(err, &said) || !strings.Contains(err.Error(), "larger than max") {
		t.Errorf("got %v", err)
	}
}

func TestGarbageOnStandardError(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var got []string
	log := newRecords(func(line string) {
		mu.Lock()
		defer mu.Unlock()
		got = append(got, line)
	})
	p := begin(t, "garbage on stderr", Settings{Log: log})
	if _, err := p.Plan(t.Context(), request, echo, Events{}); err != nil {
		t.Fatal(err)
	}
	if err := p.Stop(); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	if want := `level=WARN msg="half full" plugin=stranger disk=7`; !slices.Contains(got, want) || len(got) < 5 {
		t.Errorf("%q is not among %q", want, got)
	}
	if want := `\xff\x00\x1b]`; !slices.Contains(p.log.tail(), want) {
		t.Errorf("%q is not among %q", want, p.log.tail())
	}
}

func TestFloodIsBounded(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	lines := 0
	log := newRecords(func(string) {
		mu.Lock()
		defer mu.Unlock()
		lines++
	})
	p := begin(t, "flood stderr", Settings{Log: log})
	if _, err := p.Plan(t.Context(), request, echo, Events{}); err != nil {
		t.Fatal(err)
	}
	if err := p.Stop(); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	if lines > 2000+10*200 {
		t.Errorf("%d lines came through", lines)
	}
}

func TestSurroundings(t *testing.T) {
	t.Setenv("MQHK_SECRET", "sesame")
	t.Setenv("LANG", "de_DE.UTF-8")
	p := begin(t, "environment", Settings{})
	plan, err := p.Plan(t.Context(), request, echo, Events{})
	if err != nil {
		t.Fatal(err)
	}
	facts := plan.Objects[0].Facts
	if _, leaked := facts["MQHK_SECRET"]; leaked || facts["LANG"] != "de_DE.UTF-8" || facts["stdin"] != "0 <nil>" {
		t.Errorf("it was given %v", facts)
	}
	if facts["PLUGIN_UNIX_SOCKET_DIR"] != p.dir {
		t.Errorf("its sockets are in %q", facts["PLUGIN_UNIX_SOCKET_DIR"])
	}
	if info, err := os.Stat(p.dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

func TestTooLongSocketDirectory(t *testing.T) {
	t.Parallel()
	base := filepath.Join(t.TempDir(), strings.Repeat("x", 120))
	_, err := Start(t.Context(), source("nothing"), Settings{SocketBase: base})
	if err == nil || !strings.Contains(err.Error(), base) || !strings.Contains(err.Error(), "is the limit here") {
		t.Errorf("got %v", err)
	}
}

func TestLongTemporaryDirectoryIsAvoided(t *testing.T) {
	t.Setenv("TMPDIR", "/tmp/"+strings.Repeat("x", 120))
	dir, err := socketDir("")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(dir); err != nil {
		t.Error(err)
	}
}
