package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/mqhk/mqhk/core/wal"
)

// Engine is a queue manager that runs. Its methods may be called from any
// number of goroutines; those who wait for the disk at the same time share one
// force of the log.
//
// What changes something that must survive returns when it is durable. If the
// context ends first the change has happened in memory and becomes durable
// with the next force, unless a crash comes before.
type Engine struct {
	owner Owner
	opts  Options
	store store
	id    wal.ID

	mu      sync.Mutex
	log     *wal.Writer
	stopped error // ErrStopped with a cause; nil while it runs
	objects map[Ref]*object
	byID    map[uint64]*object
	units   map[uint64]*Unit // that have not ended
	// backedOut are those that the queue manager has backed out and whose
	// application does not know it yet.
	backedOut map[uint64]*Unit
	kept      map[string][]byte
	left      []Ref   // deleted objects whose files are there yet
	untidy    bool    // a crash may have left files beside those of objects
	next      uint64  // number of the next unit of work
	control   control // of the last checkpoint
	since     uint64  // records of the log at the last checkpoint
	carried   uint64  // records behind the last checkpoint that were there before Resume
	unbegun   bool    // the owner's list ends with a segment never begun: the next record goes there
	last      wal.LSN // the last record
	scratch   []byte
}

func newEngine(owner Owner, opts Options, id wal.ID) *Engine {
	return &Engine{
		owner: owner, opts: opts, id: id,
		store:   newStore(opts),
		objects: map[Ref]*object{}, byID: map[uint64]*object{}, next: 1,
		units: map[uint64]*Unit{}, backedOut: map[uint64]*Unit{}, kept: map[string][]byte{},
	}
}

// Create makes a queue manager without objects and leaves it running. The
// owner's list has no segment yet; the first is the one that [Owner.Next]
// names. Its id is drawn at random by the owner and never used again.
func Create(ctx context.Context, owner Owner, opts Options, id wal.ID) (*Engine, error) {
	e := newEngine(owner, opts, id)
	if err := e.store.makeFolders(); err != nil {
		return nil, fmt.Errorf("making a queue manager: %w", err)
	}
	if err := e.store.fresh(); err != nil {
		return nil, err
	}
	first, err := owner.Next(ctx)
	if err != nil {
		return nil, fmt.Errorf("making a queue manager: naming its first segment: %w", err)
	}
	e.log, err = wal.Create(opts.Disk, first, id, 0, wal.Options{NoSync: opts.NoSync})
	if err != nil {
		return nil, fmt.Errorf("making a queue manager: %w", err)
	}
	if err := e.begin(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("making a queue manager: %w", err), e.log.Abandon())
	}
	return e, nil
}

// begin tells the owner of the segment and takes the first checkpoint.
func (e *Engine) begin(ctx context.Context) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := e.begun(); err != nil {
		return err
	}
	return e.checkpoint(ctx)
}

// running says why the engine does nothing any more. The caller has the lock.
func (e *Engine) running() error {
	if e.stopped == nil {
		if err := e.log.Err(); err != nil {
			e.stopped = fmt.Errorf("%w: %w", ErrStopped, err)
		}
	}
	return e.stopped
}

// Crash ends the queue manager as the death of its processes would: what no
// force has reached is gone, files stay as they are.
func (e *Engine) Crash() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.stopped == nil {
		e.stopped = ErrStopped
	}
	return e.log.Abandon()
}

// End ends the queue manager cleanly: units of work that are open are backed
// out, prepared ones stay in doubt, everything committed is hardened. After an
// error it is as if it had crashed.
func (e *Engine) End(ctx context.Context) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := e.running(); err != nil {
		return err
	}
	err := e.backOutAll(ctx)
	if err == nil {
		err = e.checkpoint(ctx)
	}
	e.stopped = ErrStopped
	if err != nil {
		return errors.Join(fmt.Errorf("ending the queue manager: %w", err), e.log.Abandon())
	}
	return e.log.Close()
}

// Status is what an owner decides on when a checkpoint is due, and shows.
type Status struct {
	Marks Marks
	// Records is how many records the log has taken since the last checkpoint.
	Records uint64
	// Segment that is written and the bytes of it that records have taken.
	Segment wal.Segment
	Used    int64
	// End of the log, and what of it is durable.
	End, Durable wal.LSN
	// Log says what was written since Create, Start or Resume.
	Log wal.Counts
}

// Status gives the state of log and marks. It works on a stopped engine too.
func (e *Engine) Status() Status {
	e.mu.Lock()
	defer e.mu.Unlock()
	s := Status{Marks: e.marks(), End: e.log.End(), Durable: e.log.Durable(), Log: e.log.Counts()}
	s.Segment, s.Used = e.log.Current()
	s.Records = e.carried + s.Log.Records - e.since
	return s
}

// Written gives how many records the log has taken since the last checkpoint,
// and since the queue manager was started: [Status.Records] and those of
// [Status.Log] for one who asks after each operation.
func (e *Engine) Written() (sinceCheckpoint, sinceStart uint64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	records := e.log.Counts().Records
	return e.carried + records - e.since, records
}

// Position gives the end of the log: [Status.End] for one who asks after each
// operation.
func (e *Engine) Position() wal.LSN {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.log.End()
}

func (e *Engine) marks() Marks {
	m := Marks{Checkpoint: e.control.begin, Restart: e.control.restart, Media: e.control.begin}
	for _, o := range e.objects {
		if e.holds(o) {
			m.Media = m.Media.older(o.media)
		}
	}
	return m
}

// ordered gives the objects by the position of their definition: the order in
// which everything that is written is written.
func (e *Engine) ordered() []*object {
	all := make([]*object, 0, len(e.objects))
	for _, o := range e.objects {
		all = append(all, o)
	}
	slices.SortFunc(all, func(a, b *object) int { return cmp.Compare(a.id, b.id) })
	return all
}

// orderedUnits gives the units of work that have not ended by their number.
func (e *Engine) orderedUnits() []*Unit { return byNumber(e.units) }

func byNumber(units map[uint64]*Unit) []*Unit {
	all := make([]*Unit, 0, len(units))
	for _, u := range units {
		all = append(all, u)
	}
	slices.SortFunc(all, func(a, b *Unit) int { return cmp.Compare(a.id, b.id) })
	return all
}
