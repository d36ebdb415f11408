package workload

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/mqhk/mqhk/core/sim/engine"
)

// unit begins a unit of work and ends it, by commit if the work says so and
// the profile's share of backouts does not hit it. What failed is counted.
// While one can't even be backed out nobody begins another.
func (r *runner) unit(ctx context.Context, app string, q int, work func(Unit) (bool, error)) (committed bool, err error) {
	if r.stuck() {
		return false, nil
	}
	back := r.rng.Float64() < r.p.Profile.Backouts
	u, err := r.qm.Begin(app)
	if err != nil {
		return false, r.failed(ctx, "begin", r.p.Profile.Queues[q].Name, err)
	}
	done, err := work(u)
	if err != nil {
		return false, r.abandon(ctx, u, q, err)
	}
	return r.end(ctx, u, q, done && !back)
}

// end commits a unit of work or backs it out. A commit that fails is backed
// out too.
func (r *runner) end(ctx context.Context, u Unit, q int, commit bool) (committed bool, err error) {
	if commit {
		err := u.CommitLater(ctx)
		if err == nil {
			r.unforced = true
			return true, nil
		}
		if err := r.failed(ctx, "commit", r.p.Profile.Queues[q].Name, err); err != nil {
			return false, r.abandon(ctx, u, q, err)
		}
	}
	return false, r.backOut(ctx, u, q)
}

// abandon backs out what an error has interrupted that ends the run: the end
// of the context leaves a queue manager that runs, and nobody else knows of
// the unit of work.
func (r *runner) abandon(ctx context.Context, u Unit, q int, cause error) error {
	if errors.Is(cause, engine.ErrStopped) {
		return cause
	}
	return errors.Join(cause, r.backOut(context.WithoutCancel(ctx), u, q))
}

// stuck tells whether some unit of work waits to be backed out.
func (r *runner) stuck() bool {
	return slices.ContainsFunc(r.p.Long, func(l longUnit) bool { return l.Phase == longStuck })
}

// retry is after how long an end that failed is tried again.
const retry = time.Minute

// backOut backs a unit of work out. If even that fails, for want of room for
// its record perhaps, it is tried again later: left alone it would hold the
// restart point back for ever.
func (r *runner) backOut(ctx context.Context, u Unit, q int) error {
	err := u.Backout(ctx)
	if err == nil {
		r.report.Backouts++
		return nil
	}
	if errors.Is(err, engine.ErrEnded) {
		return nil
	}
	r.await(longUnit{Number: u.Number(), Queue: q, Phase: longStuck, At: r.now.after(retry)})
	return r.failed(ctx, "backout", r.p.Profile.Queues[q].Name, err)
}

// begin defines the queues and fills those that are kept deep, once.
func (r *runner) begin(ctx context.Context, limit moment) error {
	if r.p.Begun || r.now >= limit {
		return nil
	}
	if err := r.setClock(r.now.in(r.zone)); err != nil {
		return err
	}
	for _, q := range r.p.Profile.Queues {
		if err := r.qm.Define(ctx, q.Name); err != nil {
			if err := r.failed(ctx, "define", q.Name, err); err != nil {
				return err
			}
		}
	}
	for i := range r.p.Profile.Queues {
		if err := r.load(ctx, i); err != nil {
			return err
		}
	}
	r.p.Begun = true
	return r.force(ctx)
}

// loadUnit is the number of messages in a unit of work that fills a queue.
const loadUnit = 500

// load fills a queue up to the depth that it keeps, until that fails.
func (r *runner) load(ctx context.Context, q int) error {
	queue := &r.p.Profile.Queues[q]
	if queue.Keep == 0 {
		return nil
	}
	depth, err := r.qm.Depth(queue.Name)
	if err != nil {
		return r.failed(ctx, "depth", queue.Name, err)
	}
	for depth < queue.Keep {
		n := min(loadUnit, queue.Keep-depth)
		u, err := r.qm.Begin(appLoad)
		if err != nil {
			return r.failed(ctx, "begin", queue.Name, err)
		}
		done, err := r.putAll(ctx, u, q, n)
		if err != nil {
			return r.abandon(ctx, u, q, err)
		}
		if committed, err := r.end(ctx, u, q, done); err != nil || !committed {
			return err
		}
		r.report.Units.Load++
		depth += n
	}
	return nil
}
