package host

import (
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/mqhk/mqhk/internal/group"
)

// family is all that one plugin started: its process, which leads a session
// of its own, and what descends from that. A process that left the session,
// the environment and its parents behind is still found, because the system
// gives it to the host when its parents are gone (see subreaper).
//
// A process belongs to the family by what can't be another's: the session;
// the mark in its environment; a descent that was seen while the parents
// lived; an end of the plugin's pipes that it still holds. One with none of
// these is a plugin's only if nothing else can have started it, and is left
// alone otherwise: it might be a queue manager that a command started.
type family struct {
	mark mark

	mu     sync.Mutex
	leader int // 0: not started yet
	runs   bool
	pipes  []string
	known  map[int]uint64 // numbers of those seen, and their starts
}

// nursery is what is known of all families of this process.
var nursery struct {
	looking sync.Mutex // one look at a time

	mu       sync.Mutex
	families []*family
	begun    int // launches
	underway int // of them
}

// newFamily begins one; it is ended by release.
func newFamily(m mark) *family {
	f := &family{mark: m, known: make(map[int]uint64)}
	nursery.mu.Lock()
	defer nursery.mu.Unlock()
	if len(nursery.families) == 0 {
		subreaper.on()
	}
	nursery.families = append(nursery.families, f)
	return f
}

// release ends the family; nothing of it should be left.
func (f *family) release() {
	nursery.mu.Lock()
	defer nursery.mu.Unlock()
	nursery.families = slices.DeleteFunc(nursery.families, func(other *family) bool { return other == f })
	if len(nursery.families) == 0 {
		subreaper.off()
	}
}

// launch starts the leader by start, which gives its number. A process that
// is just being born looks like a stray, and is none.
func (f *family) launch(pipes []*os.File, start func() (pid int, err error)) error {
	nursery.mu.Lock()
	nursery.begun++
	nursery.underway++
	nursery.mu.Unlock()
	pid, err := start()
	f.mu.Lock()
	if f.leader = pid; err == nil {
		f.runs = true
		f.pipes = pipeNames(pipes)
	}
	f.mu.Unlock()
	nursery.mu.Lock()
	nursery.underway--
	nursery.mu.Unlock()
	return err
}

// over says that the leader has ended and will be reaped: its number may be
// another's then.
func (f *family) over() {
	nursery.looking.Lock()
	defer nursery.looking.Unlock()
	f.mu.Lock()
	defer f.mu.Unlock()
	f.runs = false
}

// census is the nursery at one moment.
type census struct {
	leaders map[int]*family
	marks   map[string]*family
	begun   int
	settled bool // no launch was under way
}

func takeCensus() census {
	nursery.mu.Lock()
	defer nursery.mu.Unlock()
	c := census{map[int]*family{}, map[string]*family{}, nursery.begun, nursery.underway == 0}
	for _, f := range nursery.families {
		f.mu.Lock()
		if f.leader != 0 {
			c.leaders[f.leader] = f
		}
		f.mu.Unlock()
		c.marks[f.mark.dir] = f
	}
	return c
}

// look finds the members of the family that live or can't be reaped yet,
// beside its leader, and reaps the dead that the system gave to this process.
func (f *family) look() []proc {
	nursery.looking.Lock()
	defer nursery.looking.Unlock()
	own, err := readProc(os.Getpid())
	if err != nil {
		return nil // no /proc
	}
	before := takeCensus()
	all := children(own.pid)
	now := takeCensus()
	now.settled = before.settled && now.begun == before.begun
	var roots []int
	if leader := f.running(); leader != 0 {
		roots = append(roots, leader)
	}
	var found []proc
	for _, pid := range all {
		child, err := readProc(pid)
		switch {
		case err != nil, before.leaders[pid] != nil, now.leaders[pid] != nil:
		case child.parent != own.pid:
		case child.session == own.session && !child.zombie: // such as commands of other rooms
		case child.zombie && (!now.settled || !given(child, own) || reap(pid)):
		case f.owns(child, now):
			found, roots = append(found, child), append(roots, pid)
		}
	}
	for _, p := range descendants(roots...) {
		if !p.zombie { // its parent's to reap, or ours when that is gone
			found = append(found, p)
		}
	}
	f.remember(found)
	return found
}

// given tells whether a child of this process was given to it by the system.
// What the process started itself, it will wait for itself: that is in its
// session, and in its group or at the head of one (internal/group).
func given(child, own proc) bool {
	return child.session != own.session || child.group != child.pid && child.group != own.group
}

// owns tells whether a process that the system gave to us is of the family.
func (f *family) owns(child proc, now census) bool {
	f.mu.Lock()
	start, known := f.known[child.pid]
	leader, pipes := f.leader, f.pipes
	f.mu.Unlock()
	if known && start == child.start || leader != 0 && child.session == leader {
		return true
	}
	if now.leaders[child.session] != nil || !mine(child.pid) {
		return false
	}
	switch m, err := readMark(child.pid); {
	case err != nil:
		return false
	case m.dir != "":
		return m.dir == f.mark.dir || m.host == f.mark.host && now.marks[m.dir] == nil
	}
	// One that is being born has all that this process has open, and no mark yet.
	return now.settled && (holds(child.pid, pipes) || !group.Used() && subreaper.gave(child))
}

// remember notes the members that were found, and forgets those that ended.
func (f *family) remember(found []proc) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, p := range found {
		f.known[p.pid] = p.start
	}
	for pid, start := range f.known {
		if p, err := readProc(pid); err != nil || p.start != start {
			delete(f.known, pid)
		}
	}
}

// running gives the leader's number; 0: it does not run.
func (f *family) running() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.runs {
		return 0
	}
	return f.leader
}

// memory gives the resident bytes of the family.
func (f *family) memory() int64 {
	var sum int64
	if leader := f.running(); leader != 0 {
		sum = resident(leader)
	}
	for _, p := range f.look() {
		sum += resident(p.pid)
	}
	return sum
}

// end kills what is left of the family beside its leader, and returns when
// two looks have found nobody, or after limit with an error: one of them does
// not end, or there are always new ones.
func (f *family) end(limit time.Duration) error {
	until := time.Now().Add(limit)
	for clean := 0; clean < 2; {
		left := f.look()
		if len(left) == 0 {
			clean++
			continue
		}
		clean = 0
		for _, p := range left {
			p.end()
		}
		if time.Now().After(until) {
			return fmt.Errorf("process %d, which it started, is still there, or there are always new ones", left[0].pid)
		}
		time.Sleep(time.Millisecond)
	}
	return nil
}

// pipeNames gives what the ends of pipes are called under /proc/PID/fd.
func pipeNames(pipes []*os.File) []string {
	var called []string
	for _, pipe := range pipes {
		if name, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", pipe.Fd())); err == nil {
			called = append(called, name)
		}
	}
	return called
}

// holds tells whether a process has an end of one of the pipes open.
func holds(pid int, pipes []string) bool {
	numbers, _ := names(procPath(pid, "fd")) // forbidden, or it is gone
	return slices.ContainsFunc(numbers, func(fd string) bool {
		name, err := os.Readlink(procPath(pid, "fd/"+fd))
		return err == nil && slices.Contains(pipes, name)
	})
}
