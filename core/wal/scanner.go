package wal

import (
	"errors"
	"io"
)

// scanner reads the records of one segment, in order. It hands out slices of
// its buffer.
type scanner struct {
	src   Source
	head  header
	seeds seeds
	limit int64 // offset behind the last byte that may belong to a record

	pool  buffers
	ahead *ahead // nil until a second window was needed
	held  []byte // the buffer that buf lies in

	buf  []byte
	base int64 // offset of buf[0] in the file
	lo   int   // next record in buf
	eof  bool  // nothing follows buf
}

// newScanner begins at an offset of an open segment.
func newScanner(src Source, h header, size, off int64, pool buffers) *scanner {
	s := &scanner{src: src, head: h, seeds: h.ID.seeds(), limit: size, pool: pool, base: off}
	if h.Grow == 0 {
		s.limit = firstAt + h.Size
	}
	return s
}

// close closes the segment. What was handed out is valid no more.
func (s *scanner) close() error {
	if s.ahead != nil {
		s.ahead.end()
	}
	s.pool.put(s.held)
	s.buf, s.held = nil, nil
	return s.src.Close()
}

// at gives the offset of the next record.
func (s *scanner) at() int64 { return s.base + int64(s.lo) }

// lsn gives the position of the next record.
func (s *scanner) lsn() LSN { return s.head.lsn(s.at()) }

// next gives the payload of the next record, and how far the log was durable
// when it was written. Ok is false, and the scanner stays where it is, when
// there is no valid record. The error is one of the disk.
func (s *scanner) next() (payload []byte, durable LSN, ok bool, err error) {
	if len(s.buf)-s.lo < headBytes {
		if enough, err := s.fill(headBytes); !enough {
			return nil, 0, false, err
		}
	}
	off := s.at()
	at := s.head.lsn(off)
	seed := s.seeds.at(at)
	rec := s.buf[s.lo:]
	n := laidLength(rec)
	if rec[atMark] != mark || n > MaxPayload {
		return nil, 0, false, nil
	}
	size := recordBytes(off, n)
	if off+size > s.limit {
		return nil, 0, false, nil
	}
	if int64(len(rec)) < size {
		// Only a header that is what was written may ask for memory.
		if !headValid(rec, seed) {
			return nil, 0, false, nil
		}
		if enough, err := s.fill(int(size)); !enough {
			return nil, 0, false, err
		}
		rec = s.buf[s.lo:]
	}
	rec = rec[:size]
	if !sumValid(rec, seed) {
		return nil, 0, false, nil
	}
	unseal(rec, off, n)
	s.lo += int(size)
	return rec[headBytes : headBytes+n], durableBefore(rec, at), true, nil
}

// fill reads on until n bytes are there from the next record on, and tells
// whether they are.
func (s *scanner) fill(n int) (bool, error) {
	for len(s.buf)-s.lo < n {
		if s.eof {
			return false, nil
		}
		p := s.read()
		if p.err != nil && !errors.Is(p.err, io.EOF) {
			s.pool.put(p.buf)
			return false, p.err
		}
		s.eof = p.err != nil
		s.join(p, n)
	}
	return true, nil
}

// read gets the next window. Who reads one record is content with the first;
// who reads more will read on.
func (s *scanner) read() piece {
	off := s.base + int64(len(s.buf))
	if s.held == nil {
		return readPiece(s.src, s.pool, off)
	}
	if s.ahead == nil {
		s.ahead = readAhead(s.src, s.pool, off, s.limit)
	}
	return s.ahead.next()
}

// join puts a window behind what is left of the one before. What is left goes
// in front of the window; if it is too long for that, a long record has a
// buffer of its own, for which n bytes are wanted.
func (s *scanner) join(p piece, n int) {
	left := s.buf[s.lo:]
	s.base += int64(s.lo)
	s.lo = 0
	if len(left) <= front && p.buf != nil {
		copy(p.buf[front-len(left):], left)
		s.pool.put(s.held)
		s.held = p.buf
		s.buf = p.buf[front-len(left) : front+p.n]
		return
	}
	if cap(left) < n {
		left = append(make([]byte, 0, n+window), left...)
		s.pool.put(s.held)
		s.held = left
	}
	if p.buf != nil {
		left = append(left, p.buf[front:front+p.n]...)
		s.pool.put(p.buf)
	}
	s.buf = left
}
