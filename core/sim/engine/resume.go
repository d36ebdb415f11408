package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/mqhk/mqhk/core/wal"
)

// Resume goes on where [Engine.Suspend] left off: units of work are open with
// their IDs, messages that are not persistent are there, marks are what they
// were. As the processes of MQ would, it needs nothing of the log but its end:
// it opens the segment that was written, looks at the last record there, and
// reads no other. Segments that are gone or damaged meanwhile are noticed by
// the [Start] or [Engine.Rebuild] that needs them. Resume backs nothing out,
// rebuilds nothing, takes no checkpoint and writes no record. An object whose
// file was lost or changed meanwhile is damaged.
//
// The suspension ends, durably, before anything is written: a crash after it
// is a crash, and [Start] is what helps then. An error that wraps
// [ErrNotSuspended] says that there is no whole suspension to go on from; a
// *[LogError] or *[FileError] says what is missing, and with that put right
// the same call works.
func Resume(ctx context.Context, owner Owner, opts Options) (*Engine, error) {
	e := newEngine(owner, opts, wal.ID{})
	if err := e.resume(ctx); err != nil {
		return nil, fmt.Errorf("resuming the queue manager: %w", err)
	}
	return e, nil
}

func (e *Engine) resume(ctx context.Context) error {
	s, err := e.store.loadSuspension()
	if err != nil {
		return err
	}
	tail, err := e.recall(ctx, s)
	if err != nil {
		return err
	}
	if err := e.store.endSuspension(); err != nil {
		return fmt.Errorf("ending the suspension: %w", err)
	}
	e.store.forget(s)
	e.log, err = wal.Resume(e.opts.Disk, tail, wal.Options{NoSync: e.opts.NoSync})
	if err != nil {
		return err
	}
	if err := e.relist(); err != nil {
		return errors.Join(err, e.log.Abandon())
	}
	return nil
}

// recall brings memory to where it was. It only reads.
func (e *Engine) recall(ctx context.Context, s *suspension) (wal.Tail, error) {
	c, err := e.store.loadControl()
	if err != nil {
		return wal.Tail{}, err
	}
	if c.id != s.control.id {
		return wal.Tail{}, fmt.Errorf("%w: it was another queue manager", ErrNotSuspended)
	}
	tail, err := e.findEnd(s)
	if err != nil {
		return tail, err
	}
	e.id, e.control, e.carried = s.control.id, s.control, s.records
	e.next, e.last, e.unbegun = s.next, s.last, tail.Unbegun != ""
	e.kept, e.left = s.kept, s.left
	for _, u := range s.units {
		u.engine = e
		if u.state == unitBackedOut {
			e.backedOut[u.id] = u
		} else {
			e.units[u.id] = u
		}
	}
	for _, kept := range s.objects {
		if err := context.Cause(ctx); err != nil {
			return tail, err
		}
		if err := e.recallObject(kept, s.end); err != nil {
			return tail, err
		}
		e.install(kept.object)
	}
	return tail, nil
}

// findEnd finds the end of the log and asserts that it is where it was. The
// last record is looked at because a segment that has lost its end can't be
// told from one that never had it.
func (e *Engine) findEnd(s *suspension) (wal.Tail, error) {
	listed := e.owner.Segments()
	i := slices.IndexFunc(listed, func(seg wal.Segment) bool { return seg.Name == s.segment.Name })
	if i < 0 {
		gone := &wal.Damage{Segment: s.segment.Name, LSN: s.end, Why: "it is not listed", Err: fs.ErrNotExist}
		return wal.Tail{}, logError(ForRestart, Ref{}, s.control.restart, gone)
	}
	chain := append([]wal.Segment{s.segment}, listed[i+1:]...)
	r, err := wal.NewReader(e.owner.Open, chain, wal.ReadOptions{ID: s.control.id, Durable: s.end})
	if err != nil {
		return wal.Tail{}, logError(ForRestart, Ref{}, s.control.restart, err)
	}
	at := s.end
	if s.last >= s.segment.Start {
		at = s.last
	}
	err = r.Seek(at)
	for err == nil && at <= s.end {
		var rec wal.Record
		rec, err = r.Next()
		at = rec.Next
	}
	if err == nil {
		return wal.Tail{}, errors.Join(fmt.Errorf("%w: the log ended at %s then, and goes on", ErrNotSuspended, s.end), r.Close())
	}
	tail, ended := r.Tail()
	switch {
	case !ended:
		return tail, logError(ForRestart, Ref{}, s.control.restart, err)
	case tail.LSN != s.end || tail.Torn:
		return tail, fmt.Errorf("%w: the log ended at %s then, and is at %s", ErrNotSuspended, s.end, tail.LSN)
	}
	return tail, nil
}
