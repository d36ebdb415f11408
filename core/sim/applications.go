package sim

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/ibmi/qmgr"
	"github.com/mqhk/mqhk/core/sim/workload"
)

// SetWorkload has applications of a profile work on a queue manager from now
// on, whenever time passes. The same profile and seed do the same again.
func (e *Estate) SetWorkload(queueManager string, p workload.Profile, seed uint64) error {
	if _, _, err := e.find(queueManager); err != nil {
		return err
	}
	if err := p.Validate(); err != nil {
		return fmt.Errorf("a workload for %s: %w", queueManager, err)
	}
	e.workloads[queueManager] = workload.New(p, seed, e.state.Now)
	return e.saveWorkloads()
}

// StopWorkload sends the applications of a queue manager home. What they left
// open stays open.
func (e *Estate) StopWorkload(queueManager string) error {
	if _, _, err := e.find(queueManager); err != nil {
		return err
	}
	delete(e.workloads, queueManager)
	return e.saveWorkloads()
}

// applications shows a queue manager to a workload.
type applications struct {
	*qmgr.Manager
	clock *clock
}

var _ workload.QueueManager = applications{}

func (a applications) Now() time.Time { return a.clock.Now() }

func (a applications) Define(ctx context.Context, queue string) error {
	if slices.ContainsFunc(a.Queues(), func(q qmgr.Queue) bool { return q.Name == queue }) {
		return nil
	}
	return a.DefineQueue(ctx, queue, nil)
}

func (a applications) Depth(queue string) (int, error) {
	o, err := a.Engine().Object(engine.Ref{Kind: engine.Queue, Name: queue})
	return o.Depth, err
}

func (a applications) Put(ctx context.Context, queue string, m engine.Message) error {
	_, err := a.Manager.Put(ctx, queue, m)
	return err
}

func (a applications) Begin(application string) (workload.Unit, error) {
	u, err := a.Manager.Begin(application)
	if err != nil {
		return nil, err
	}
	return work{u}, nil
}

func (a applications) Unit(number uint64) (workload.Unit, error) {
	u, err := a.Manager.Unit(number)
	if err != nil {
		return nil, err
	}
	return work{u}, nil
}

type work struct{ *qmgr.Unit }

func (w work) Put(ctx context.Context, queue string, m engine.Message) error {
	_, err := w.Unit.Put(ctx, queue, m)
	return err
}
