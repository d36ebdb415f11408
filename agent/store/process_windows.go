package store

import (
	"os/exec"
	"syscall"
)

// ownGroup keeps Ctrl-C of our console from the command. What it starts itself
// does not end with it: there are no groups that end as one.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}
