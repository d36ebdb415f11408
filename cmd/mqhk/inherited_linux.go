package main

import (
	"math"

	"golang.org/x/sys/unix"
)

// keepInherited keeps what this process inherited, such as the log or the lock
// of a wrapper, from those that it starts: plugins are strangers, and the
// commands of IBM MQ need none of it. Whatever the program opens itself is kept
// from them anyway.
func keepInherited() {
	if unix.CloseRange(firstInherited, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC) != nil { // before Linux 5.11
		keepEach()
	}
}
