package connect

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
)

// What is wrong with a restore, to be told by errors.Is. The *[MessageError]
// that the system sent is in the error too.
var (
	// ErrThere says that a log piece of the name is on the system (CPF3773).
	ErrThere = errors.New("a log piece of that name is on the system")
	// ErrContent says that the content is no save file, or one that does not
	// hold the receiver (CPF3782, CPF3770, CPF3707).
	ErrContent = errors.New("the copy is no save file that holds the receiver")
	// ErrLibrary says that the receiver can't be restored to that library
	// (CPF707F).
	ErrLibrary = errors.New("the receiver does not belong to that library")
)

// tidying is how long a save file may take to go that is no longer needed. It
// goes also when whoever wanted it has no time left.
const tidying = time.Minute

// Save makes a save file, saves the receiver to it and reads it. The save file
// goes when the content is closed, and when the save fails.
func (w *ibmi) Save(ctx context.Context, id recovery.SegmentID, store Store) (Content, error) {
	s, err := savesOf(id, store)
	if err != nil {
		return Content{}, fmt.Errorf("saving receiver %s: %w", id, err)
	}
	if err := w.begin(ctx); err != nil {
		return Content{}, fmt.Errorf("saving receiver %s: %w", id, err)
	}
	defer w.turn.give()
	if _, err := w.create(ctx, s); err != nil {
		return Content{}, fmt.Errorf("saving receiver %s: making its save file: %w", id, err)
	}
	content, err := w.saved(ctx, s)
	if err != nil {
		return Content{}, fmt.Errorf("saving receiver %s: %w", id, errors.Join(err, w.tidy(ctx, s)))
	}
	return content, nil
}

// create makes the save file. One that is there (CPF7010) is what a killed run
// has left, since nobody else gives such names: it goes first.
func (w *ibmi) create(ctx context.Context, s saves) (observe.Answer, error) {
	answer, err := w.send(ctx, s.create)
	if !refused(err, "CPF7010") {
		return answer, err
	}
	if err := w.tidy(ctx, s); err != nil {
		return answer, fmt.Errorf("an earlier run has left it: %w", err)
	}
	return w.send(ctx, s.create)
}

// saved fills the save file and opens it.
func (w *ibmi) saved(ctx context.Context, s saves) (Content, error) {
	if _, err := w.send(ctx, s.save); err != nil {
		return Content{}, err
	}
	from, bytes, err := w.fetch(ctx, s.delete.QueueManager, s.file)
	if err != nil {
		return Content{}, fmt.Errorf("reading save file %s: %w", s.file, err)
	}
	closing := &fetched{ReadCloser: from, done: func() error {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), tidying)
		defer cancel()
		if err := w.begin(ctx); err != nil {
			return err
		}
		defer w.turn.give()
		return w.tidy(ctx, s)
	}}
	return Content{ReadCloser: closing, Bytes: bytes, SaveFile: true, Origin: s.file.String(), Log: w.log()}, nil
}

// fetched is a save file that is read, and goes when that is over.
type fetched struct {
	io.ReadCloser
	done   func() error
	closed sync.Once
}

// Close closes the file and takes it away, once.
func (f *fetched) Close() (err error) {
	f.closed.Do(func() { err = errors.Join(f.ReadCloser.Close(), f.done()) })
	return err
}

// tidy takes the save file away, even if the context has ended. That it is not
// there is no error.
func (w *ibmi) tidy(ctx context.Context, s saves) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), tidying)
	defer cancel()
	if _, err := w.send(ctx, s.delete); err != nil && !refused(err, "CPF2105") {
		return fmt.Errorf("taking save file %s away: %w", s.file, err)
	}
	return nil
}

// Discard deletes the save file of a Save that was cut short. A store for which
// there are no save files has left none.
func (w *ibmi) Discard(ctx context.Context, id recovery.SegmentID, store Store) error {
	s, err := savesOf(id, store)
	if errors.Is(err, ErrNoLibrary) || errors.Is(err, ErrSiteSaves) {
		return nil
	}
	if err == nil {
		err = w.begin(ctx)
	}
	if err != nil {
		return fmt.Errorf("discarding the save file of receiver %s: %w", id, err)
	}
	defer w.turn.give()
	return w.tidy(ctx, s)
}

// Restore sends the copy into a save file and restores the receiver from it.
// Of several the newest goes first: it joins the chain, and the one before it
// then joins there (reference, IBM i 5). The answer is that of RSTOBJ.
func (w *ibmi) Restore(ctx context.Context, copied recovery.Copy, store Store, content io.Reader) (observe.Answer, error) {
	s, err := savesOf(copied.Segment, store)
	if err == nil {
		err = w.begin(ctx)
	}
	if err != nil {
		return observe.Answer{}, fmt.Errorf("restoring receiver %s: %w", copied.Segment, err)
	}
	defer w.turn.give()
	if answer, err := w.create(ctx, s); err != nil {
		return answer, fmt.Errorf("restoring receiver %s: making its save file: %w", copied.Segment, err)
	}
	answer, err := w.restored(ctx, s, content)
	if err = errors.Join(err, w.tidy(ctx, s)); err != nil {
		return answer, fmt.Errorf("restoring receiver %s: %w", copied.Segment, err)
	}
	return answer, nil
}

// restored fills the save file from the copy, and the library from the file.
func (w *ibmi) restored(ctx context.Context, s saves, content io.Reader) (observe.Answer, error) {
	if err := w.put(ctx, s.restore.QueueManager, s.file, content); err != nil {
		return observe.Answer{}, fmt.Errorf("sending the copy into save file %s: %w", s.file, err)
	}
	answer, err := w.send(ctx, s.restore)
	switch {
	case refused(err, "CPF3773"):
		return answer, fmt.Errorf("%w: %w", ErrThere, err)
	case refused(err, "CPF3782", "CPF3770", "CPF3707"):
		return answer, fmt.Errorf("%w: %w", ErrContent, err)
	case refused(err, "CPF707F"):
		return answer, fmt.Errorf("%w: %w", ErrLibrary, err)
	case err != nil:
		return answer, err
	}
	if err := w.associate(ctx, s.restore.QueueManager); err != nil {
		return answer, fmt.Errorf("it is on the system, and was not associated with its journal: %w", err)
	}
	return answer, nil
}
