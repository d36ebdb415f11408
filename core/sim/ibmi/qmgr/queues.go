package qmgr

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/mqhk/mqhk/core/sim/engine"
)

// Queue is a local queue as it is shown.
type Queue struct {
	Name        string
	Depth       int // messages whose put is committed
	Uncommitted int // puts and gets of units of work that have not ended
	// MediaReceiver holds the beginning of the queue's last image; [Gone] when
	// it is not on the system. MediaTime is the time of that entry.
	MediaReceiver string
	MediaTime     time.Time
	Damaged       bool
	Attributes    map[string]string // nil of a damaged one
}

// Queues gives the local queues by name: of a suspended queue manager as they
// were, of an ended one none.
func (m *Manager) Queues() []Queue {
	m.life.RLock()
	defer m.life.RUnlock()
	if m.engine == nil {
		return m.read().Queues
	}
	return m.queuesNow()
}

// queuesNow asks the engine. The caller has the lock of the life.
func (m *Manager) queuesNow() []Queue {
	var all []Queue
	for _, o := range m.engine.Objects() {
		if o.Ref.Kind != engine.Queue {
			continue
		}
		media := m.pointAt(o.Media)
		all = append(all, Queue{
			Name: o.Ref.Name, Depth: o.Depth, Uncommitted: o.Uncommitted, Damaged: o.Damaged,
			MediaReceiver: media.Receiver, MediaTime: media.Time, Attributes: o.Attributes,
		})
	}
	slices.SortFunc(all, func(a, b Queue) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

// DefineQueue defines a local queue. The attributes are kept word for word.
func (m *Manager) DefineQueue(ctx context.Context, name string, attributes map[string]string) error {
	return m.work(ctx, "defining queue "+name, func(e *engine.Engine) error {
		return e.Define(ctx, engine.Ref{Kind: engine.Queue, Name: name}, attributes)
	})
}

// AlterQueue replaces the attributes of a local queue.
func (m *Manager) AlterQueue(ctx context.Context, name string, attributes map[string]string) error {
	return m.work(ctx, "altering queue "+name, func(e *engine.Engine) error {
		return e.Alter(ctx, engine.Ref{Kind: engine.Queue, Name: name}, attributes)
	})
}

// DeleteQueue deletes a local queue, one with messages only if it is to be
// purged (engine.ErrNotEmpty). One with uncommitted changes is engine.ErrInUse.
func (m *Manager) DeleteQueue(ctx context.Context, name string, purge bool) error {
	return m.work(ctx, "deleting queue "+name, func(e *engine.Engine) error {
		return e.Delete(ctx, engine.Ref{Kind: engine.Queue, Name: name}, purge)
	})
}

// Put puts a message on a queue, outside a unit of work, and gives its
// sequence there. A persistent one is durable when it returns. The errors are
// those of the engine, and CPA7090 when the journal takes no entries.
func (m *Manager) Put(ctx context.Context, queue string, msg engine.Message) (uint64, error) {
	var sequence uint64
	err := m.work(ctx, "putting", func(e *engine.Engine) (err error) {
		sequence, err = e.Put(ctx, queue, msg)
		return err
	})
	return sequence, err
}

// Get takes the first message of a queue, outside a unit of work.
func (m *Manager) Get(ctx context.Context, queue string) (engine.Message, error) {
	var msg engine.Message
	err := m.work(ctx, "getting", func(e *engine.Engine) (err error) {
		msg, err = e.Get(ctx, queue)
		return err
	})
	return msg, err
}

// Browse goes through the messages of a queue that are available, until yield
// returns false. Yield must not call the queue manager.
func (m *Manager) Browse(queue string, yield func(engine.Message) bool) error {
	return m.use("browsing", func(e *engine.Engine) error { return e.Browse(queue, yield) })
}
