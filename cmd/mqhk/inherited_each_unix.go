//go:build unix

package main

import "syscall"

const (
	// firstInherited is the first descriptor behind standard error.
	firstInherited = 3
	// mostInherited bounds the look at one descriptor after the other.
	mostInherited = 4096
)

// keepEach marks one descriptor after the other; most of them are not open.
func keepEach() {
	for fd := firstInherited; fd < mostInherited; fd++ {
		syscall.CloseOnExec(fd)
	}
}
