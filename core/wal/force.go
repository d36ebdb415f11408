package wal

import (
	"context"
	"fmt"
	"runtime"
)

// Commit appends a record and waits until it is durable.
func (w *Writer) Commit(ctx context.Context, payload []byte) (LSN, error) {
	at, err := w.Append(payload)
	if err != nil {
		return 0, err
	}
	return at, w.Force(ctx, at)
}

// Force waits until the record at a position, and with it every record before
// it, is durable. One sync serves all who came while the one before it was
// under way. When the context ends first, the record may become durable or
// not; nothing is taken back.
func (w *Writer) Force(ctx context.Context, at LSN) error {
	w.waiting.Add(1)
	defer w.waiting.Add(-1)
	for {
		wait, lead, err := w.claim(at)
		if err != nil || wait == nil {
			return err
		}
		// Alone, the token is there and no other goroutine is woken.
		select {
		case <-wait:
		case <-lead:
			w.leadForce(at)
		case <-ctx.Done():
			return fmt.Errorf("forcing the log up to %s: %w", at, context.Cause(ctx))
		}
	}
}

// claim says what to wait for: nothing, if the record is durable; the sync
// under way, if it has taken the record; else the next sync, or the token to
// do it oneself.
func (w *Writer) claim(at LSN) (wait, lead <-chan struct{}, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case at < w.durable:
		return nil, nil, nil
	case w.err != nil:
		return nil, nil, w.err
	case at >= w.end():
		return nil, nil, fmt.Errorf("forcing the log up to %s: it ends at %s", at, w.end())
	case w.current != nil && at < w.currentEnd:
		return w.current, nil, nil
	default:
		return w.next, w.lead, nil
	}
}

// leadForce writes and syncs for all, holding the token.
func (w *Writer) leadForce(at LSN) {
	// Where many commit, those whom the last sync acknowledged are about to
	// run. One turn for them first, and their next records go with this sync
	// instead of the one after it. Alone, the turn would only cost time.
	if w.waiting.Load() > 1 {
		runtime.Gosched()
	}
	if at >= w.Durable() {
		w.flush(true)
	}
	w.lead <- struct{}{}
}

// flush takes what has gathered and writes it. The caller holds the token; the
// lock is free while the disk works, so that others can append.
func (w *Writer) flush(force bool) {
	w.mu.Lock()
	if w.err != nil {
		w.mu.Unlock()
		return
	}
	b := w.take(force)
	w.mu.Unlock()
	err := b.write()
	w.mu.Lock()
	w.settle(&b, err)
	w.mu.Unlock()
}

// take makes a batch of the buffer.
func (w *Writer) take(force bool) batch {
	b := batch{seg: w.seg, at: w.at, records: w.buf, durable: w.durable, force: force && !w.opts.NoSync}
	if w.opts.NoSync {
		b.durable = 0
	}
	w.at, w.buf, w.spare = w.end(), w.spare[:0], nil
	if force {
		w.current, w.currentEnd, w.next = w.next, w.at, make(chan struct{})
	}
	if len(b.records) > 0 {
		w.counts.Writes++
	}
	if b.force {
		w.counts.Syncs++
	}
	return b
}

// settle records what became of a batch and wakes those who waited for it.
func (w *Writer) settle(b *batch, err error) {
	if cap(b.records) <= 2*w.opts.Buffer {
		w.spare = b.records[:0]
	}
	if err != nil {
		w.stop(err)
	}
	if w.current != nil {
		if err == nil {
			w.durable = b.end()
		}
		close(w.current)
		w.current = nil
	}
}

// stop makes the writer answer with an error from now on.
func (w *Writer) stop(err error) {
	if w.err == nil {
		w.err = fmt.Errorf("%w: %w", ErrFailed, err)
	}
	w.wake()
}

// wake tells those who wait for the next sync that there will be none.
func (w *Writer) wake() {
	close(w.next)
	w.next = make(chan struct{})
}
