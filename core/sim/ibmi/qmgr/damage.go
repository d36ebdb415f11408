package qmgr

import (
	"context"
	"fmt"
	"strings"

	"github.com/mqhk/mqhk/core/sim/engine"
)

// DamagedError says that objects could not be recorded because they are
// damaged. It is an engine.ErrDamaged.
type DamagedError struct {
	Objects []engine.Ref // at least one, in the order of their definition
}

// Error names the objects with their types.
func (e *DamagedError) Error() string {
	names := make([]string, len(e.Objects))
	for i, ref := range e.Objects {
		names[i] = ref.Name + " " + typeOf(ref.Kind)
	}
	return fmt.Sprintf("recording media images: %s: %v", strings.Join(names, ", "), engine.ErrDamaged)
}

// Unwrap gives engine.ErrDamaged.
func (e *DamagedError) Unwrap() error { return engine.ErrDamaged }

// Damage damages an object: a fault. It is a local queue by its name, the queue
// manager object (*MQM) or the catalogue (*CTLG). AMQ7472 tells of it.
func (m *Manager) Damage(ctx context.Context, object string) error {
	ref := engine.Ref{Kind: engine.Queue, Name: object}
	switch strings.ToUpper(object) {
	case typeOf(kindManager):
		ref = engine.Ref{Kind: kindManager, Name: m.Name()}
	case typeOf(kindCatalogue):
		ref = engine.Ref{Kind: kindCatalogue, Name: catalogueName}
	}
	return m.work(ctx, "damaging "+object, func(e *engine.Engine) error {
		if err := e.Damage(ctx, ref); err != nil {
			return err
		}
		return m.announce("AMQ7472", []engine.Ref{ref})
	})
}

// MemoryOnly counts the messages that are not persistent: what [Manager.Crash]
// will lose of them, which nobody knows afterwards. Those that a unit of work
// hides are not among them. 0 when the queue manager is not in memory.
func (m *Manager) MemoryOnly() int {
	n := 0
	count := func(msg engine.Message) bool {
		if !msg.Persistent {
			n++
		}
		return true
	}
	_ = m.use("counting messages", func(e *engine.Engine) error { // one that does not run has none
		for _, o := range e.Objects() {
			if o.Ref.Kind == engine.Queue {
				_ = e.Browse(o.Ref.Name, count) // nor has a queue that is damaged or deleted meanwhile
			}
		}
		return nil
	})
	return n
}
