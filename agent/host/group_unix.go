//go:build unix

package host

import (
	"os"
	"syscall"
)

// killGroup ends the leader and all that stayed in its group, stopped ones
// too.
func killGroup(leader *os.Process) { _ = syscall.Kill(-leader.Pid, syscall.SIGKILL) }
