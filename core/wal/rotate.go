package wal

import (
	"context"
	"errors"
	"fmt"
)

// Rotate ends the segment and begins the next: the records so far are forced
// to disk, the next record is the first of the segment that l describes. Its
// file is prepared now if [Prepare] was not called before. Appends wait.
//
// An error that is not [ErrFailed] has changed nothing: the old segment is
// still the current one. The owner must know of the new segment's name before
// the call (see the package comment), not after.
func (w *Writer) Rotate(ctx context.Context, l Layout) error {
	f, err := prepare(w.disk, l)
	if err != nil {
		return err
	}
	if err := w.takeLead(ctx); err != nil {
		return errors.Join(fmt.Errorf("beginning segment %s: %w", l.Name, err), f.Close())
	}
	defer w.giveLead()
	if w.err == nil {
		w.drain()
	}
	if w.err != nil {
		return errors.Join(w.err, f.Close())
	}
	next, err := begin(f, l, w.seg.head.ID, w.at, &w.seg.head)
	if err != nil {
		// The header may be on the disk or come to it yet. Records behind its
		// start in the old segment would then be in two minds.
		w.stop(err)
		return errors.Join(w.err, f.Close())
	}
	// All of the old segment is on the disk: that its file can't be closed
	// takes nothing from it, and the log has gone on already.
	_ = w.seg.file.Close()
	w.seg = next
	return nil
}

// Close forces every record to disk and ends the writer.
func (w *Writer) Close() error {
	<-w.lead
	w.mu.Lock()
	defer w.giveLead()
	if errors.Is(w.err, ErrClosed) {
		return nil
	}
	if w.err == nil {
		w.drain()
	}
	failed := w.err
	return errors.Join(failed, w.shut())
}

// Abandon ends the writer as a crash of its process would: what was not
// written yet is gone.
func (w *Writer) Abandon() error {
	<-w.lead
	w.mu.Lock()
	defer w.giveLead()
	if errors.Is(w.err, ErrClosed) {
		return nil
	}
	return w.shut()
}

// shut closes the file. The caller holds token and lock.
func (w *Writer) shut() error {
	w.err = ErrClosed
	w.wake()
	return w.seg.file.Close()
}

// drain writes and syncs all there is, holding token and lock.
func (w *Writer) drain() {
	if w.end() > w.durable {
		b := w.take(true)
		w.settle(&b, b.write())
	}
}

// takeLead takes the token and the lock.
func (w *Writer) takeLead(ctx context.Context) error {
	select {
	case <-w.lead:
		w.mu.Lock()
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (w *Writer) giveLead() {
	w.mu.Unlock()
	w.lead <- struct{}{}
}
