package extents

import (
	"slices"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/wal"
)

// left is what a disk that is a file system of limited size says often.
type left interface {
	Left(name string) (bytes int64, limited bool)
}

// files counts the files in active/. It is counted once for all that ask until
// something is done with them.
type files struct {
	counted              bool
	logs, ahead, waiting int   // S files, those of them that are prepared, R files
	taken                int   // names of a ring that are somebody else's
	until                int   // how many a line goes on before such a name
	why                  error // it is taken
}

// Room gives how many bytes records may still take before the log is full, for
// a restart that begins at a position and a log that ends at another: the rest
// of the current extent, and as many more as count and file system allow. What
// the end of an extent loses to a record that does not fit is not taken off.
func (l *Log) Room(restart, end wal.LSN) int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := len(l.c.list)
	if n == 0 {
		return 0
	}
	rest := int64(0)
	if current := l.c.list[l.current()]; current.start != 0 {
		rest = max(0, l.set.room()-int64(end-min(end, current.start)))
	}
	more, _ := l.more(restart)
	if n > 1 && l.c.list[n-1].start == 0 {
		more++ // it is listed and has no record yet
	}
	return rest + int64(more)*l.set.room()
}

// Limited tells whether it is the file system, and not the number of extents,
// that keeps [Log.Room] from being more.
func (l *Log) Limited(restart wal.LSN) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.c.list) == 0 {
		return false
	}
	_, limited := l.more(restart)
	return limited
}

// Taken says why the names of files keep [Log.Room] from being more: the error
// wraps [ErrOccupied]. Nil: they don't.
func (l *Log) Taken() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.c.list) == 0 {
		return nil
	}
	if !l.files.counted {
		l.countFiles()
	}
	return l.files.why
}

// more is how many extents the log can still go on in, as many as count and
// file system allow, and whether it is the latter that has fewer.
func (l *Log) more(restart wal.LSN) (extents int, limited bool) {
	more := max(0, l.set.most()-l.used(restart))
	if !l.files.counted {
		l.countFiles()
	}
	if free := l.files.free(more); free < more {
		more, limited = free, true
	}
	if d, ok := l.disk.(left); ok {
		if bytes, ok := d.Left(l.Folder()); ok {
			if there := l.made(restart) + int(bytes/l.set.bytes()); there < more {
				return there, true
			}
		}
	}
	return more, limited
}

// free is how many of so many extents have names that are not taken.
func (f files) free(more int) int {
	if f.until > 0 {
		more = min(more, f.until-1)
	}
	return max(0, more-f.taken)
}

// made is how many files are there that the log can go on in.
func (l *Log) made(restart wal.LSN) int {
	if l.set.Kind == Circular {
		return max(0, l.files.logs-l.used(restart))
	}
	return l.files.ahead + l.files.waiting
}

// countFiles looks into active/. What can't be listed counts as not there.
func (l *Log) countFiles() {
	l.files = files{counted: true}
	logs, err := l.numbers(observe.LogExtent)
	if err != nil {
		return
	}
	waiting, err := l.waiting()
	if err != nil {
		return
	}
	l.files.logs, l.files.waiting = len(logs), len(waiting)
	if l.set.Kind == Circular {
		l.countTaken(logs)
		return
	}
	last := l.c.list[len(l.c.list)-1].number
	for _, n := range logs {
		ahead := observe.ExtentDistance(last, n)
		switch {
		case ahead <= 0:
		default:
			switch err := l.vacant(observe.ExtentName(n), false); {
			case err == nil:
				l.files.ahead++
			case l.files.until == 0 || ahead < l.files.until:
				l.files.until, l.files.why = ahead, err
			}
		}
	}
}

// countTaken counts the files with names of the ring that it does not go on in.
func (l *Log) countTaken(there []int) {
	for _, n := range there {
		if n >= l.set.most() || slices.ContainsFunc(l.c.list, func(e entry) bool { return e.number == n }) {
			continue
		}
		if err := l.vacant(observe.ExtentName(n), true); err != nil {
			l.files.taken++
			l.files.why = err
		}
	}
	l.files.logs -= l.files.taken
}
