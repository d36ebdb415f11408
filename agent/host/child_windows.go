package host

import (
	"os"
	"syscall"
)

// prepare keeps Ctrl-C of the host's console from the process and makes the
// lifeline its standard input: Windows passes no other descriptor on.
func (c *child) prepare(lifeline *os.File) error {
	c.cmd.Stdin = lifeline
	c.cmd.Env = append(c.cmd.Env, lifelineEnv("stdin"))
	c.cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
	return c.binary.unchanged()
}

// runningFile is where the running file was when it was started.
func runningFile(path string) string { return path }

// awaitEnd does not wait: a process can't be waited for by its number.
func awaitEnd(int) bool { return false }

// killGroup ends the process itself. What it started ends by itself or not:
// there are no process groups.
func killGroup(leader *os.Process) { _ = leader.Kill() }
