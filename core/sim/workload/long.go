package workload

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/mqhk/mqhk/core/sim/engine"
)

// longUnit is a unit of work that stays open.
type longUnit struct {
	Number uint64 `json:"number"`
	Order  uint64 `json:"order"`
	// At is when it goes on: ends, or is prepared.
	At    moment `json:"at"`
	Queue int    `json:"queue"`
	Count int    `json:"count"` // messages that it has put
	Phase phase  `json:"phase"`
	// InDoubt is for how long it will be prepared; 0: it is committed.
	InDoubt Span `json:"in_doubt,omitempty"`
}

type phase string

const (
	longOpen     phase = "open"
	longPrepared phase = "prepared"
	// longStuck: any unit of work that has failed and could not be backed out.
	longStuck phase = "stuck"
)

func (l longUnit) compare(other longUnit) int {
	return cmp.Or(cmp.Compare(l.At, other.At), cmp.Compare(l.Order, other.Order))
}

// await puts a unit of work in its place among those that go on later.
func (r *runner) await(l longUnit) {
	l.Order = r.p.order()
	i, _ := slices.BinarySearchFunc(r.p.Long, l, longUnit.compare)
	r.p.Long = slices.Insert(r.p.Long, i, l)
}

// beginLong begins one and puts its first messages. They are forced at the end
// of the second, so that no crash gives its number to another.
func (r *runner) beginLong(ctx context.Context) error {
	if r.stuck() {
		return nil
	}
	p := &r.p.Profile
	q := r.mix.queue(r.rng)
	n := p.Unit.draw(r.rng)
	l := longUnit{Queue: q, Count: n, Phase: longOpen, At: r.now.after(p.Long.Lasts.around(r.rng))}
	if r.rng.Float64() < p.Long.InDoubt {
		l.InDoubt = Span(p.Long.Prepared.around(r.rng))
	}
	u, err := r.qm.Begin(appLong)
	if err != nil {
		return r.failed(ctx, "begin", p.Queues[q].Name, err)
	}
	done, err := r.putAll(ctx, u, q, n)
	if err != nil {
		return r.abandon(ctx, u, q, err)
	}
	if !done {
		return r.backOut(ctx, u, q)
	}
	l.Number = u.Number()
	r.report.LongBegun++
	r.unforced = true
	r.await(l)
	return nil
}

// goOn takes the next step of the unit of work that is first.
func (r *runner) goOn(ctx context.Context) error {
	l := r.p.Long[0]
	r.p.Long = slices.Delete(r.p.Long, 0, 1)
	u, err := r.qm.Unit(l.Number)
	switch {
	case errors.Is(err, engine.ErrEnded):
		if l.Phase != longStuck {
			r.report.LongLost++
		}
		return nil
	case err != nil:
		return r.later(ctx, l, "unit", err)
	}
	switch l.Phase {
	case longStuck:
		return r.backOut(ctx, u, l.Queue)
	case longPrepared:
		return r.endLong(ctx, u, l)
	default:
		return r.lastWork(ctx, u, l)
	}
}

// later counts a step that failed and tries it again.
func (r *runner) later(ctx context.Context, l longUnit, operation string, err error) error {
	l.At = r.now.after(retry)
	r.await(l)
	return r.failed(ctx, operation, r.p.Profile.Queues[l.Queue].Name, err)
}

// lastWork puts the last messages and prepares or ends the unit of work. If
// they can't be put it is backed out.
func (r *runner) lastWork(ctx context.Context, u Unit, l longUnit) error {
	n := r.p.Profile.Unit.draw(r.rng)
	done, err := r.putAll(ctx, u, l.Queue, n)
	if err != nil {
		r.await(l)
		return err
	}
	if !done {
		r.report.LongEnded++
		return r.backOut(ctx, u, l.Queue)
	}
	l.Count = min(l.Count+n, 2*maxUnit)
	if l.InDoubt == 0 {
		return r.endLong(ctx, u, l)
	}
	xid := fmt.Appendf(nil, "mqhk-sim-xid-%d", l.Number)
	if err := u.Prepare(ctx, xid); err != nil {
		return r.later(ctx, l, "prepare", err)
	}
	r.report.LongPrepared++
	l.Phase, l.At = longPrepared, r.now.after(time.Duration(l.InDoubt))
	r.await(l)
	return nil
}

// endLong ends it, as seldom by a backout as any other.
func (r *runner) endLong(ctx context.Context, u Unit, l longUnit) error {
	if r.rng.Float64() < r.p.Profile.Backouts {
		r.report.LongEnded++
		return r.backOut(ctx, u, l.Queue)
	}
	if err := u.CommitLater(ctx); err != nil {
		return r.later(ctx, l, "commit", err)
	}
	r.unforced = true
	r.report.LongEnded++
	r.report.Units.Long++
	r.plan(l.Queue, l.Count, false)
	return nil
}
