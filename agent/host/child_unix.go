//go:build unix && !linux

package host

import (
	"os"
	"syscall"
)

// prepare gives the process a session and a group of its own and the lifeline as
// descriptor 3. It is run by its path, looked at once more.
func (c *child) prepare(lifeline *os.File) error {
	c.cmd.ExtraFiles = []*os.File{lifeline}
	c.cmd.Env = append(c.cmd.Env, lifelineEnv("3"))
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	return c.binary.unchanged()
}

// runningFile is where the running file was when it was started.
func runningFile(path string) string { return path }

// awaitEnd does not wait: no call that does without reaping is portable.
func awaitEnd(int) bool { return false }
