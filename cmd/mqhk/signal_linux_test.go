package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// A signal ends a run that is stuck where no context reaches: a transcript
// that is a pipe to which nobody writes.
func TestSignalWhileReading(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			pipe := filepath.Join(t.TempDir(), "pipe")
			if err := syscall.Mkfifo(pipe, 0o600); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(os.Args[0], "plan", "--transcript", pipe)
			cmd.Env = append(os.Environ(), asMqhk+"=1")
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() }) // a hang
			writer, err := os.OpenFile(pipe, os.O_WRONLY, 0)               // returns when it reads
			if err != nil {
				t.Fatal(err)
			}
			defer writer.Close()
			if err := cmd.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			var exit *exec.ExitError
			if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != exitInterrupted {
				t.Errorf("ended with %v, want exit status %d", err, exitInterrupted)
			}
		})
	}
}
