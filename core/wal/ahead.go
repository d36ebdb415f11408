package wal

import (
	"errors"
	"fmt"
	"io"
)

const (
	// window is how much is read at once: small enough to stay in the
	// processor's own memory until it was checked, large enough to make the
	// calls few.
	window = 256 << 10
	// front is the room before a window for the beginning of a record that
	// the window before it ended with.
	front = 64 << 10
)

// buffers are used again from window to window and from segment to segment.
type buffers chan []byte

func newBuffers() buffers { return make(buffers, 4) }

func (p buffers) get() []byte {
	select {
	case b := <-p:
		return b
	default:
		return make([]byte, front+window)
	}
}

func (p buffers) put(b []byte) {
	if len(b) != front+window {
		return
	}
	select {
	case p <- b:
	default:
	}
}

// piece is what one read gave: buf[front:front+n].
type piece struct {
	buf []byte
	n   int
	err error // io.EOF: nothing follows
}

// readPiece reads the window at an offset.
func readPiece(src io.ReaderAt, pool buffers, off int64) piece {
	p := piece{buf: pool.get()}
	p.n, p.err = src.ReadAt(p.buf[front:front+window], off)
	switch {
	case errors.Is(p.err, io.EOF):
		p.err = io.EOF
	case p.err != nil:
		p.err = fmt.Errorf("reading at byte %d: %w", off, p.err)
	}
	return p
}

// ahead reads a segment while what it read before is checked: copying and
// checksums take about as long as each other, and each has a processor.
type ahead struct {
	pool buffers
	read chan piece
	stop chan struct{}
}

// readAhead begins at an offset.
func readAhead(src io.ReaderAt, pool buffers, off, limit int64) *ahead {
	a := &ahead{pool: pool, read: make(chan piece, 2), stop: make(chan struct{})}
	go func() {
		defer close(a.read)
		for ; off < limit; off += window {
			p := readPiece(src, pool, off)
			select {
			case a.read <- p:
			case <-a.stop:
				return
			}
			if p.err != nil {
				return
			}
		}
	}()
	return a
}

// next gives the next piece; behind the last one io.EOF.
func (a *ahead) next() piece {
	p, ok := <-a.read
	if !ok {
		return piece{err: io.EOF}
	}
	return p
}

// end returns when nothing reads any more.
func (a *ahead) end() {
	close(a.stop)
	for p := range a.read {
		a.pool.put(p.buf)
	}
}
