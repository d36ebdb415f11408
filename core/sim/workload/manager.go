package workload

import (
	"context"
	"time"

	"github.com/mqhk/mqhk/core/sim/engine"
)

// QueueManager is what applications see of a simulated queue manager. Its
// errors are those of core/sim/engine, wrapped or not: [engine.ErrNoMessage]
// says that a queue is empty, [engine.ErrStopped] ends a run, all others fail
// one operation.
type QueueManager interface {
	// Now gives the time; its location is the zone whose wall clock the rates
	// follow.
	Now() time.Time
	// Define makes a local queue; it is no error when it is there already.
	// Where a queue is to be kept deep ([Queue.Keep]) its MAXDEPTH has to
	// allow it.
	Define(ctx context.Context, queue string) error
	// Depth is the number of messages on a queue whose put is committed.
	Depth(queue string) (int, error)
	// Put puts a message outside a unit of work. The body is the caller's
	// again when Put returns.
	Put(ctx context.Context, queue string, m engine.Message) error
	// Get takes the first message of a queue outside a unit of work.
	Get(ctx context.Context, queue string) (engine.Message, error)
	// Begin begins a unit of work of an application.
	Begin(application string) (Unit, error)
	// Unit gives a unit of work that has not ended by its number, also one
	// that was begun when the simulator's process was another. Where it has
	// ended, by a restart for instance, the error wraps [engine.ErrEnded].
	Unit(number uint64) (Unit, error)
	// Force makes durable what [Unit.CommitLater] left.
	Force(ctx context.Context) error
}

// Unit is a unit of work that has not ended.
type Unit interface {
	// Number is unique as long as the queue manager exists.
	Number() uint64
	// Put puts a message. The body is the caller's again when Put returns.
	Put(ctx context.Context, queue string, m engine.Message) error
	// Get takes the first message of a queue that is available.
	Get(ctx context.Context, queue string) (engine.Message, error)
	// Commit makes the changes final and durable.
	Commit(ctx context.Context) error
	// CommitLater makes the changes final; they are durable with the next
	// [QueueManager.Force].
	CommitLater(ctx context.Context) error
	// Backout undoes the changes.
	Backout(ctx context.Context) error
	// Prepare leaves the unit of work in doubt, under the number that its
	// transaction manager has for it.
	Prepare(ctx context.Context, xid []byte) error
}

// The names of the applications, short enough for a job name on IBM i.
const (
	appPut  = "APPPUT"
	appGet  = "APPGET"
	appLoad = "APPLOAD"
	appLong = "APPLONG"
)
