package qmgr

import (
	"context"
	"fmt"

	"github.com/mqhk/mqhk/core/sim/due"
	"github.com/mqhk/mqhk/core/sim/engine"
)

// occasion is one on which the queue manager may take a checkpoint or publish
// its recovery points.
type occasion struct {
	name occasionName
	// checkpoint: one is taken; byEngine: the engine does it itself.
	checkpoint, byEngine bool
	// publish: AMQ7460, AMQ7462 and AMQJRNINF.
	publish bool
	source  string
}

type occasionName string

// The occasions.
const (
	atStart     occasionName = "start"
	atEnd       occasionName = "end"
	onInterval  occasionName = "interval"
	onRecords   occasionName = "records"
	onChange    occasionName = "automatic change of receivers"
	onImages    occasionName = "RCDMQMIMG *ALL *ALL DSPJRNDTA(*YES)"
	onSomeImage occasionName = "any other RCDMQMIMG"
	byPerson    occasionName = "CHGJRN by hand"
)

// occasions are all there are; where a row says nothing, nothing happens.
var occasions = []occasion{
	{name: atStart, checkpoint: true, byEngine: true, publish: true, source: "reference, IBM i 3.2 [S8] and 2.1 [S6]"},
	{name: atEnd, checkpoint: true, byEngine: true, source: "reference, IBM i 3.2 [S8]; not among those of 2.1 [S6]"},
	{name: onInterval, checkpoint: true, source: "reference, IBM i 3.2 [S8]; 2.1: not at every checkpoint"},
	{name: onRecords, checkpoint: true, source: "reference, IBM i 3.2 [S8]; 2.1: not at every checkpoint"},
	{name: onChange, checkpoint: true, publish: true, source: "reference, IBM i 3.2 [S8] and 2.1 [S6]"},
	{name: onImages, checkpoint: true, publish: true, source: "reference, IBM i 3.1, 3.2 [S8] and 2.1 [S6]"},
	{name: onSomeImage, source: "reference, IBM i 3.1: images, and no checkpoint"},
	{name: byPerson, source: "reference, IBM i 3.2 [derived]: not in the list"},
}

// on does what belongs to an occasion.
func (m *Manager) on(ctx context.Context, name occasionName, e *engine.Engine) error {
	for _, o := range occasions {
		if o.name != name {
			continue
		}
		if o.checkpoint && !o.byEngine {
			if _, err := e.Checkpoint(ctx); err != nil {
				return fmt.Errorf("on occasion of %s: %w", name, err)
			}
		}
		if o.publish {
			if err := m.publish(e); err != nil {
				return fmt.Errorf("on occasion of %s: publishing the recovery points: %w", name, err)
			}
		}
		return nil
	}
	panic("no such occasion: " + string(name))
}

// Tick does what is due by the passing of time or of records: a checkpoint, and
// after an automatic change of receivers the publication. What changes
// messages or objects does it itself; a queue manager that does not run has
// nothing due.
func (m *Manager) Tick(ctx context.Context) error {
	m.life.RLock()
	defer m.life.RUnlock()
	if m.engine == nil {
		return nil
	}
	m.working.Lock()
	defer m.working.Unlock()
	if err := m.refused(m.catchUp(ctx)); err != nil {
		return fmt.Errorf("housekeeping of queue manager %s: %w", m.Name(), err)
	}
	return nil
}

// catchUp does what is due. When it fails it stays due. The caller has the
// lock of the work and shares that of the life.
func (m *Manager) catchUp(ctx context.Context) error {
	name := m.due()
	if name == "" {
		return nil
	}
	if err := m.owner.log.Full(); err != nil {
		return err
	}
	if name == onChange {
		m.owner.changed.Store(false) // before it, so that the next change is not missed
	}
	err := m.on(ctx, name, m.engine)
	if err != nil && name == onChange {
		m.owner.changed.Store(true)
	}
	return err
}

// due gives the occasion that has come; empty: none. What counts towards a
// checkpoint are records of the journal (reference, IBM i 3.2 [S8]; defaults).
func (m *Manager) due() occasionName {
	records, _ := m.engine.Written()
	if m.owner.changed.Load() {
		return onChange
	}
	if records < due.IntervalOperations {
		return "" // the rest takes a look at all objects
	}
	switch due.Checkpoint(records, m.engine.Status().Marks.Checkpoint.Time, m.sys.Now()) {
	case due.Counted:
		return onRecords
	case due.Interim:
		return onInterval
	}
	return ""
}

// work does something that may write in the journal, and then what has become
// due by it. That the work is done is not taken back by an error of the
// latter: it stays due, and the next one to come tries again.
func (m *Manager) work(ctx context.Context, what string, do func(*engine.Engine) error) error {
	return m.use(what, func(e *engine.Engine) error {
		if err := m.refused(m.owner.log.Full()); err != nil {
			return err
		}
		before := uint64(0)
		full := m.full.Load()
		if full {
			_, before = e.Written()
		}
		if err := m.refused(do(e)); err != nil {
			return err
		}
		if _, now := e.Written(); full && now > before {
			m.full.Store(false) // it takes entries again
		}
		if m.working.TryLock() {
			defer m.working.Unlock()
			_ = m.refused(m.catchUp(ctx))
		}
		return nil
	})
}
