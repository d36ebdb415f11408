package dmpmqlog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"time"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/sim/multi/logged"
	"github.com/mqhk/mqhk/core/wal"
)

// Source is a log: what its control file says, and its extents.
type Source struct {
	// Segments are the extents in the log's folder, oldest first, those too
	// that a restart does not need. They are opened by name.
	Segments []wal.Segment
	Open     wal.Opener
	// Head is where the active log begins: the restart mark.
	Head wal.LSN
	// Circular tells the kind.
	Circular                      bool
	Primary, Secondary, FilePages int
}

// Options say what to print.
type Options struct {
	// One of these says where to begin; none: at the head. Base: with the
	// extent that has the head in it (-b). Start: at a record (-s). Extent: with
	// the extent of this number (-n).
	Base   bool
	Start  wal.LSN
	Extent string
	// End is the last position of which a record is printed (-e); 0: to the
	// end of the log.
	End wal.LSN
	// Data prints the content of messages too.
	Data bool
	// Zone is the host's; nil: UTC.
	Zone *time.Location
	// Say gives the text of a message as the installation's release prints it,
	// a line with its end; nil: as the newest does.
	Say func(id string) string
}

// Why a log can't be printed as it was asked for.
var (
	// ErrOptions: the options contradict each other, or one can't be read.
	ErrOptions = errors.New("the options can't be")
	// ErrCircular: a circular log has nothing to say from before its base.
	ErrCircular = errors.New("a circular log is printed from its base at most")
	// ErrExtent: no extent in the folder has that number.
	ErrExtent = errors.New("there is no such extent")
	// ErrStart: no record has that LSN.
	ErrStart = errors.New("no record begins there")
)

// place is where the log lies.
type place struct {
	base wal.LSN // first of the extent with the head in it
	next wal.LSN // of the next record to be written
	head string  // extent with the head in it
}

// locate reads the last extent to find the end of the log.
func (s *Source) locate(ctx context.Context) (place, error) {
	last := -1
	var at place
	for i, seg := range s.Segments {
		if seg.Start == 0 {
			continue // it was never begun
		}
		last = i
		if seg.Start <= s.Head {
			at.base, at.head = seg.Start, path.Base(seg.Name)
		}
	}
	if last < 0 || at.head == "" {
		return at, fmt.Errorf("%w: none holds the head of the log, %s", ErrExtent, logged.LSN(s.Head))
	}
	r, err := wal.NewReader(s.Open, s.Segments[last:], wal.ReadOptions{})
	if err != nil {
		return at, err
	}
	defer func() { _ = r.Close() }() // it was only read
	for i := 0; err == nil; i++ {
		if i%1024 == 0 && ctx.Err() != nil {
			return at, context.Cause(ctx)
		}
		_, err = r.Next()
	}
	if !errors.Is(err, io.EOF) {
		return at, err
	}
	tail, _ := r.Tail()
	at.next = tail.LSN
	return at, nil
}

// from gives where to begin.
func (s *Source) from(o *Options, at place) (wal.LSN, error) {
	asked := 0
	for _, is := range []bool{o.Base, o.Start != 0, o.Extent != ""} {
		if is {
			asked++
		}
	}
	switch {
	case asked > 1:
		return 0, fmt.Errorf("%w: only one of -b, -s and -n", ErrOptions)
	case o.Base:
		return at.base, nil
	case o.Extent != "":
		return s.startOf(o.Extent)
	case o.Start == 0:
		return s.Head, nil
	case s.Circular && o.Start < at.base:
		return 0, fmt.Errorf("%w: the base is %s", ErrCircular, logged.LSN(at.base))
	case o.Start > at.next || o.Start%wal.Align != 0:
		return 0, fmt.Errorf("%w: %s", ErrStart, logged.LSN(o.Start))
	}
	return o.Start, nil
}

// startOf gives the first position of an extent.
func (s *Source) startOf(extent string) (wal.LSN, error) {
	number, err := strconv.ParseUint(extent, 10, 32)
	if err != nil || len(extent) > 7 {
		return 0, fmt.Errorf("%w: -n %s", ErrOptions, extent)
	}
	if s.Circular {
		return 0, fmt.Errorf("%w: -n %s", ErrCircular, extent)
	}
	name := observe.ExtentName(int(number))
	i := slices.IndexFunc(s.Segments, func(seg wal.Segment) bool { return path.Base(seg.Name) == name && seg.Start != 0 })
	if i < 0 {
		return 0, fmt.Errorf("%w: %s", ErrExtent, name)
	}
	return s.Segments[i].Start, nil
}
