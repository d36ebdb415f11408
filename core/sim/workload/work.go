package workload

import (
	"context"
	"errors"

	"github.com/mqhk/mqhk/core/sim/engine"
)

// put is an application that puts persistent messages.
func (r *runner) put(ctx context.Context) error {
	q := r.mix.queue(r.rng)
	if r.rng.Float64() < r.p.Profile.Alone {
		done, err := r.putOutside(ctx, q, true)
		if done {
			r.plan(q, 1, true)
		}
		return err
	}
	n := r.p.Profile.Unit.draw(r.rng)
	committed, err := r.unit(ctx, appPut, q, func(u Unit) (bool, error) { return r.putAll(ctx, u, q, n) })
	if committed {
		r.report.Units.Put++
		r.plan(q, n, false)
	}
	return err
}

// putOther puts one message that is not persistent.
func (r *runner) putOther(ctx context.Context) error {
	q := r.mix.queue(r.rng)
	done, err := r.putOutside(ctx, q, false)
	if done {
		// Got in a unit of work, as the queue's first message may be a
		// persistent one by then.
		r.plan(q, 1, false)
	}
	return err
}

// putOutside puts one message outside a unit of work.
func (r *runner) putOutside(ctx context.Context, q int, persistent bool) (bool, error) {
	m := r.message(persistent)
	name := r.p.Profile.Queues[q].Name
	if err := r.qm.Put(ctx, name, m); err != nil {
		return false, r.failed(ctx, "put", name, err)
	}
	r.wasPut(&m)
	if persistent {
		r.report.Outside++
	}
	return true, nil
}

// putAll puts persistent messages in a unit of work; false: one failed.
func (r *runner) putAll(ctx context.Context, u Unit, q, n int) (bool, error) {
	name := r.p.Profile.Queues[q].Name
	for range n {
		m := r.message(true)
		if err := u.Put(ctx, name, m); err != nil {
			return false, r.failed(ctx, "put", name, err)
		}
		r.wasPut(&m)
	}
	return true, nil
}

// message makes one. Its body is good until the next is made.
func (r *runner) message(persistent bool) engine.Message {
	r.p.Messages++
	return engine.Message{Persistent: persistent, Body: r.body.make(r.p.Messages, r.p.Profile.Sizes.draw(r.rng))}
}

func (r *runner) wasPut(m *engine.Message) {
	r.report.Puts++
	r.report.Bytes += int64(len(m.Body))
	if m.Persistent {
		r.report.Persistent++
	}
}

// plan arranges for messages to be got.
func (r *runner) plan(q, count int, alone bool) {
	at := r.now.after(r.p.Profile.Queues[q].Stays.exponential(r.rng))
	r.p.Due.push(due{At: at, Order: r.p.order(), Queue: q, Count: count, Alone: alone})
}

// get is an application that gets what is due, and what it stayed behind with.
func (r *runner) get(ctx context.Context, d due) error {
	n := d.Count + min(r.p.Behind[d.Queue], r.p.Profile.Unit.Max)
	n, err := r.allowed(ctx, d.Queue, n)
	switch {
	case err != nil:
		return err
	case n == 0:
		return nil
	case d.Alone:
		return r.getOutside(ctx, d.Queue)
	}
	got, empty := 0, false
	committed, err := r.unit(ctx, appGet, d.Queue, func(u Unit) (ok bool, err error) {
		got, empty, err = r.getAll(ctx, u, d.Queue, n)
		return err == nil && (empty || got == n), err
	})
	behind := &r.p.Behind[d.Queue]
	switch {
	case committed && empty:
		*behind = 0
	case committed:
		*behind = max(0, *behind-max(0, n-d.Count))
	default:
		*behind += d.Count
	}
	if committed && got > 0 {
		r.report.Units.Get++
	}
	return err
}

// allowed limits a number of gets to what a queue holds above the depth that
// it keeps.
func (r *runner) allowed(ctx context.Context, q, n int) (int, error) {
	queue := &r.p.Profile.Queues[q]
	if queue.Keep == 0 {
		return n, nil
	}
	depth, err := r.qm.Depth(queue.Name)
	if err != nil {
		return 0, r.failed(ctx, "depth", queue.Name, err)
	}
	return min(n, max(0, depth-queue.Keep)), nil
}

// getOutside gets one message outside a unit of work.
func (r *runner) getOutside(ctx context.Context, q int) error {
	name := r.p.Profile.Queues[q].Name
	_, err := r.qm.Get(ctx, name)
	switch {
	case errors.Is(err, engine.ErrNoMessage):
		r.report.Empty++
		return nil
	case err != nil:
		r.p.Behind[q]++
		return r.failed(ctx, "get", name, err)
	}
	r.report.Gets++
	r.report.Outside++
	return nil
}

// getAll gets messages in a unit of work, how many and whether the queue was
// empty then. Fewer from a queue that is not empty: one failed.
func (r *runner) getAll(ctx context.Context, u Unit, q, n int) (got int, empty bool, err error) {
	name := r.p.Profile.Queues[q].Name
	for got < n {
		_, err := u.Get(ctx, name)
		if errors.Is(err, engine.ErrNoMessage) {
			r.report.Empty++
			return got, true, nil
		}
		if err != nil {
			return got, false, r.failed(ctx, "get", name, err)
		}
		got++
		r.report.Gets++
	}
	return got, false, nil
}
