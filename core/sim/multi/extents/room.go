package extents

import (
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
	logs, ahead, waiting int // S files, those of them that are prepared, R files
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

// more is how many extents the log can still go on in, as many as count and
// file system allow, and whether it is the latter that has fewer.
func (l *Log) more(restart wal.LSN) (extents int, limited bool) {
	more := max(0, l.set.most()-l.used(restart))
	if d, ok := l.disk.(left); ok {
		if bytes, ok := d.Left(l.Folder()); ok {
			if there := l.made(restart) + int(bytes/l.set.bytes()); there < more {
				return there, true
			}
		}
	}
	return more, false
}

// made is how many files are there that the log can go on in.
func (l *Log) made(restart wal.LSN) int {
	if !l.files.counted {
		l.countFiles()
	}
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
	waiting, err := l.numbers(observe.ReuseExtent)
	if err != nil {
		return
	}
	l.files.logs, l.files.waiting = len(logs), len(waiting)
	last := l.c.list[len(l.c.list)-1].number
	for _, n := range logs {
		if observe.ExtentDistance(last, n) > 0 {
			l.files.ahead++
		}
	}
}
