package host

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/mqhk/mqhk/internal/group"
)

// hostProcess is a host in a process of its own.
type hostProcess struct {
	*exec.Cmd
	words *bufio.Reader
}

func startHost(t *testing.T, base string, words ...string) hostProcess {
	t.Helper()
	host := exec.Command(os.Args[0])
	host.Env = append(os.Environ(), envHost+"="+strings.Join(words, "\n"), envBase+"="+base)
	out, err := host.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := host.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = host.Process.Kill() }) // it has ended, as a rule
	return hostProcess{host, bufio.NewReader(out)}
}

// pid reads which process its plugin is.
func (h hostProcess) pid(t *testing.T) int {
	t.Helper()
	line, err := h.words.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatalf("the host says %q", line)
	}
	return pid
}

// kill kills the host, and waits for its end.
func (h hostProcess) kill() {
	_ = h.Process.Kill()
	_ = h.Wait()
}

// sleepers gives the processes that sleep as long as this test's do.
func sleepers() []int {
	var found []int
	for pid := range allProcs() {
		if p, err := readProc(pid); err == nil && !p.zombie && strings.HasSuffix(cmdline(pid), sleepFor) && strings.Contains(cmdline(pid), "sleep") {
			found = append(found, pid)
		}
	}
	return found
}

// soon waits until something is so.
func soon(t *testing.T, what string, is func() bool) {
	t.Helper()
	for hang := time.Now().Add(time.Minute); !is(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(hang) {
			t.Fatalf("after a minute it is not so: %s", what)
		}
	}
}

// envAlone makes a host's process one whose plugin ends by itself or not at
// all: no sweep of another process takes it for a dead host's. With "no
// signal" the system does not end it either.
const envAlone = "MQHK_TEST_ALONE"

func init() {
	how, alone := os.LookupEnv(envAlone)
	if !alone {
		return
	}
	hostName = func() string { return "no process" } // of which nobody can tell that it is gone
	if how == "no signal" {
		deathSignal = 0
	}
}

// Each half of the bond to the host is enough: without the signal a kit's
// plugin goes by its lifeline, and a script that heeds nothing goes by the
// signal, within a second. The machine may be too busy for that once, not three
// times.
func TestPluginDiesWithTheHost(t *testing.T) {
	script := filepath.Join(t.TempDir(), "script")
	deaf := "#!/bin/sh\ntrap '' TERM HUP INT QUIT PIPE\nwhile :; do sleep 0.1; done\n"
	if err := os.WriteFile(script, []byte(deaf), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ name, words, alone string }{
		{"lifeline", "nothing", "no signal"},
		{"signal", script, "signal"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Setenv(envAlone, test.alone)
			base := leftovers(t)
			var took time.Duration
			for range 3 {
				host := startHost(t, base, test.words)
				var pid int
				if test.words == script {
					pid = host.scriptPID(t)
				} else {
					pid = host.pid(t)
				}
				plugin := handle(t, pid)
				host.kill()
				killed := time.Now()
				if !endsWithin(t, plugin, 10*time.Second) {
					_ = unix.PidfdSendSignal(plugin, unix.SIGKILL, nil, 0)
					t.Fatal("the plugin outlived its host")
				}
				if took = time.Since(killed); took <= time.Second {
					break
				}
			}
			if took > time.Second {
				t.Errorf("it outlived its host by %s", took)
			}
			sweepBy(t, base)
		})
	}
}

// scriptPID waits until its plugin runs, which says nothing.
func (h hostProcess) scriptPID(t *testing.T) (pid int) {
	t.Helper()
	soon(t, "the script runs", func() bool {
		for _, child := range descendants(h.Process.Pid) {
			if strings.Contains(cmdline(child.pid), "/proc/self/fd/4") {
				pid = child.pid
			}
		}
		return pid != 0
	})
	return pid
}

