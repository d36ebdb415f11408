package errlog

import (
	"bytes"
	"errors"
	"io"
)

const (
	chunk     = 128 << 10 // bytes read at once
	maxLine   = 1 << 20   // a longer line is no record of MQ
	maxRecord = 256 << 10 // of a text record: its header and its message
)

// line is one line, or what of it stands before zero bytes or beyond maxLine.
type line struct {
	text   []byte // without the end of the line; valid until the next
	number int
	offset int64
	ended  bool // by an end of line
	hole   bool // not a line but a run of zero bytes
	long   bool // it goes on: the rest was passed over
}

// lines cuts a log into lines. It holds one line at a time.
type lines struct {
	src io.Reader
	buf []byte
	lo  int // next byte in buf
	hi  int // end of what was read
	err error

	zeroed bool // there may be zeros in what was read

	number int   // of the line that lo lies in
	offset int64 // of lo
	calls  int   // reads in a row that gave nothing
}

func newLines(src io.Reader) *lines {
	return &lines{src: src, buf: make([]byte, chunk), number: 1}
}

// next gives the next line. The error is io.EOF, or that of the source.
func (l *lines) next() (line, error) {
	seen := 0
	for {
		if l.zeroed && l.lo < l.hi && l.buf[l.lo] == 0 {
			return l.zeros(), nil
		}
		rest := l.buf[l.lo:l.hi]
		if n := bytes.IndexByte(rest[seen:], '\n'); n >= 0 {
			return l.cut(seen+n, true), nil
		}
		seen = len(rest)
		if seen >= maxLine {
			return l.tooLong(), nil
		}
		if l.err != nil {
			if seen > 0 {
				return l.cut(seen, false), nil
			}
			return line{}, l.err
		}
		l.fill()
	}
}

// cut gives n bytes as a line, or fewer when zeros stand among them.
func (l *lines) cut(n int, ended bool) line {
	text := l.buf[l.lo : l.lo+n]
	if l.zeroed {
		if zero := bytes.IndexByte(text, 0); zero >= 0 {
			text, ended = text[:zero], false
		}
	}
	found := line{text: text, number: l.number, offset: l.offset, ended: ended}
	l.skip(len(text))
	if ended {
		l.skip(1)
		l.number++
		found.text = bytes.TrimSuffix(text, []byte{'\r'})
	}
	return found
}

// zeros passes a run of zero bytes.
func (l *lines) zeros() line {
	found := line{number: l.number, offset: l.offset, hole: true}
	for {
		rest := l.buf[l.lo:l.hi]
		n := len(rest) - len(bytes.TrimLeft(rest, "\x00"))
		l.skip(n)
		if l.lo < l.hi || l.err != nil {
			return found
		}
		l.fill()
	}
}

// tooLong gives the start of a line that is too long and passes the rest.
func (l *lines) tooLong() line {
	found := line{text: bytes.Clone(l.buf[l.lo : l.lo+256]), number: l.number, offset: l.offset, long: true}
	for {
		if n := bytes.IndexByte(l.buf[l.lo:l.hi], '\n'); n >= 0 {
			l.skip(n + 1)
			l.number++
			return found
		}
		l.skip(l.hi - l.lo)
		if l.err != nil {
			return found
		}
		l.fill()
	}
}

func (l *lines) skip(n int) {
	l.lo += n
	l.offset += int64(n)
}

// fill reads on behind what is left.
func (l *lines) fill() {
	if l.lo > 0 {
		l.hi = copy(l.buf, l.buf[l.lo:l.hi])
		l.lo = 0
	}
	if l.hi == len(l.buf) {
		l.buf = append(l.buf, make([]byte, len(l.buf))...)
	}
	n, err := l.src.Read(l.buf[l.hi:])
	l.hi += n
	l.zeroed = bytes.IndexByte(l.buf[:l.hi], 0) >= 0
	if l.calls++; n > 0 {
		l.calls = 0
	}
	if l.err = err; err == nil && l.calls > 100 {
		l.err = io.ErrNoProgress
	}
}

// failed gives the error of the source, nil at the end of the log.
func failed(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}
