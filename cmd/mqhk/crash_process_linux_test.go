package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// process is mqhk in a process of its own.
type process struct {
	*exec.Cmd
	out bytes.Buffer // what it writes, on both ways
}

// command makes a process, which is not yet started.
func (s *site) command(args ...string) *process {
	p := &process{Cmd: exec.Command(os.Args[0], s.args(args)...)}
	p.Dir = s.home
	p.Env = append(os.Environ(), asMqhk+"=1", "TMPDIR="+s.path("tmp"))
	p.Stdout, p.Stderr = &p.out, &p.out
	p.WaitDelay = 10 * time.Second // a plugin that outlives it has its standard error
	return p
}

// start starts a process. One that hangs has to show its goroutines, and ends.
func (s *site) start(args ...string) *process {
	s.t.Helper()
	p := s.command(args...)
	s.must(p.Start())
	hang := time.AfterFunc(2*time.Minute, func() { _ = p.Process.Signal(syscall.SIGQUIT) })
	s.t.Cleanup(func() {
		hang.Stop()
		_ = p.Process.Kill() // it has ended, as a rule
	})
	return p
}

// status waits for the end of a process and gives its exit status; -1: a
// signal ended it.
func (p *process) status() int {
	_ = p.Wait() // the state says it
	return p.ProcessState.ExitCode()
}

// strays gives the processes that the site's have left: each has the site's
// folder in its environment (proc_pid_environ(5)).
func (s *site) strays() []string {
	s.t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*/environ")
	s.must(err)
	var left []string
	for _, name := range all {
		environ, err := os.ReadFile(name) // of others it is forbidden, and it may have ended
		if err == nil && bytes.Contains(environ, []byte(s.home)) {
			left = append(left, strings.Split(name, "/")[2])
		}
	}
	return left
}

// noStrays waits until none is left, some seconds at most.
func (s *site) noStrays() {
	s.t.Helper()
	eventually(s.t, 10*time.Second, func() string {
		if left := s.strays(); len(left) > 0 {
			return fmt.Sprintf("processes %v are left", left)
		}
		return ""
	})
}

// eventually waits until nothing is wrong any more.
func eventually(t *testing.T, within time.Duration, wrong func() string) {
	t.Helper()
	again := time.NewTicker(5 * time.Millisecond)
	defer again.Stop()
	for end := time.Now().Add(within); ; {
		why := wrong()
		if why == "" {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("after %s: %s", within, why)
		}
		<-again.C
	}
}

// stay starts an agent.
func (s *site) stay(args ...string) *staying {
	s.t.Helper()
	p := s.command(append([]string{"agent", "--log-format", "json"}, args...)...)
	p.Stderr = nil
	stderr, err := p.StderrPipe()
	s.must(err)
	s.must(p.Start())
	hang := time.AfterFunc(2*time.Minute, func() { _ = p.Process.Kill() })
	s.t.Cleanup(func() {
		hang.Stop()
		_ = p.Process.Kill() // it has ended, as a rule
	})
	return &staying{p.Cmd, bufio.NewScanner(stderr)}
}
