//go:build race

package leave

import "syscall"

// atOnce goes past the detector's own exit.
func atOnce(status int) {
	_, _, _ = syscall.RawSyscall(syscall.SYS_EXIT_GROUP, uintptr(status), 0, 0)
}
