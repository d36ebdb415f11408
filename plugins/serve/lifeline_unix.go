//go:build unix

package serve

import "syscall"

// closeOnExec keeps the lifeline from the plugin's own children.
func closeOnExec(fd uintptr) { syscall.CloseOnExec(int(fd)) }
