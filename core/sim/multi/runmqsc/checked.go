package runmqsc

import (
	"context"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
)

// checked is a queue manager whose commands are only checked (runmqsc -v): none
// of its changes happens.
type checked struct{ Manager }

func (checked) Verify(context.Context, engine.Ref) error { return nil }

func (checked) DefineObject(context.Context, engine.Ref, map[string]string) error { return nil }

func (checked) AlterObject(context.Context, engine.Ref, map[string]string) error { return nil }

func (checked) DeleteObject(context.Context, engine.Ref, bool) error { return nil }

func (checked) ClearQueue(context.Context, string) error { return nil }

func (checked) AlterManager(context.Context, map[string]string) error { return nil }

func (checked) SetArchived(string) error { return nil }

func (checked) ArchiveUpTo(string) error { return nil }

func (checked) AdvanceLog(context.Context) error { return nil }

func (checked) ReduceLog(context.Context, extents.Reduction) (int, error) { return 0, nil }
