package extents

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"github.com/mqhk/mqhk/core/observe"
)

// full makes a file system without room no error, where what was to be made can
// wait.
func full(err error) error {
	if errors.Is(err, syscall.ENOSPC) {
		return nil
	}
	return err
}

// readyInLine prepares the extent with the number after the last: the file that
// is prepared already, one that waits for reuse, or a new one.
func (l *Log) readyInLine() (int, error) {
	number := l.c.first
	if n := len(l.c.list); n > 0 {
		number = observe.ExtentNumber(l.c.list[n-1].number + 1)
	}
	name := observe.ExtentName(number)
	switch err := l.vacant(name, false); {
	case err == nil:
		return number, l.prepare(name, false)
	case !errors.Is(err, fs.ErrNotExist):
		return 0, err
	}
	reused, err := l.reuse(name)
	if err != nil || reused {
		return number, err
	}
	if err := l.prepare(name, false); err != nil {
		return 0, err
	}
	l.pass.Created++
	return number, nil
}

// reuse makes an extent of one that waits, if there is one. It is emptied under
// its old name: no crash leaves old records under the new one.
func (l *Log) reuse(name string) (bool, error) {
	waiting, err := l.waiting()
	if err != nil || len(waiting) == 0 {
		return false, err
	}
	from := reuseName(observe.ExtentName(waiting[0]))
	if err := l.prepare(from, true); err != nil {
		return false, err
	}
	if err := l.disk.Rename(l.path(from), l.path(name)); err != nil {
		return false, err
	}
	l.pass.Reused++
	return true, l.disk.SyncDir(l.Folder())
}

// superfluous is how many extents, from the oldest on, neither restart nor
// media recovery needs: the one behind them begins at or before both.
func (l *Log) superfluous() int {
	keep, n := min(l.c.restart, l.c.media), 0
	for n+1 < len(l.c.list) && l.c.list[n+1].start != 0 && l.c.list[n+1].start <= keep {
		n++
	}
	return n
}

// release gives up the extents that nothing needs, as the management says. The
// list is durable without them before their files go.
func (l *Log) release() error {
	l.files.counted = false
	there, err := l.numbers(observe.LogExtent)
	if err != nil {
		return err
	}
	present := make(map[int]bool, len(there))
	for _, n := range there {
		present[n] = true
	}
	last := l.superfluous()
	n := 0
	var leaving []entry
	for ; n < last; n++ {
		e := l.c.list[n]
		switch {
		case !present[e.number]: // somebody has removed it
			continue
		case l.set.Management == Automatic, l.set.Management == Archive && e.archived:
			leaving = append(leaving, e)
			continue
		}
		break
	}
	before := l.c
	l.c.list, l.c.leaving = l.c.list[n:], leaving
	if err := l.save(); err != nil {
		l.c.list, l.c.leaving = before.list, before.leaving
		return err
	}
	return l.leave(leaving)
}

// leave empties files for reuse, as many as there are primary ones besides the
// current, and deletes the others.
func (l *Log) leave(leaving []entry) error {
	if len(leaving) == 0 {
		return nil
	}
	waiting, err := l.numbers(observe.ReuseExtent)
	if err != nil {
		return err
	}
	taken := make(map[int]bool, len(waiting))
	for _, n := range waiting {
		taken[n] = true
	}
	for _, e := range leaving {
		if len(taken) < l.set.Primary-1 && !taken[e.number] {
			err = l.disk.Rename(l.path(e.name()), l.path(reuseName(e.name())))
			taken[e.number] = true
		} else {
			err = l.remove(e.name())
			l.pass.Deleted++
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("giving up log extent %s: %w", e.name(), err)
		}
	}
	return l.disk.SyncDir(l.Folder())
}
