package host

import (
	"fmt"
	"os"
	"sync"
	"time"
)

// orphanLimit bounds the end of what a dead host's plugins left behind.
const orphanLimit = time.Second

// hostName says which process the host is.
var hostName = sync.OnceValue(func() string {
	own, _ := readProc(os.Getpid()) // without /proc nobody will read it
	return fmt.Sprintf("%d.%d", own.pid, own.start)
})

// lives tells whether the host of that name is still there.
func lives(name string) bool {
	var pid int
	var start uint64
	if _, err := fmt.Sscanf(name, "%d.%d", &pid, &start); err != nil {
		return true // not one of ours
	}
	p, err := readProc(pid)
	return err == nil && p.start == start && !p.zombie
}

// endOrphans kills the processes of this user that bear the mark of a host
// that is gone. Those of another container name processes and folders that
// are not what is called so here.
func endOrphans(gone func(mark) bool) {
	for until := time.Now().Add(orphanLimit); time.Now().Before(until); time.Sleep(time.Millisecond) {
		found := false
		for pid := range allProcs() {
			if pid == os.Getpid() || !mine(pid) {
				continue
			}
			m, err := readMark(pid)
			if err != nil || m.dir == "" {
				continue
			}
			p, err := readProc(pid)
			if err != nil || p.zombie || !sameSpace(pid) || lives(m.host) || !gone(m) {
				continue
			}
			found = true
			p.end()
		}
		if !found {
			return
		}
	}
}

// sameSpace tells whether a process sees the same processes and the same
// files as this one.
func sameSpace(pid int) bool {
	for _, space := range []string{"ns/pid", "ns/mnt"} {
		theirs, err := os.Readlink(procPath(pid, space))
		ours, ourErr := os.Readlink(procPath(os.Getpid(), space))
		if err != nil || ourErr != nil || theirs != ours {
			return false
		}
	}
	return true
}
