package host

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
)

// This file reads /proc (proc(5)). What is there may be gone at the next
// look, and a process writes its own name: nothing is taken for granted.

// proc is one process. Its number and its start together are its own; the
// number alone may be another's later.
type proc struct {
	pid, parent, group, session int
	start                       uint64 // in ticks since the system started
	zombie                      bool
}

var errNoProc = errors.New("no line of /proc/PID/stat")

// readProc looks at one process.
func readProc(pid int) (proc, error) {
	line, err := os.ReadFile(procPath(pid, "stat"))
	if err != nil {
		return proc{}, err
	}
	return parseStat(line)
}

// parseStat reads /proc/PID/stat. The second field is the program's name in
// parentheses and may hold blanks and parentheses itself.
func parseStat(line []byte) (proc, error) {
	open, shut := bytes.IndexByte(line, '('), bytes.LastIndexByte(line, ')')
	if open < 1 || shut < open {
		return proc{}, errNoProc
	}
	const start = 22 - 3 // fields[0] is the third
	fields := strings.Fields(string(line[shut+1:]))
	if len(fields) <= start {
		return proc{}, errNoProc
	}
	p := proc{zombie: fields[0] == "Z" || fields[0] == "X"}
	for _, n := range []struct {
		to   *int
		from string
	}{
		{&p.pid, strings.TrimSpace(string(line[:open]))}, {&p.parent, fields[1]}, {&p.group, fields[2]}, {&p.session, fields[3]},
	} {
		var err error
		if *n.to, err = strconv.Atoi(n.from); err != nil || *n.to < 0 {
			return proc{}, errNoProc
		}
	}
	var err error
	if p.start, err = strconv.ParseUint(fields[start], 10, 64); err != nil || p.pid == 0 {
		return proc{}, errNoProc
	}
	return p, nil
}

// maxEnviron is how much of an environment is read: Linux allows as much as
// this unless the limit of the stack was raised.
const maxEnviron = 2 << 20

// readMark gives a process's mark, empty without one. It fails for a process
// whose environment may not be read, which is another user's as a rule. Of one
// that is just being started it is that of its parent.
func readMark(pid int) (mark, error) {
	file, err := os.Open(procPath(pid, "environ"))
	if err != nil {
		return mark{}, err
	}
	defer file.Close()
	environ, err := io.ReadAll(io.LimitReader(file, maxEnviron))
	if err != nil {
		return mark{}, err
	}
	return parseMark(environ), nil
}

// children lists the processes that a process has started, or was given by
// the system because whoever started them is gone. A list that is read while
// one of them ends may lack others: who needs all looks twice (proc(5)).
func children(pid int) []int {
	tasks, err := names(procPath(pid, "task"))
	if err != nil {
		return nil
	}
	var all []int
	for _, task := range tasks {
		numbers, err := os.ReadFile(procPath(pid, "task/"+task+"/children"))
		if err != nil && listed() {
			continue // a thread that has ended; its children are another's
		}
		if err != nil {
			return childrenOf(pid)
		}
		for number := range strings.FieldsSeq(string(numbers)) {
			if child, err := strconv.Atoi(number); err == nil {
				all = append(all, child)
			}
		}
	}
	return all
}

// listed tells whether the kernel lists the children of a process
// (CONFIG_PROC_CHILDREN).
var listed = sync.OnceValue(func() bool {
	self := strconv.Itoa(os.Getpid())
	_, err := os.Stat(procPath(os.Getpid(), "task/"+self+"/children"))
	return err == nil
})

// childrenOf does the same on a kernel without lists of children.
func childrenOf(parent int) []int {
	var all []int
	for pid := range allProcs() {
		if p, err := readProc(pid); err == nil && p.parent == parent {
			all = append(all, pid)
		}
	}
	return all
}

// allProcs gives the numbers of all processes that can be seen.
func allProcs() func(yield func(int) bool) {
	return func(yield func(int) bool) {
		all, _ := names("/proc") // without it nothing is known
		for _, name := range all {
			if pid, err := strconv.Atoi(name); err == nil && !yield(pid) {
				return
			}
		}
	}
}

// descendants gives the living processes under those of the given numbers,
// without them.
func descendants(roots ...int) []proc {
	var found []proc
	for queue := roots; len(queue) > 0; queue = queue[1:] {
		for _, child := range children(queue[0]) {
			if p, err := readProc(child); err == nil && p.parent == queue[0] {
				found = append(found, p)
				queue = append(queue, child)
			}
		}
	}
	return found
}

// resident gives the bytes of memory that a process has in use, shared ones
// included.
func resident(pid int) int64 {
	line, err := os.ReadFile(procPath(pid, "statm"))
	if err != nil {
		return 0
	}
	var size, pages int64
	if _, err := fmt.Sscan(string(line), &size, &pages); err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}

// mine tells whether a process runs under our user.
func mine(pid int) bool {
	info, err := os.Stat(procPath(pid, ""))
	if err != nil {
		return false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && stat.Uid == uint32(os.Geteuid())
}

// end kills exactly the process that was looked at: the handle is that of
// whoever has the number now, and its start says whether that is the one.
func (p proc) end() {
	handle, err := os.FindProcess(p.pid)
	if err != nil {
		return
	}
	defer func() { _ = handle.Release() }()
	if now, err := readProc(p.pid); err == nil && now.start == p.start {
		_ = handle.Kill() // gone already: as it should be
	}
}

func procPath(pid int, name string) string {
	return filepath.Clean("/proc/" + strconv.Itoa(pid) + "/" + name)
}
