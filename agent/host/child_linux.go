package host

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// deathSignal is what a plugin gets when its host dies. Tests that look at the
// lifeline alone switch it off.
var deathSignal = syscall.SIGKILL

// prepare gives the process a session and a group of its own, the lifeline as descriptor 3
// and its own file as descriptor 4, which is what it runs: the path may lead
// elsewhere by now. The file stays open in the child, since a script's
// interpreter opens it again. Without /proc a descriptor can't be run by
// name, and the path alone is not trusted but that of the running file.
func (c *child) prepare(lifeline *os.File) error {
	c.cmd.ExtraFiles = []*os.File{lifeline}
	c.cmd.Env = append(c.cmd.Env, lifelineEnv("3"))
	// The signal comes when the thread dies that started the child; run keeps
	// it. The lifeline works without it, for a plugin that heeds it.
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: deathSignal}
	if _, err := os.Stat("/proc/self/fd"); err != nil {
		if !c.binary.shared {
			return fmt.Errorf("running what was hashed: %w", err)
		}
		return c.binary.unchanged()
	}
	c.cmd.ExtraFiles = append(c.cmd.ExtraFiles, c.binary.file)
	c.cmd.Path = descriptorPath(4)
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
