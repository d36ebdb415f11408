package extents

import (
	"slices"
	"time"

	"github.com/mqhk/mqhk/core/wal"
)

// Status is what DISPLAY QMSTATUS LOG shows of the log (reference,
// Multiplatforms 3.1). An empty name is shown as a blank; so are the sizes that
// a kind or a management has no use for.
type Status struct {
	Kind       Kind       // LOGTYPE
	Management Management // empty: circular
	Path       string     // LOGPATH on the disk, with active
	Primary    int        // LOGPRIM
	Secondary  int        // LOGSEC
	FilePages  int        // LOGEXTSZ is shown in KiB: four times this

	Current  string // CURRLOG; empty: circular
	Restart  string // RECLOG; empty: circular
	Media    string // MEDIALOG; empty: circular
	Archived string // ARCHLOG: the oldest that waits for word; empty: none does, or management is not Archive

	// In MB, rounded up to whole ones.
	ArchiveSize int64 // ARCHSZ: needed by no recovery, and not archived
	MediaSize   int64 // MEDIASZ
	RestartSize int64 // RECSZ
	ReuseSize   int64 // REUSESZ

	InUse    int // LOGINUSE: percent of the primary space that a restart needs
	Utilised int // LOGUTIL: the same, of the workload of the last checkpoints

	Started    time.Time // LOGSTRDA, LOGSTRTI
	StartedLSN wal.LSN   // LOGSTRL

	SystemSize, SystemUsed int64 // LOGFSSZ, LOGFSUSE: of the file system in bytes; 0: it has no limit
}

// space is what a disk that is a file system of limited size says of it.
type space interface {
	Space(name string) (size, used int64, limited bool)
}

// Status gives the state of the log. End is the position of the next record.
func (l *Log) Status(end wal.LSN) Status {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := Status{
		Kind: l.set.Kind, Management: l.set.Management, Path: l.Folder(),
		Primary: l.set.Primary, Secondary: l.set.Secondary, FilePages: l.set.FilePages,
		Started: l.c.began, StartedLSN: wal.First,
	}
	s.SystemSize, s.SystemUsed, _ = l.space()
	if len(l.c.list) == 0 {
		return s
	}
	primary := int64(l.set.Primary) * l.set.room()
	s.InUse = int(100 * int64(end-min(end, l.c.restart)) / primary)
	s.Utilised = max(s.InUse, 100*slices.Max(append([]int{l.used(l.c.restart)}, l.demand...))/l.set.Primary)
	s.RestartSize = l.megabytes(l.used(l.c.restart))
	if l.set.Kind == Linear {
		l.lineStatus(&s)
	}
	return s
}

// lineStatus adds what only a linear log has.
func (l *Log) lineStatus(s *Status) {
	s.Current = l.c.list[l.current()].name()
	s.Restart = l.c.list[l.holding(l.c.restart)].name()
	s.Media = l.c.list[l.holding(l.c.media)].name()
	s.MediaSize = l.megabytes(l.used(l.c.media))
	if waiting, err := l.waiting(); err == nil {
		s.ReuseSize = l.megabytes(len(waiting))
	}
	if l.set.Management != Archive {
		return
	}
	isLate := func(e entry) bool { return !e.archived }
	if i := slices.IndexFunc(l.c.list[:l.current()], isLate); i >= 0 {
		s.Archived = l.c.list[i].name()
	}
	late := 0
	for _, e := range l.c.list[:l.superfluous()] {
		if isLate(e) {
			late++
		}
	}
	s.ArchiveSize = l.megabytes(late)
}

// megabytes gives the size of so many extents.
func (l *Log) megabytes(extents int) int64 {
	return (int64(extents)*l.set.room() + 1<<20 - 1) >> 20
}

func (l *Log) space() (size, used int64, limited bool) {
	if s, ok := l.disk.(space); ok {
		return s.Space(l.Folder())
	}
	return 0, 0, false
}

// Extent gives the name of the extent that holds a position; false: the log
// does not reach back to it.
func (l *Log) Extent(at wal.LSN) (string, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.c.list) == 0 || l.c.list[0].start > at {
		return "", false
	}
	return l.c.list[l.holding(at)].name(), true
}

// Current gives the name of the extent that is written; empty: there is none
// yet.
func (l *Log) Current() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if i := l.current(); i >= 0 {
		return l.c.list[i].name()
	}
	return ""
}

// Oldest gives the name of the oldest extent of the list; empty: there is none.
func (l *Log) Oldest() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.c.list) == 0 {
		return ""
	}
	return l.c.list[0].name()
}

// Marks gives what the last checkpoint told.
func (l *Log) Marks() (restart, media wal.LSN) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.c.restart, l.c.media
}
