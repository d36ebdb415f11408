package wal

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/mqhk/mqhk/core/wal/disk"
)

// Options are what a log is written with.
type Options struct {
	// Buffer is how many bytes of records wait in memory for a force before
	// they are written anyway. Zero: 1 MiB.
	Buffer int
	// NoSync leaves every sync of records out, for rehearsals: a crash of the
	// system, though not of the process, may lose acknowledged records or
	// leave a log that counts as damaged.
	NoSync bool
}

const defaultBuffer = 1 << 20

// Writer appends to a log. There is one for each log; its methods may be
// called from any number of goroutines.
//
// After a failed write or sync every method answers with an error that is
// [ErrFailed] and wraps the cause; so do all that were waiting. After a
// failed fsync the system may drop the data and call the file clean, so
// trying again would acknowledge what is not there.
type Writer struct {
	disk disk.FS
	opts Options

	// lead holds one token while nobody writes to the segment. Whoever takes
	// it writes for all.
	lead chan struct{}

	mu      sync.Mutex
	seg     *segment
	buf     []byte // records that no write has taken yet
	spare   []byte // the buffer of the last write, for the next
	at      LSN    // of the first record in buf
	durable LSN    // everything before it is
	err     error

	// Who waits for a record waits for one of two syncs: the one under way,
	// if it has taken the record, or the next.
	current    chan struct{} // closed when the sync under way is done; nil: there is none
	currentEnd LSN
	next       chan struct{}
	waiting    atomic.Int32 // how many are in Force

	counts Counts
}

// Counts says what a writer has done since it began.
type Counts struct {
	Records uint64 // appended
	Bytes   uint64 // of the log that they took
	Writes  uint64
	Syncs   uint64
}

// Create begins a log with its first segment and its first record at start
// (zero: [First]; else a multiple of [Align]).
func Create(d disk.FS, l Layout, id ID, start LSN, opts Options) (*Writer, error) {
	if start == 0 {
		start = First
	}
	if start%Align != 0 {
		return nil, fmt.Errorf("a log can't begin at %s, which is no multiple of %d", start, Align)
	}
	f, err := prepare(d, l)
	if err != nil {
		return nil, err
	}
	s, err := begin(f, l, id, start, nil)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return newWriter(d, s, start, opts), nil
}

func newWriter(d disk.FS, s *segment, end LSN, opts Options) *Writer {
	if opts.Buffer <= 0 {
		opts.Buffer = defaultBuffer
	}
	w := &Writer{
		disk: d, opts: opts, seg: s, at: end, durable: end,
		lead: make(chan struct{}, 1), next: make(chan struct{}),
	}
	w.lead <- struct{}{}
	return w
}

// Append adds a record and gives its position. It does not wait for the disk,
// unless the buffer is full. The payload is copied.
//
// [ErrFull], [ErrTooLong] and a disk without room (syscall.ENOSPC, when a
// growing segment is extended) refuse this record alone.
func (w *Writer) Append(payload []byte) (LSN, error) { return w.AppendFilled(payload, 0) }

// AppendFilled is Append with zeros behind the payload, as many as it takes to
// make the record so many bytes of the log, rounded up to [Align]. A payload
// that needs more takes more. A reader gets the zeros with the payload.
func (w *Writer) AppendFilled(payload []byte, bytes int) (LSN, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for {
		if w.err != nil {
			return 0, w.err
		}
		n := max(len(payload), fillTo(w.seg.head.offset(w.end()), bytes))
		size, err := w.seg.place(w.end(), n)
		if err != nil {
			return 0, err
		}
		if len(w.buf) == 0 || int64(len(w.buf))+size <= int64(w.opts.Buffer) {
			return w.add(payload, n, int(size)), nil
		}
		w.spill()
	}
}

// add puts a record in the buffer, with a payload that is filled up to n bytes.
func (w *Writer) add(payload []byte, n, size int) LSN {
	at := w.end()
	have := len(w.buf)
	w.buf = grow(w.buf, size)
	lay(w.buf[have:], payload, n)
	w.counts.Records++
	w.counts.Bytes += uint64(size)
	return at
}

// grow lengthens a buffer by n bytes of any content.
func grow(b []byte, n int) []byte {
	if len(b)+n <= cap(b) {
		return b[:len(b)+n]
	}
	larger := make([]byte, len(b)+n, max(2*cap(b), len(b)+n))
	copy(larger, b)
	return larger
}

// spill writes a full buffer without forcing it. The lock is given up for it.
func (w *Writer) spill() {
	w.mu.Unlock()
	<-w.lead
	w.flush(false)
	w.lead <- struct{}{}
	w.mu.Lock()
}

func (w *Writer) end() LSN { return w.at + LSN(len(w.buf)) }

// End gives the position of the next record.
func (w *Writer) End() LSN {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.end()
}

// Durable gives the position up to which a crash loses nothing: no record
// behind it was acknowledged. With [Options.NoSync] it says no more than that
// the records before it were handed to the system.
func (w *Writer) Durable() LSN {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.durable
}

// Err gives the error that stopped the writer, nil while it works.
func (w *Writer) Err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// Current gives the segment that is written, and how many bytes of it records
// have taken: what an owner with a threshold looks at.
func (w *Writer) Current() (s Segment, used int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return Segment{Name: w.seg.name, Start: w.seg.head.Start}, int64(w.end() - w.seg.head.Start)
}

// Counts gives what was done so far.
func (w *Writer) Counts() Counts {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.counts
}
