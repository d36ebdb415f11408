package extents

import (
	"errors"
	"io/fs"
	"slices"

	"github.com/mqhk/mqhk/core/observe"
)

// readyInRing chooses the file that a circular log goes on in and prepares it:
// the next primary file that no restart needs, else a secondary one. What was
// in it, and all before that, leaves the list first.
func (l *Log) readyInRing() (int, error) {
	needed := map[int]bool{}
	for _, e := range l.c.list[l.holding(l.c.restart):] {
		needed[e.number] = true
	}
	number, err := l.freeInRing(needed)
	if err != nil {
		return 0, err
	}
	if err := l.forget(number); err != nil {
		return 0, err
	}
	there, err := l.numbers(observe.LogExtent)
	if err != nil {
		return 0, err
	}
	if err := l.prepare(observe.ExtentName(number), true); err != nil {
		return 0, err
	}
	if !slices.Contains(there, number) {
		l.pass.Created++
	}
	return number, nil
}

// freeInRing finds a file that is not needed and not somebody else's: of a name
// that is taken the ring goes past.
func (l *Log) freeInRing(needed map[int]bool) (int, error) {
	var taken error
	for {
		number := l.free(needed)
		if taken != nil && number >= l.set.most() {
			return 0, taken
		}
		err := l.vacant(observe.ExtentName(number), true)
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			return number, nil
		}
		if !errors.Is(err, ErrOccupied) {
			return 0, err
		}
		taken, needed[number] = errors.Join(taken, err), true
	}
}

// free finds a file that is not needed: primary ones in their turn, then the
// first of the secondary ones.
func (l *Log) free(needed map[int]bool) int {
	last := -1
	for _, e := range l.c.list {
		if e.number < l.set.Primary {
			last = e.number
		}
	}
	for i := range l.set.Primary {
		if n := (last + 1 + i) % l.set.Primary; !needed[n] {
			return n
		}
	}
	n := l.set.Primary
	for needed[n] {
		n++
	}
	return n
}

// forget drops an extent from the list, with all that are older, durably.
func (l *Log) forget(number int) error {
	i := slices.IndexFunc(l.c.list, func(e entry) bool { return e.number == number })
	if i < 0 {
		return nil
	}
	before := l.c.list
	l.c.list = slices.Clone(l.c.list[i+1:])
	if err := l.save(); err != nil {
		l.c.list = before
		return err
	}
	return nil
}

// dropSecondaries deletes secondary files that neither a restart needs nor the
// demand does: all but keep of them, from the highest number on. Those beyond
// what qm.ini allows go in any case.
func (l *Log) dropSecondaries(keep int) (int, error) {
	l.files.counted = false
	there, err := l.numbers(observe.LogExtent)
	if err != nil {
		return 0, err
	}
	there = slices.DeleteFunc(there, func(n int) bool { return n < l.set.Primary })
	needed := l.c.list[l.holding(l.c.restart):]
	dropped := 0
	for _, n := range slices.Backward(there) {
		if n < l.set.most() && len(there)-dropped <= keep {
			break
		}
		if slices.ContainsFunc(needed, func(e entry) bool { return e.number == n }) {
			continue
		}
		if l.vacant(observe.ExtentName(n), true) != nil {
			continue // it is somebody else's
		}
		if err := l.forget(n); err != nil {
			return dropped, err
		}
		if err := l.remove(observe.ExtentName(n)); err != nil {
			return dropped, err
		}
		dropped++
	}
	l.pass.Deleted += dropped
	if dropped == 0 {
		return 0, nil
	}
	return dropped, l.disk.SyncDir(l.Folder())
}

// fillRing makes primary files that are not there: qm.ini has more of them than
// at the last start. A file system without room leaves them for later.
func (l *Log) fillRing() error {
	l.files.counted = false
	there, err := l.numbers(observe.LogExtent)
	if err != nil {
		return err
	}
	for n := range l.set.Primary {
		if slices.Contains(there, n) || slices.ContainsFunc(l.c.list, func(e entry) bool { return e.number == n }) {
			continue // there, or lost: the restart will say so
		}
		if err := l.prepare(observe.ExtentName(n), false); err != nil {
			return full(err)
		}
		l.pass.Created++
	}
	return nil
}
