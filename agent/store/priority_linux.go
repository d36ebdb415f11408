package store

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// How low: a processor that is busy gives such a thread about a tenth of what
// another gets (setpriority(2)), and a disk serves it when nobody else asks
// (ioprio_set(2), class idle; schedulers without classes pass it over).
const (
	lowNice       = 10
	ioprioProcess = 1 // with number 0: the calling thread
	ioprioIdle    = 3 << 13
)

// lowerPriority ties the goroutine to its thread and lowers that. The thread
// ends with the goroutine, which never lets it go. Where the system refuses,
// the priority stays: the copy is no less true.
func lowerPriority() {
	runtime.LockOSThread()
	// getpriority gives 20-nice; a process that was started lower stays there.
	if now, err := unix.Getpriority(unix.PRIO_PROCESS, 0); err == nil && 20-now < lowNice {
		_ = unix.Setpriority(unix.PRIO_PROCESS, 0, lowNice)
	}
	_, _, _ = unix.Syscall(unix.SYS_IOPRIO_SET, ioprioProcess, 0, ioprioIdle)
}