// sweepBy starts and stops a plugin of another host.
func sweepBy(t *testing.T, base string) {
	t.Helper()
	p, err := Start(t.Context(), source("nothing"), Settings{SocketBase: base})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Stop(); err != nil {
		t.Fatal(err)
	}
}

// What a killed host's plugin left in sessions of its own goes with the next
// start, and so does its directory; what belongs to a host that lives stays.
func TestNextStartSweeps(t *testing.T) {
	program, err := misbehave()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name   string
		tidied bool // somebody removed the directory
		lives  bool
	}{{name: "killed"}, {name: "killed, and tidied away", tidied: true}, {name: "lives", lives: true}} {
		t.Run(test.name, func(t *testing.T) {
			base := leftovers(t)
			host := startHost(t, base, program, "setsid", sleepFor, program)
			host.pid(t)
			sleeping := handle(t, sleepers()[0])
			if !test.lives {
				host.kill()
			}
			dirs, _ := filepath.Glob(filepath.Join(base, "mqhk-*"))
			if len(dirs) != 1 || len(sleepers()) != 1 {
				t.Fatalf("after the kill there are %v, %v", dirs, sleepers())
			}
			next := base
			if test.tidied {
				if err := os.RemoveAll(dirs[0]); err != nil {
					t.Fatal(err)
				}
				next = t.TempDir()
				if !shortEnough(next) {
					next = ""
				}
			}
			another := startHost(t, next, "nothing")
			another.pid(t)
			if test.lives {
				if endsWithin(t, sleeping, 100*time.Millisecond) {
					t.Error("the sleeper of a host that lives was ended")
				}
				if _, err := os.Stat(dirs[0]); err != nil {
					t.Error(err)
				}
				host.kill()
			} else if !endsWithin(t, sleeping, time.Minute) {
				t.Error("the sleeper is still there")
			}
			if _, err := os.Stat(dirs[0]); err == nil && !test.lives {
				t.Error("the directory is still there")
			}
			another.kill()
			sweepBy(t, base)
		})
	}
}

// What a command of another room left behind is never ended, though the
// system gives it to the host and nothing tells whose it is.
func TestWhatACommandLeavesStays(t *testing.T) {
	base := leftovers(t)
	host := exec.Command(os.Args[0])
	host.Env = append(os.Environ(), envBase+"="+base,
		envCommand+"=(setsid env -i sleep "+sleepFor+" </dev/null >/dev/null 2>&1 &)")
	out, err := host.CombinedOutput()
	if err != nil || string(out) != "<nil> <nil>\n" {
		t.Fatalf("%v: %s", err, out)
	}
	left := sleepers()
	if len(left) != 1 {
		t.Errorf("of the command's there are %v", left)
	}
	for _, pid := range left {
		_ = unix.Kill(pid, unix.SIGKILL)
	}
}

// The exit status of a process that others wait for is theirs, while plugins
// come and go.
func TestExitStatusIsNotStolen(t *testing.T) {
	if os.Getenv(envBase) == "" { // in a process of its own: it runs commands
		again := exec.Command(os.Args[0], "-test.run=^TestExitStatusIsNotStolen$")
		again.Env = append(os.Environ(), envBase+"="+leftovers(t))
		if out, err := again.CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
		return
	}
	base := leftovers(t)
	over := make(chan struct{})
	var others sync.WaitGroup
	for range 4 {
		others.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-over:
					return
				default:
				}
				// Its orphans are given to this process, and end while it looks.
				command := exec.CommandContext(t.Context(), "/bin/sh", "-c", "(setsid true &) ; (true &) ; exit 7")
				group.Own(command)
				err := command.Run()
				if exit := new(exec.ExitError); !errors.As(err, &exit) || exit.ExitCode() != 7 {
					t.Errorf("run %d: %v", n, err)
					return
				}
			}
		})
	}
	for range 10 {
		p, err := Start(t.Context(), source("nothing"), Settings{SocketBase: base})
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Stop(); err != nil {
			t.Error(err)
		}
	}
	close(over)
	others.Wait()
	sweepBy(t, base)
}
