package sim

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mqhk/mqhk/core/sim/engine"
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

// worked is what the queue managers of every platform do for applications.
type worked[U unitOfWork] interface {
	Engine() *engine.Engine
	Put(ctx context.Context, queue string, m engine.Message) (uint64, error)
	Get(ctx context.Context, queue string) (engine.Message, error)
	Begin(application string) (U, error)
	Unit(number uint64) (U, error)
	Force(ctx context.Context) error
}

// unitOfWork is one of theirs.
type unitOfWork interface {
	Number() uint64
	Put(ctx context.Context, queue string, m engine.Message) (uint64, error)
	Get(ctx context.Context, queue string) (engine.Message, error)
	Commit(ctx context.Context) error
	CommitLater(ctx context.Context) error
	Backout(ctx context.Context) error
	Prepare(ctx context.Context, xid []byte) error
}

// applications shows a queue manager to a workload.
type applications[U unitOfWork] struct {
	worked[U]
	now func() time.Time
	// define makes a local queue with the defaults of the platform.
	define func(ctx context.Context, queue string) error
}

func (a applications[U]) Now() time.Time { return a.now() }

func (a applications[U]) Define(ctx context.Context, queue string) error {
	if _, err := a.Depth(queue); err == nil || errors.Is(err, engine.ErrDamaged) {
		return nil
	}
	return a.define(ctx, queue)
}

func (a applications[U]) Depth(queue string) (int, error) {
	running := a.Engine()
	if running == nil {
		return 0, engine.ErrStopped
	}
	o, err := running.Object(engine.Ref{Kind: engine.Queue, Name: queue})
	return o.Depth, err
}

func (a applications[U]) Put(ctx context.Context, queue string, m engine.Message) error {
	_, err := a.worked.Put(ctx, queue, m)
	return err
}

func (a applications[U]) Begin(application string) (workload.Unit, error) {
	u, err := a.worked.Begin(application)
	if err != nil {
		return nil, err
	}
	return work{u}, nil
}

func (a applications[U]) Unit(number uint64) (workload.Unit, error) {
	u, err := a.worked.Unit(number)
	if err != nil {
		return nil, err
	}
	return work{u}, nil
}

// work is a unit of work as a workload has it.
type work struct{ unitOfWork }

func (w work) Put(ctx context.Context, queue string, m engine.Message) error {
	_, err := w.unitOfWork.Put(ctx, queue, m)
	return err
}
