package store

import (
	"context"
	"errors"
	"io"
	"runtime"
	"sync"
	"weak"

	"github.com/klauspost/compress/zstd"
)

// Concurrent is how many contents the stores in folders of one process keep at
// a time. [Directory.Put] waits for its turn beyond it, so that who has many
// segments may call it for all of them at once; more calls than these gain
// nothing.
const Concurrent = 4

// What the engine takes of a machine, whatever it has and however many
// contents are kept: below 100 MB.
const (
	frameBytes  = 4 << 20 // of content in a frame
	mostWorkers = 4
)

// engine compresses and decompresses for all stores of the process.
var engine = newPool(min(runtime.GOMAXPROCS(0), mostWorkers))

// pool is a bounded number of workers over a bounded number of frames. A
// content goes through it as a row of frames: one goroutine reads them, the
// workers work on several at a time, and the caller takes them in their order.
// So one large content keeps all workers busy, and so do several small ones.
//
// It needs no closing: it has no goroutine while nothing goes through it, and
// what it keeps to use again the garbage collector may take then.
type pool struct {
	turns   chan struct{} // contents that are kept
	workers chan struct{} // frames that are worked on
	frames  chan struct{} // frames in memory

	mu    sync.Mutex
	users int                 // contents that go through it
	stock *stock              // while there are any
	idle  weak.Pointer[stock] // while there are none
}

// newPool gives a pool of so many workers. A content whose source stands still
// occupies one frame, the one that it fills, so that frames are left for every
// other: for each worker one, and one that is read or taken meanwhile.
func newPool(workers int) *pool {
	return &pool{
		turns:   make(chan struct{}, Concurrent),
		workers: make(chan struct{}, workers),
		frames:  make(chan struct{}, Concurrent+workers+1),
	}
}

// frame is one frame on its way.
type frame struct {
	number int           // which one it is of its content, where that matters
	buffer []byte        // in which plain lies
	plain  []byte        // the content
	packed []byte        // as it stands in the file
	err    error         // why the work failed
	done   chan struct{} // closed when the work is done
}

// passage is how a content goes through a pool.
type passage struct {
	gently bool                       // at low priority
	read   func(*frame) error         // fills a frame; io.EOF: there is none any more
	work   func(*codec, *frame) error // turns what was read into what is taken
	take   func(*frame) error         // takes the frames in their order
}

// pass carries a content through the pool. It returns when nothing of it is
// under way any more.
func (p *pool) pass(ctx context.Context, way passage) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	p.enter()
	defer p.leave()
	row := make(chan *frame, cap(p.frames)) // never full: there are no more frames
	var failed error
	start(way.gently, func() {
		defer close(row)
		failed = p.feed(ctx, way, row)
	})
	var err error
	for f := range row {
		<-f.done
		if err == nil {
			if err = f.err; err == nil {
				err = way.take(f)
			}
		}
		if err != nil {
			stop() // what is on its way still comes
		}
		p.release(f)
	}
	if err != nil {
		return err
	}
	return failed
}

// feed reads frames and sets workers on them.
func (p *pool) feed(ctx context.Context, way passage, row chan<- *frame) error {
	for {
		f, err := p.acquire(ctx)
		if err != nil {
			return err
		}
		if err := way.read(f); err != nil {
			p.release(f)
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		row <- f
		start(way.gently, func() { p.work(way, f) })
	}
}

func (p *pool) work(way passage, f *frame) {
	p.workers <- struct{}{}
	c := pop(&p.mu, &p.stock.codecs)
	if c == nil {
		c = &codec{}
	}
	f.err = way.work(c, f)
	push(&p.mu, &p.stock.codecs, c)
	<-p.workers
	close(f.done)
}

func (p *pool) acquire(ctx context.Context) (*frame, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	select {
	case p.frames <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	f := pop(&p.mu, &p.stock.frames)
	if f == nil {
		f = &frame{buffer: make([]byte, 0, frameBytes), packed: make([]byte, 0, mostPacked)}
	}
	f.plain, f.packed, f.err, f.done = f.buffer[:0], f.packed[:0], nil, make(chan struct{})
	return f, nil
}

func (p *pool) release(f *frame) {
	push(&p.mu, &p.stock.frames, f)
	<-p.frames
}

// codec is what one worker works with. Its halves are made when they are first
// used, and hold nothing from one frame to the next.
type codec struct {
	encoder *zstd.Encoder
	decoder *zstd.Decoder
}

// encode makes a frame of its own of a content of at most frameBytes.
func (c *codec) encode(plain, packed []byte) (_ []byte, err error) {
	if c.encoder == nil {
		c.encoder, err = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithWindowSize(frameBytes),
			zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true))
		if err != nil {
			return nil, err
		}
	}
	return c.encoder.EncodeAll(plain, packed), nil
}

// decode gives the content of a frame, which is never longer than the capacity
// of plain.
func (c *codec) decode(packed, plain []byte) (_ []byte, err error) {
	if c.decoder == nil {
		c.decoder, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecodeAllCapLimit(true),
			zstd.WithDecoderMaxWindow(mostWindow), zstd.WithDecoderLowmem(true))
		if err != nil {
			return nil, err
		}
	}
	return c.decoder.DecodeAll(packed, plain)
}

// turn waits until a content may be kept, and gives what ends the turn.
func turn(ctx context.Context, turns chan struct{}) (end func(), err error) {
	select {
	case turns <- struct{}{}:
		return func() { <-turns }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
