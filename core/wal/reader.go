package wal

import (
	"errors"
	"fmt"
	"io"
)

// Segment is a piece of the log as its owner lists it.
type Segment struct {
	Name string
	// Start is the position of its first record. In the last of a list it may
	// be zero: the owner does not know yet whether the segment was begun.
	Start LSN
}

// Record is one record of the log.
type Record struct {
	LSN     LSN
	Next    LSN    // where the record after it begins
	Payload []byte // valid until the next call of the reader
}

// ReadOptions are what a log is read with.
type ReadOptions struct {
	// ID of the log. The zero ID takes that of the first segment opened.
	ID ID
	// Durable is a position up to which the owner knows the log was forced to
	// disk, from a checkpoint or from whatever else it acknowledged: a log
	// that ends before it is damaged, however well it looks.
	Durable LSN
	// Until ends the reading at a position: for one who reads behind a
	// [Writer], its [Writer.Durable]. Everything before it counts as durable.
	// Zero: the reader finds the end.
	Until LSN
}

// Reader reads records in order. It is for one goroutine.
type Reader struct {
	open  Opener
	chain []Segment
	opts  ReadOptions

	i       int      // the current segment in chain
	scan    *scanner // nil: none is open
	start   LSN      // where reading begins; 0: at the beginning
	from    LSN      // Seek's position: it is known to be there
	durable LSN      // highest that a record said
	unbegun string   // last segment of chain, found never begun
	id      ID       // of the log
	prev    *header  // of the segment before the current one, if it was read
	pool    buffers  // handed from segment to segment
	tail    Tail
	err     error
}

// NewReader reads the segments of chain, oldest first, from the first on. It
// opens none before it needs it.
func NewReader(open Opener, chain []Segment, opts ReadOptions) (*Reader, error) {
	if len(chain) == 0 {
		return nil, errors.New("reading a log: no segment is listed")
	}
	for i, s := range chain {
		switch {
		case s.Start == 0 && i < len(chain)-1:
			return nil, fmt.Errorf("reading a log: where segment %s begins is not known", s.Name)
		case s.Start%Align != 0, i > 0 && s.Start != 0 && s.Start < chain[i-1].Start:
			return nil, fmt.Errorf("reading a log: segment %s can't begin at %s", s.Name, s.Start)
		}
	}
	return &Reader{open: open, chain: chain, opts: opts, id: opts.ID, durable: opts.Durable, pool: newBuffers()}, nil
}

// Seek makes the record at a position the next one. It must be there: the
// owner had the position from this log. If no record is there the next call
// of Next gives [Damage], even at what looks like a torn tail; only at
// [ReadOptions.Durable] itself the log may end. No segment that lies before
// the position is opened.
func (r *Reader) Seek(at LSN) error {
	if at%Align != 0 || at < r.chain[0].Start {
		return &Damage{Segment: r.chain[0].Name, Offset: firstAt, LSN: at,
			Why: "no record of the listed segments has this position"}
	}
	_ = r.leave()
	r.err, r.tail, r.prev, r.unbegun = nil, Tail{}, nil, ""
	r.start, r.from = at, at
	r.i = 0
	for r.i+1 < len(r.chain) && r.chain[r.i+1].Start != 0 && r.chain[r.i+1].Start <= at {
		r.i++
	}
	return nil
}

// Next gives the next record. At the end of the log, torn or not, it gives
// io.EOF, and [Reader.Tail] tells about it. A [Damage] is final.
func (r *Reader) Next() (Record, error) {
	for r.err == nil {
		if r.scan == nil {
			r.err = r.enter()
			continue
		}
		at := r.scan.lsn()
		if r.opts.Until != 0 && at >= r.opts.Until {
			r.err = io.EOF
			break
		}
		payload, durable, ok, err := r.scan.next()
		if !ok {
			r.err = r.turn(at, err)
			continue
		}
		r.durable = max(r.durable, durable)
		return Record{LSN: at, Next: r.scan.lsn(), Payload: payload}, nil
	}
	_ = r.leave() // it was only read
	return Record{}, r.err
}

// Tail tells how the log ends; the second result is false before Next has
// given io.EOF for it, and for a reader that stopped at Until.
func (r *Reader) Tail() (Tail, bool) { return r.tail, r.tail.Segment != "" }

// Close closes the segment that is open. A reader whose Next gave an error has
// none open.
func (r *Reader) Close() error {
	if r.err == nil {
		r.err = ErrClosed
	}
	return r.leave()
}

func (r *Reader) leave() error {
	if r.scan == nil {
		return nil
	}
	scan := r.scan
	r.scan = nil
	return scan.close()
}
