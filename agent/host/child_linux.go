package host

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// prepare gives the process a session and a group of its own, the lifeline as descriptor 3
// and its own file as descriptor 4, which is what it runs: the path may lead
// elsewhere by now. The file stays open in the child, since a script's
// interpreter opens it again.
func (c *child) prepare(lifeline *os.File) error {
	c.cmd.ExtraFiles = []*os.File{lifeline}
	c.cmd.Env = append(c.cmd.Env, lifelineEnv("3"))
	// The signal comes when the thread dies that started the child; run keeps
	// it. The lifeline works without it, for a plugin that heeds it.
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
	if _, err := os.Stat("/proc/self/fd"); err != nil {
		return c.binary.unchanged()
	}
	c.cmd.ExtraFiles = append(c.cmd.ExtraFiles, c.binary.file)
	c.cmd.Path = "/proc/self/fd/4"
	return nil
}

// runningFile is the running file itself, even if its name is another's now.
func runningFile(path string) string {
	const running = "/proc/self/exe"
	if _, err := os.Stat(running); err != nil {
		return path
	}
	return running
}

// awaitEnd returns when the process has ended and before it is reaped, so
// that its number still belongs to its group; false when it could not.
func awaitEnd(pid int) bool {
	for {
		err := unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			return err == nil
		}
	}
}
