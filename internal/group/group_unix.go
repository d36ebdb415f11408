//go:build unix

package group

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

const (
	killing = syscall.SIGKILL
	asking  = syscall.SIGTERM
)

func own(cmd *exec.Cmd, ends syscall.Signal) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error {
		err := syscall.Kill(-cmd.Process.Pid, ends)
		if errors.Is(err, syscall.ESRCH) {
			return os.ErrProcessDone
		}
		return err
	}
}

func kill(cmd *exec.Cmd) {
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // gone already: as it should be
}
