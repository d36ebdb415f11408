package host

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// subreaper makes the system give this process what its plugins leave behind
// (PR_SET_CHILD_SUBREAPER), while any of them runs. Who calls it holds the
// nursery.
var subreaper adoption

type adoption struct {
	before bool           // it was one already: what it is given may be anybody's
	had    map[int]uint64 // the children it had before, which are no plugin's
}

func (a *adoption) on() {
	var is int
	if unix.Prctl(unix.PR_GET_CHILD_SUBREAPER, uintptr(unsafe.Pointer(&is)), 0, 0, 0) == nil {
		a.before = is != 0
	}
	a.had = make(map[int]uint64)
	for _, pid := range children(os.Getpid()) {
		if p, err := readProc(pid); err == nil {
			a.had[pid] = p.start
		}
	}
	if !a.before {
		_ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) // before Linux 3.4: limits.md
	}
}

func (a *adoption) off() {
	if !a.before {
		_ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)
	}
}

// gave tells whether a child that nobody here started can only be what a
// plugin left behind. The first process of a container is given everybody's.
func (a *adoption) gave(child proc) bool {
	start, had := a.had[child.pid]
	return os.Getpid() != 1 && !a.before && !(had && start == child.start)
}

// reap takes a child that has ended out of the table of processes. It is too
// early while threads of it are still ending.
func reap(pid int) bool {
	reaped, err := unix.Wait4(pid, nil, unix.WNOHANG, nil)
	return reaped == pid || err != nil
}
