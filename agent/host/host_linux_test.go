package host

import (
	"log/slog"
	"os"
	"strconv"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// handle opens a handle of a process, which becomes readable when it ends; a
// number alone may be another's, or a zombie's.
func handle(t *testing.T, pid int) int {
	t.Helper()
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		t.Skipf("no handle of process %d: %v", pid, err)
	}
	t.Cleanup(func() { _ = unix.Close(fd) })
	return fd
}

// endsWithin waits for a process to end.
func endsWithin(t *testing.T, fd int, limit time.Duration) bool {
	t.Helper()
	for {
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, int(limit.Milliseconds()))
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		return n == 1
	}
}

func TestStoppedPluginIsKilled(t *testing.T) {
	t.Parallel()
	const limit = 200 * time.Millisecond
	p := begin(t, "nothing", Settings{StopLimit: limit})
	if err := unix.Kill(p.PID(), unix.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	timed(t, limit, func() {
		if err := p.Stop(); err != nil {
			t.Error(err)
		}
	})
}

func TestChildOfThePluginGoesToo(t *testing.T) {
	t.Parallel()
	p := begin(t, "leave a child", Settings{})
	plan, err := p.Plan(t.Context(), request, echo, Events{})
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(plan.Objects[0].Name)
	if err != nil {
		t.Fatal(err)
	}
	child := handle(t, pid)
	timed(t, 0, func() {
		if err := p.Stop(); err != nil {
			t.Error(err)
		}
	})
	if !endsWithin(t, child, time.Second) {
		t.Error("what the plugin started is still there")
	}
}

func TestVeryFileIsRun(t *testing.T) {
	t.Parallel()
	path := t.TempDir() + "/plugin"
	copyFile(t, os.Args[0], path)
	opened, err := openBinary(path, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	// Somebody replaces the file between the look at it and the start.
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("#!/bin/sh\nexit 9\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	defer opened.close()
	family := newFamily(mark{dir: t.TempDir(), host: hostName()})
	defer family.release()
	c := newChild(Source{Name: "stranger"}, opened, []string{envPlugin + "=exit before handshake"}, t.TempDir(), newStderrLog(slog.DiscardHandler, "stranger", 200), family)
	if err := c.start(); err != nil {
		t.Fatal(err)
	}
	defer c.letGo()
	if exit, gone := c.ended(5 * time.Second); !gone || exit != "exit status 3" {
		t.Errorf("it ended with %q, %t", exit, gone)
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, data, 0o700); err != nil {
		t.Fatal(err)
	}
}
