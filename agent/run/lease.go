package run

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/mqhk/mqhk/agent/ledger"
)

// ApplyTask names the lease that whoever changes a target holds beside that of
// the task: tasks of several policies never act on one target at a time.
const ApplyTask = "apply"

// defaultLease is how long a claim lasts without a sign of life. It is renewed
// four times as often.
const defaultLease = 2 * time.Minute

// claim is a lease that is kept alive.
type claim struct {
	*ledger.Lease
	gone chan struct{} // closed when it is lost
	stop func()        // no longer keeps it alive
}

// claimed takes a lease and renews it until it is given back.
func (r *planner) claimed(ctx context.Context, f ledger.Firing) (*claim, error) {
	f.Run, f.By, f.For = r.ID, r.By, r.Lease
	lease, err := r.Ledger.Claim(ctx, f)
	if err != nil {
		return nil, err
	}
	c := &claim{Lease: lease, gone: make(chan struct{})}
	done := make(chan struct{})
	var wait sync.WaitGroup
	wait.Go(func() { r.renew(context.WithoutCancel(ctx), c, done) })
	c.stop = sync.OnceFunc(func() {
		close(done)
		wait.Wait()
	})
	return c, nil
}

// during gives a context that ends with the claim too.
func (c *claim) during(ctx context.Context) (held context.Context, end func()) {
	held, cancel := context.WithCancelCause(ctx)
	go func() {
		select {
		case <-c.gone:
			cancel(ledger.ErrLeaseLost)
		case <-held.Done():
		}
	}()
	return held, func() { cancel(nil) }
}

// renew gives the lease its whole length again and again. A ledger that is
// busy is asked again while the lease lasts.
func (r *planner) renew(ctx context.Context, c *claim, done <-chan struct{}) {
	every := time.NewTicker(r.Lease / 4)
	defer every.Stop()
	for {
		select {
		case <-done:
			return
		case <-every.C:
		}
		err := c.Renew(ctx)
		if err == nil {
			continue
		}
		r.Log.Warn("the claim could not be renewed", "err", err)
		if errors.Is(err, ledger.ErrLeaseLost) || c.Left() <= 0 {
			close(c.gone)
			return
		}
	}
}

// release gives it back with what came of it; what was interrupted can be
// claimed again. A claim that was lost is not given back: somebody else may
// have it.
func (r *planner) release(ctx context.Context, c *claim, outcome string) {
	c.stop()
	give := c.Release
	if outcome == Interrupted {
		give = c.Abandon
	}
	if err := give(context.WithoutCancel(ctx), outcome); err != nil && !errors.Is(err, ledger.ErrLeaseLost) {
		r.Log.Warn("the claim could not be given back; it runs out by itself", "err", err)
	}
}

// lost tells whether a context ended because its claim was lost.
func lost(ctx context.Context) bool { return errors.Is(context.Cause(ctx), ledger.ErrLeaseLost) }
