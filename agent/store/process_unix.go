//go:build unix

package store

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// ownGroup puts the command and all that it starts into a group of its own,
// which is ended as one.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error {
		err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		if errors.Is(err, syscall.ESRCH) {
			return os.ErrProcessDone
		}
		return err
	}
}
