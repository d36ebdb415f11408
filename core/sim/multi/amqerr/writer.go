package amqerr

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"sync"
	"time"

	"github.com/mqhk/mqhk/core/sim/multi/level"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// layout is how text records are written.
type layout uint8

// The layouts.
const (
	layout70 layout = iota // nothing between the first line and the message
	layout75               // with host, installation, release and queue manager
	layout91               // with the time in UTC and the inserts
)

// dateForm is the form of the first line's date and time, which is of the locale
// of the queue manager: here that of the United States.
const dateForm = "01/02/2006 03:04:05 PM"

// Settings say how an error log is written, and what is the same in all of its
// records.
type Settings struct {
	Release level.Level
	// JSON writes AMQERR01.json beside the text, OnlyJSON in its place: a
	// service of a DiagnosticMessages stanza (reference, Multiplatforms 2.3).
	JSON, OnlyJSON bool
	// Prefix of the files' names; empty: AMQERR.
	Prefix string
	// Size is ErrorLogSize, in bytes; 0: that of the release.
	Size   int64
	NoSync bool

	Host, Installation, InstallationPath string
	QueueManager, QMID                   string
	// User that the queue manager runs under; empty: mqm.
	User string
}

// Message is one that is to be written. The severity and the texts are the
// table's.
type Message struct {
	ID string
	// At has the zone of the system: the first line of a record is in it.
	At time.Time
	Inserts
	// Process is the first of those of the queue manager. Which of them wrote the
	// message is the table's.
	Process int

	from origin
}

// Writer writes the error logs of one queue manager, or of a system. It keeps
// no file open: one that somebody takes away is made anew. Its methods may be
// called from any number of goroutines.
type Writer struct {
	disk   disk.FS
	folder string
	set    Settings

	mu   sync.Mutex
	last time.Time // of the last record, for sequence numbers that are never equal
}

// The sizes of ErrorLogSize ("QMErrorLog stanza"; reference, Multiplatforms 2.2
// item 31).
const (
	smallestSize = 32768
	largestSize  = 2147483648
	oldSize      = 2 << 20  // before 9.0.4
	defaultSize  = 32 << 20 // since
)

// ErrSize says that ErrorLogSize is out of its range.
var ErrSize = errors.New("ErrorLogSize is from 32768 to 2147483648")

// Open gives a writer of the error logs in a folder, which is made where it is
// not there, and the three files of each kind with it. A record that a crash
// left torn stays as it is: the next begins behind it (case 27).
func Open(d disk.FS, folder string, s Settings) (*Writer, error) {
	s, err := s.withDefaults()
	if err != nil {
		return nil, err
	}
	w := &Writer{disk: d, folder: folder, set: s}
	if err := d.MkdirAll(folder); err != nil {
		return nil, fmt.Errorf("making the folder of the error logs: %w", err)
	}
	for _, ending := range w.endings() {
		for n := 1; n <= files; n++ {
			if err := w.ensure(n, ending); err != nil {
				return nil, err
			}
		}
	}
	return w, nil
}

// withDefaults fills in what is left open.
func (s Settings) withDefaults() (Settings, error) {
	if s.Size == 0 {
		s.Size = defaultSize
		if !s.Release.AtLeast(9, 0, 4) {
			s.Size = oldSize
		}
	}
	if s.Size < smallestSize || s.Size > largestSize {
		return s, fmt.Errorf("%w: %d", ErrSize, s.Size)
	}
	if s.Prefix == "" {
		s.Prefix = "AMQERR"
	}
	if s.User == "" {
		s.User = "mqm"
	}
	return s, nil
}

// layoutOf gives the layout that a release writes (reference, Multiplatforms
// 2.2 items 33 and 34; which release was the first is from memory).
func layoutOf(l level.Level) layout {
	switch {
	case l.AtLeast(9, 0, 0):
		return layout91
	case l.AtLeast(7, 1, 0):
		return layout75
	}
	return layout70
}

// files is how many of a kind there are: 01 is the newest.
const files = 3

const (
	textEnding = ".LOG"
	jsonEnding = ".json"
)

func (w *Writer) endings() []string {
	switch {
	case w.set.OnlyJSON:
		return []string{jsonEnding}
	case w.set.JSON:
		return []string{textEnding, jsonEnding}
	}
	return []string{textEnding}
}

func (w *Writer) name(n int, ending string) string {
	return path.Join(w.folder, fmt.Sprintf("%s%02d%s", w.set.Prefix, n, ending))
}

// ensure makes an empty file where there is none.
func (w *Writer) ensure(n int, ending string) error {
	f, err := w.disk.Create(w.name(n, ending))
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		return fmt.Errorf("making an error log: %w", err)
	}
	return nil
}

// Write writes a message in each of the logs. Like a queue manager it does not
// force it to the disk: a crash of the system may take the last records, or
// tear one.
func (w *Writer) Write(m Message) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	m.fillIn()
	var err error
	for _, ending := range w.endings() {
		record := w.set.text
		if ending == jsonEnding {
			record = func(m Message) []byte { return w.set.object(m, w.sequence(m.At)) }
		}
		err = errors.Join(err, w.add(ending, record(m)))
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", m.ID, err)
	}
	return nil
}

// sequence gives a time that is later than that of every record before.
func (w *Writer) sequence(at time.Time) time.Time {
	if !at.After(w.last) {
		at = w.last.Add(1)
	}
	w.last = at
	return at
}

// add writes a record behind the last one of the newest file.
func (w *Writer) add(ending string, record []byte) (err error) {
	f, size, err := w.newest(ending)
	if err != nil {
		return err
	}
	if size > 0 && size+int64(len(record)) > w.set.Size {
		if err := errors.Join(f.Close(), w.rotate(ending)); err != nil {
			return err
		}
		if f, size, err = w.newest(ending); err != nil {
			return err
		}
	}
	_, err = f.WriteAt(record, size)
	return errors.Join(err, f.Close())
}

// newest opens AMQERR01, and makes it where it is not there.
func (w *Writer) newest(ending string) (disk.File, int64, error) {
	name := w.name(1, ending)
	f, err := w.disk.OpenWrite(name)
	if errors.Is(err, fs.ErrNotExist) {
		f, err = w.disk.Create(name)
	}
	if err != nil {
		return nil, 0, err
	}
	size, err := f.Size()
	if err != nil {
		return nil, 0, errors.Join(err, f.Close())
	}
	return f, size, nil
}

// rotate makes 02 to 03 and 01 to 02: the oldest is gone (reference,
// Multiplatforms 2.2 item 31). After a crash in between one of them is missing,
// which the next Open makes good.
func (w *Writer) rotate(ending string) error {
	for n := files - 1; n >= 1; n-- {
		err := w.disk.Rename(w.name(n, ending), w.name(n+1, ending))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("rotating: %w", err)
		}
	}
	if w.set.NoSync {
		return w.ensure(1, ending)
	}
	return errors.Join(w.ensure(1, ending), w.disk.SyncDir(w.folder))
}
