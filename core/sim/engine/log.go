package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mqhk/mqhk/core/wal"
)

// begun tells the owner that the segment that is written was begun.
func (e *Engine) begun() error {
	segment, _ := e.log.Current()
	if err := e.owner.Begun(segment, e.log.Counts().Records); err != nil {
		return fmt.Errorf("listing segment %s as begun: %w", segment.Name, err)
	}
	return nil
}

// write puts a record in the log and rotates where one is due. A record that
// is refused has changed nothing. The position is that of the record; where an
// operation takes several, of the first of those that say it.
func (e *Engine) write(ctx context.Context, r *record) (Mark, error) {
	u := e.units[r.unit]
	if u != nil && e.opts.Detail {
		if err := e.beginUnit(ctx, u); err != nil {
			return Mark{}, err
		}
	}
	rest := e.cut(r)
	at, err := e.append(ctx, u, r)
	for len(rest) > 0 && err == nil {
		n := min(len(rest), e.opts.Part)
		piece := &record{kind: recPutPart, unit: r.unit, object: r.object, message: Message{Sequence: r.message.Sequence, Body: rest[:n]}}
		_, err = e.append(ctx, u, piece)
		rest = rest[n:]
	}
	if err != nil {
		return Mark{}, err
	}
	if u != nil && e.opts.Detail && r.kind == recBackout {
		// It tells what a restart knows without it: that the log has no room
		// for it is no failure.
		if _, err := e.append(ctx, u, &record{kind: recEndUnit, unit: u.id}); err != nil && e.log.Err() != nil {
			return Mark{}, err
		}
	}
	return at, nil
}

// beginUnit writes the beginning of a unit of work, if it is not there.
func (e *Engine) beginUnit(ctx context.Context, u *Unit) error {
	if u.first.LSN != 0 {
		return nil
	}
	_, err := e.append(ctx, u, &record{kind: recBegin, unit: u.id, xid: u.xid})
	return err
}

// cut makes a put of a long message the first of several records, and gives
// the rest of the body.
func (e *Engine) cut(r *record) []byte {
	body := r.message.Body
	if r.kind != recPut || e.opts.Part <= 0 || len(body) <= e.opts.Part {
		return nil
	}
	r.kind, r.total, r.message.Body = recPutLong, len(body), body[:e.opts.Part]
	return body[e.opts.Part:]
}

// append puts one record in the log.
func (e *Engine) append(ctx context.Context, u *Unit, r *record) (Mark, error) {
	r.time = e.now()
	if err := e.rotateIfDue(ctx); err != nil {
		return Mark{}, err
	}
	if e.opts.Detail {
		e.tell(u, r)
	}
	r.filled = e.opts.Costs != nil
	e.scratch = r.encode(e.scratch[:0])
	bytes := e.opts.Costs.of(r, len(e.scratch))
	at, err := e.log.AppendFilled(e.scratch, bytes)
	if errors.Is(err, wal.ErrFull) {
		if err := e.rotate(ctx); err != nil {
			return Mark{}, err
		}
		at, err = e.log.AppendFilled(e.scratch, bytes)
	}
	if err != nil {
		return Mark{}, fmt.Errorf("writing %d bytes to the log: %w", max(bytes, len(e.scratch)), err)
	}
	e.last = at
	m := Mark{LSN: at, Time: r.time}
	if u != nil {
		u.note(m)
	}
	return m, nil
}

// tell adds what a dump shows.
func (e *Engine) tell(u *Unit, r *record) {
	r.detail = true
	if u != nil {
		r.prev = u.last.LSN
		if r.kind == recCommit || r.kind == recBackout {
			r.spent += smallRecord // its beginning
		}
	}
	switch r.kind {
	case recBackout:
		r.spent += smallRecord // its end
	case recDefine, recImage:
		r.detail = false // they have the name anyway
	}
	if o := e.byID[r.object]; o != nil && r.detail {
		r.ref = o.ref
	}
}

// now is the owner's time as the log keeps it: in UTC, so that a message or a
// mark looks the same before and after a restart.
func (e *Engine) now() time.Time { return e.owner.Now().Round(0).UTC() }

// rotateIfDue goes on in the next segment where the platform has ended the
// one that is written, or where it has reached the threshold. The threshold
// is a wish: while the platform has no next segment the log stays where it is.
func (e *Engine) rotateIfDue(ctx context.Context) error {
	if e.unbegun {
		return e.rotate(ctx)
	}
	if _, used := e.log.Current(); e.opts.Threshold == 0 || used < e.opts.Threshold {
		return nil
	}
	if err := e.rotate(ctx); !errors.Is(err, ErrStay) {
		return err
	}
	return nil
}

// rotate begins the next segment.
func (e *Engine) rotate(ctx context.Context) error {
	next, err := e.owner.Next(ctx)
	if err != nil {
		return fmt.Errorf("naming the next segment: %w", err)
	}
	if err := e.log.Rotate(ctx, next); err != nil {
		return fmt.Errorf("beginning segment %s: %w", next.Name, err)
	}
	e.unbegun = false
	return e.begun()
}

// Rotate ends the segment that is written and begins the next. Where the
// platform has none now, it is an error that wraps [ErrStay].
func (e *Engine) Rotate(ctx context.Context) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := e.running(); err != nil {
		return err
	}
	return e.rotate(ctx)
}

// logged writes a record with the lock held, does then what it says in memory,
// and waits without the lock until it is durable. Check comes first; its error
// or that of the log leaves everything as it was.
func (e *Engine) logged(ctx context.Context, check func() (*record, error), then func(Mark)) error {
	at, err := e.change(ctx, check, then)
	if err != nil || at == 0 {
		return err
	}
	return e.force(ctx, at)
}

// change is logged without the wait. A position of zero needs none.
func (e *Engine) change(ctx context.Context, check func() (*record, error), then func(Mark)) (wal.LSN, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := e.running(); err != nil {
		return 0, err
	}
	r, err := check()
	if err != nil {
		return 0, err
	}
	var m Mark
	var last wal.LSN
	if r != nil {
		if m, err = e.write(ctx, r); err != nil {
			return 0, err
		}
		last = e.last
	}
	then(m)
	return last, nil
}

// Force waits until the record at a position, and with it every one before it,
// is durable; a position of zero stands for the last record so far. It is for
// [Unit.CommitLater]: many commits, one sync. When the log has stopped it is
// an error that wraps [ErrStopped].
func (e *Engine) Force(ctx context.Context, at wal.LSN) error {
	if at == 0 {
		e.mu.Lock()
		at = e.last
		e.mu.Unlock()
	}
	return e.force(ctx, at)
}

// force waits until a record is durable. It does not need the lock, so that
// those who wait at the same time share a sync.
func (e *Engine) force(ctx context.Context, at wal.LSN) error {
	err := e.log.Force(ctx, at)
	if errors.Is(err, wal.ErrFailed) || errors.Is(err, wal.ErrClosed) {
		return fmt.Errorf("%w: %w", ErrStopped, err)
	}
	return err
}
