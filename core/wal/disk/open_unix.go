//go:build unix

package disk

import "syscall"

const (
	noFollow = syscall.O_NOFOLLOW
	noWait   = syscall.O_NONBLOCK // of a regular file it changes nothing
)
