package runmqsc

import (
	"context"
	"time"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
	"github.com/mqhk/mqhk/core/sim/multi/qmgr"
)

// Manager is what runmqsc needs of a queue manager; [qmgr.Manager] has it. Its
// errors are those of core/sim/engine, core/sim/multi/extents and qmgr, wrapped
// or not. One that runs and is only looked at answers the questions, and every
// change with an engine.ErrStopped.
type Manager interface {
	Name() string
	Now() time.Time

	Status() qmgr.Status
	Connections() []qmgr.Connection
	QueueStatus() []qmgr.QueueStatus
	Objects() []engine.Object
	Object(engine.Ref) (engine.Object, error)
	Attributes() map[string]string
	Verify(context.Context, engine.Ref) error

	DefineObject(context.Context, engine.Ref, map[string]string) error
	AlterObject(context.Context, engine.Ref, map[string]string) error
	DeleteObject(ctx context.Context, ref engine.Ref, purge bool) error
	ClearQueue(ctx context.Context, name string) error
	AlterManager(context.Context, map[string]string) error

	SetArchived(extent string) error
	ArchiveUpTo(extent string) error
	AdvanceLog(context.Context) error
	ReduceLog(context.Context, extents.Reduction) (int, error)
}

var _ Manager = (*qmgr.Manager)(nil)
