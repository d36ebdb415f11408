package workload

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/mqhk/mqhk/core/sim/engine"
)

// runner is one run of a state.
type runner struct {
	p        *progress
	qm       QueueManager
	setClock func(time.Time) error
	rng      *rand.Rand
	zone     *time.Location
	mix      *mix
	body     *bodies
	report   Report
	now      moment
	// unforced: the log has commits that nobody has forced.
	unforced bool
}

// Run does what the applications do up to a time, in its order. A last second
// that has not passed whole is left to the next run, so that a step never
// divides what is done together.
//
// SetClock moves the estate's clock to the moment of each event before it; it
// may do what the platform has due by then. It gets times that never go back.
// Where nothing happens the clock is not moved, so at the end it stands at the
// last event: the rest of the step is the caller's.
//
// Operations that fail are counted in the report and end nothing. An error is
// one that wraps [engine.ErrStopped], that of setClock, that of the context, or
// what is wrong with the profile; the report tells then what was done before,
// and the state is good to go on with once the cause is gone.
func (s *State) Run(ctx context.Context, qm QueueManager, until time.Time, setClock func(time.Time) error) (Report, error) {
	if err := s.prepare(); err != nil {
		return Report{}, fmt.Errorf("running workload %q: %w", s.at.Profile.Name, err)
	}
	r := &runner{
		p: &s.at, qm: qm, setClock: setClock, rng: rand.New(&s.at.Random.PCG),
		zone: qm.Now().Location(), mix: s.ready, body: &s.body, now: momentOf(s.at.Until),
	}
	limit := momentOf(until) / second * second
	err := r.begin(ctx, limit)
	if err == nil {
		err = r.events(ctx, limit)
	}
	if err != nil {
		err = errors.Join(err, r.stop(ctx, err))
		return r.report, fmt.Errorf("running workload %q at %s: %w", s.at.Profile.Name, r.now.in(r.zone).Format(time.RFC3339), err)
	}
	if end := limit.in(r.zone); end.After(s.at.Until) {
		s.at.Until = end
	}
	return r.report, nil
}

// prepare looks at the profile, once.
func (s *State) prepare() error {
	if s.ready != nil {
		return nil
	}
	if err := s.at.Profile.Validate(); err != nil {
		return err
	}
	s.ready = newMix(&s.at.Profile)
	return nil
}

// stop leaves the state good to go on with after an error, and nothing
// unforced if the queue manager still runs.
func (r *runner) stop(ctx context.Context, cause error) error {
	if now := r.now.in(r.zone); now.After(r.p.Until) {
		r.p.Until = now
	}
	if errors.Is(cause, engine.ErrStopped) {
		return nil
	}
	return r.force(context.WithoutCancel(ctx))
}

// events does everything before a moment.
func (r *runner) events(ctx context.Context, limit moment) error {
	for {
		at, what := r.p.next()
		together := at/minute == r.now/minute
		if at >= limit || !together {
			if err := r.force(ctx); err != nil {
				return err
			}
		}
		if at >= limit {
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if what > atBurstEnd {
			if err := r.setClock(at.in(r.zone)); err != nil {
				return fmt.Errorf("setting the clock to %s: %w", at.in(r.zone).Format(time.RFC3339), err)
			}
		}
		r.now = at
		if err := r.event(ctx, what); err != nil {
			return err
		}
	}
}

// event does one. The state goes on first: an event that fails has been.
func (r *runner) event(ctx context.Context, what kind) error {
	switch what {
	case atBorder:
		r.p.Border = (r.now/minute + 1) * minute
		r.drawAll(r.now)
	case atBurstEnd:
		r.p.BurstEnd = 0
		r.drawAll(r.now)
	case atDue:
		return r.get(ctx, r.p.Due.pop())
	case atLong:
		return r.goOn(ctx)
	default:
		return r.stream(ctx, int(what-atStream))
	}
	return nil
}

// stream does the work that begins at random.
func (r *runner) stream(ctx context.Context, stream int) error {
	r.drawStream(stream, r.now)
	switch stream {
	case putPersistent:
		return r.put(ctx)
	case putOther:
		return r.putOther(ctx)
	case beginLong:
		return r.beginLong(ctx)
	}
	r.report.Bursts++
	r.p.BurstEnd = r.now.after(r.p.Profile.Bursts.Lasts.around(r.rng))
	r.drawAll(r.now)
	return nil
}

// force makes the commits of a minute durable.
func (r *runner) force(ctx context.Context) error {
	if !r.unforced {
		return nil
	}
	r.unforced = false
	if err := r.qm.Force(ctx); err != nil {
		return r.failed(ctx, "force", "", err)
	}
	return nil
}

// failed counts an operation that did. What it gives ends the run.
func (r *runner) failed(ctx context.Context, operation, queue string, err error) error {
	if errors.Is(err, engine.ErrStopped) || ctx.Err() != nil {
		return fmt.Errorf("%s on queue %q: %w", operation, queue, err)
	}
	r.report.fail(Failure{Operation: operation, Queue: queue, Count: 1, First: err.Error()})
	return nil
}
