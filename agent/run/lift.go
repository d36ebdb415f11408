package run

import (
	"context"
	"slices"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/observe"
)

// lift ends the holds on what was restored for a recovery, once the queue
// manager plainly runs and was started after they were put there: that start
// has read what they keep. Where the moment of the start can't be told they
// stand until their time is over, or somebody lifts them (design, Holds and
// notes).
//
// Only an apply does so: a dry run changes nothing, holds included.
func (r *planner) lift(ctx context.Context, target observe.Target, seen *observation) error {
	if !r.recorded || r.Gate.Mode() != connect.Apply {
		return nil
	}
	holds, err := r.Ledger.Holds(ctx, target.Name)
	if err != nil || !slices.ContainsFunc(holds, func(h ledger.Hold) bool { return h.UntilStart }) {
		return err
	}
	started, ok := observe.ReadStarted(ctx, seen.view(), target)
	if !ok {
		return ctx.Err()
	}
	lifted, err := r.Ledger.LiftStarted(ctx, target.Name, started, r.By)
	for _, h := range lifted {
		r.Log.Info("a hold is over: the queue manager was started after it", "target", target.Name,
			"segment", h.Segment, "reason", h.Reason, "since", h.Since, "started", started)
	}
	return err
}
