//go:build unix

package group

import (
	"bufio"
	"context"
	"errors"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The end of the context ends what the command has started, too: killed under
// Own, asked under Asked, where Kill ends what does not heed that.
func TestTheGroupEndsAsOne(t *testing.T) {
	tests := map[string]struct {
		own    func(*exec.Cmd)
		script string
		heeds  bool
	}{
		"killed":                      {Own, `trap '' TERM; sleep 60 & echo $!; wait`, true},
		"asked":                       {Asked, `sleep 60 & echo $!; wait`, true},
		"asked, and it does not heed": {Asked, `trap '' TERM; sleep 60 & echo $!; wait; sleep 60`, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			cmd := exec.CommandContext(ctx, "/bin/sh", "-c", test.script)
			test.own(cmd)
			output, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			line, err := bufio.NewReader(output).ReadString('\n')
			child, notNumber := strconv.Atoi(strings.TrimSpace(line))
			if err := errors.Join(err, notNumber); err != nil {
				t.Fatal(err)
			}
			cancel()
			if !test.heeds {
				Kill(cmd)
			}
			if err := cmd.Wait(); err == nil {
				t.Error("it ended well")
			}
			Kill(cmd) // gone already
			gone(t, child)
		})
	}
	Kill(exec.Command("/bin/true")) // never started
}

// gone waits until a process has ended. One that nobody has waited for yet is a
// zombie, which has no group that could be told to end, but a number.
func gone(t *testing.T, pid int) {
	t.Helper()
	for hang := time.Now().Add(time.Minute); time.Now().Before(hang); time.Sleep(time.Millisecond) {
		state, err := exec.Command("ps", "-o", "stat=", "-p", strconv.Itoa(pid)).Output()
		if syscall.Kill(pid, 0) != nil || err != nil || strings.HasPrefix(strings.TrimSpace(string(state)), "Z") {
			return
		}
	}
	t.Errorf("process %d is still there", pid)
}
