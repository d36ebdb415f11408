package run

import (
	"context"
	"errors"
	"fmt"
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

// claim is a lease that is kept alive. Its context ends when it is lost.
type claim struct {
	*ledger.Lease
	ctx  context.Context
	stop func()
}

// claimed takes a lease and renews it until it is given back.
func (r *planner) claimed(ctx context.Context, f ledger.Firing) (*claim, error) {
	f.Run, f.By, f.For = r.ID, r.By, r.Lease
	lease, err := r.Ledger.Claim(ctx, f)
	if err != nil {
		return nil, err
	}
	held, cancel := context.WithCancelCause(ctx)
	done := make(chan struct{})
	var wait sync.WaitGroup
	wait.Go(func() { r.renew(context.WithoutCancel(ctx), lease, cancel, done) })
	return &claim{lease, held, sync.OnceFunc(func() {
		close(done)
		wait.Wait()
		cancel(nil)
	})}, nil
}

// renew gives the lease its whole length again and again. A ledger that is
// busy is asked again while the lease lasts.
func (r *planner) renew(ctx context.Context, lease *ledger.Lease, lost context.CancelCauseFunc, done <-chan struct{}) {
	every := time.NewTicker(r.Lease / 4)
	defer every.Stop()
	for {
		select {
		case <-done:
			return
		case <-every.C:
		}
		err := lease.Renew(ctx)
		if err == nil {
			continue
		}
		r.Log.Warn("the claim could not be renewed", "err", err)
		if errors.Is(err, ledger.ErrLeaseLost) || lease.Left() <= 0 {
			lost(fmt.Errorf("%w: %w", ledger.ErrLeaseLost, err))
			return
		}
	}
}

// release gives it back with what came of it; what was interrupted can be
// claimed again. A claim that was lost is not
// given back: somebody else may have it.
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

// lost tells whether the claim was lost.
func (c *claim) lost() bool { return errors.Is(context.Cause(c.ctx), ledger.ErrLeaseLost) }
