package qmgr

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
	"github.com/mqhk/mqhk/core/wal"
)

// owner lets the engine write the extents of a queue manager, and shows the
// marks to the outside. Its methods may be called with the engine locked, so
// they don't ask it.
type owner struct {
	manager *Manager
	log     *extents.Log
	linear  bool
	// quiet: nothing is published yet, the queue manager has not said that it
	// runs. A restart takes its checkpoint before.
	quiet  bool
	beyond int // secondary extents more than qm.ini has

	// restart is the position that the log has to keep for a restart: of the
	// last checkpoint.
	restart atomic.Uint64
	// begun: an extent was begun, so what is due is looked at.
	begun atomic.Bool
	// unreported: no event has told of an extent that was begun.
	unreported atomic.Bool

	mu          sync.Mutex
	points      points
	pass        extents.Pass // of the last checkpoint
	checkpoints int64        // since the start
	failed      error        // what a method without a result could not do
}

var _ engine.Owner = (*owner)(nil)

// openLog opens the log as qm.ini says it is now, with so many secondary
// extents more. Its kind and the size of its extents are what they were made
// (reference, Multiplatforms 1.1 item 4).
func (m *Manager) openLog(beyond int) (*owner, error) {
	settings := m.conf().log
	settings.Secondary += beyond
	log, err := extents.Open(m.disk(), m.conf().logDir, settings)
	if err != nil {
		return nil, err
	}
	c := *m.conf()
	c.log.Kind, c.log.FilePages = log.Settings().Kind, log.Settings().FilePages
	m.configured.Store(&c)
	o := m.ownerOf(log)
	o.beyond = beyond
	return o, nil
}

func (m *Manager) ownerOf(log *extents.Log) *owner {
	return &owner{manager: m, log: log, linear: m.conf().log.Kind == extents.Linear}
}

// Now gives the system's time.
func (o *owner) Now() time.Time { return o.manager.site.Now() }

// Segments lists the extents.
func (o *owner) Segments() []wal.Segment { return o.log.Segments() }

// Open opens an extent.
func (o *owner) Open(name string) (wal.Source, error) { return o.log.Open(name) }

// Next gives the extent that follows.
func (o *owner) Next(ctx context.Context) (wal.Layout, error) { return o.log.Next(ctx) }

// Begun writes down where an extent begins.
func (o *owner) Begun(s wal.Segment, _ uint64) error {
	o.begun.Store(true)
	o.unreported.Store(true)
	return o.log.Begun(s)
}

// Checkpointed lets the log go on over what no recovery needs any more, and
// publishes the marks: AMQ7467, AMQ7468, AMQ7490, in this order (reference,
// Multiplatforms 2.1 item 28).
func (o *owner) Checkpointed(m engine.Marks) {
	o.restart.Store(uint64(m.Restart.LSN))
	done, err := o.log.Passed(m.Restart.LSN, m.Media.LSN)
	p := points{Restart: o.pointAt(m.Restart), Media: o.pointAt(m.Media), Published: o.Now()}
	o.mu.Lock()
	o.points, o.pass = p, done
	o.checkpoints++
	o.mu.Unlock()
	o.manager.operations.Store(0)
	if !o.quiet {
		err = errors.Join(err, o.publish())
	}
	o.fail(err)
}

// Imaged has nothing to do: the mark is seen after the checkpoint behind the
// images.
func (o *owner) Imaged(engine.Ref, engine.Marks) {}

// publish tells which extents are needed. A circular log tells nothing: no
// extent of it can be anything but needed.
func (o *owner) publish() error {
	if !o.linear {
		return nil
	}
	o.mu.Lock()
	p, done := o.points, o.pass
	o.mu.Unlock()
	m := o.manager
	err := errors.Join(
		m.tell("AMQ7467", Inserts{C1: m.name, C2: p.Restart.Extent}),
		m.tell("AMQ7468", Inserts{C1: m.name, C2: p.Media.Extent}),
	)
	if m.conf().log.Management != extents.Manual {
		err = errors.Join(err, m.tell("AMQ7490", Inserts{A1: int64(done.Created), A2: int64(done.Reused), C1: fmt.Sprint(done.Deleted)}))
	}
	return err
}

// pointAt shows a mark as an extent. Of one that the log does not reach back to
// the oldest extent stands there: nobody may take a blank for nothing needed
// (reference, Multiplatforms 10, trap 8).
func (o *owner) pointAt(mark engine.Mark) point {
	p := point{LSN: mark.LSN, Time: mark.Time}
	if name, ok := o.log.Extent(mark.LSN); ok {
		p.Extent = name
	} else if mark.LSN != 0 {
		p.Extent = o.log.Oldest()
	}
	return p
}

// published gives the marks as they were shown last, and how many checkpoints
// there were.
func (o *owner) published() (points, int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.points, o.checkpoints
}

// fail keeps what a method could not do until somebody can be told.
func (o *owner) fail(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.failed = errors.Join(o.failed, err)
}

// failure gives it, once.
func (o *owner) failure() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	err := o.failed
	o.failed = nil
	return err
}
