//go:build unix

package local

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// ownGroup puts a command and all that it starts into a group of its own, which
// is told to end as one.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error {
		err := syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM)
		if errors.Is(err, syscall.ESRCH) {
			return os.ErrProcessDone
		}
		return err
	}
}

// killGroup kills what is left of a command's group. As long as anything is,
// its number is nobody else's.
func killGroup(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // gone already: as it should be
	}
}
