package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/mqhk/mqhk/core/wal"
)

// Restarted tells what a start did.
type Restarted struct {
	From    Mark    // where it began to read the log
	End     wal.LSN // of the log as it was found
	Records uint64  // that were read
	// Undone is how many of them are of units of work that had not ended: a
	// recovery goes over these again.
	Undone uint64
	// Torn: a crash left a part of records that nobody was told are durable.
	Torn bool
	// BackedOut are the units of work that were open, InDoubt those that are
	// prepared: find them with [Engine.Unit].
	BackedOut []UnitInfo
	InDoubt   []UnitInfo
	// Rebuilt are the damaged objects that the start could not do without,
	// Damaged those that are left.
	Rebuilt []Ref
	Damaged []Ref
	// Unbegun is the last segment of the owner's list if it was not begun
	// when the start found it. The first record of the start is in it: a log
	// does not grow in a segment that its platform has ended.
	Unbegun string
}

// Start starts a queue manager that was ended or has crashed: it reads the log
// from the restart mark on, rebuilds damaged objects that it can't do without
// (those of [Options.Essential], queues with uncommitted persistent work) from
// their images, backs out units of work that were open, and takes a
// checkpoint. Messages that are not persistent are gone.
//
// A *[LogError] or *[FileError] says what is missing. Before the log is whole
// nothing is written, so the call can be repeated.
func Start(ctx context.Context, owner Owner, opts Options) (*Engine, Restarted, error) {
	e := newEngine(owner, opts, wal.ID{})
	done, tail, err := e.recover(ctx)
	if err == nil {
		err = e.store.endSuspension()
	}
	if err != nil {
		return nil, done, fmt.Errorf("starting the queue manager: %w", err)
	}
	e.log, err = wal.Resume(opts.Disk, tail, wal.Options{NoSync: opts.NoSync})
	if err != nil {
		return nil, done, fmt.Errorf("starting the queue manager: %w", err)
	}
	if err := e.takeUp(ctx); err != nil {
		return nil, done, errors.Join(fmt.Errorf("starting the queue manager: %w", err), e.log.Abandon())
	}
	return e, done, nil
}

// recover brings memory to where the log ends. It only reads.
func (e *Engine) recover(ctx context.Context) (Restarted, wal.Tail, error) {
	if err := e.store.findFolders(); err != nil {
		return Restarted{}, wal.Tail{}, err
	}
	c, err := e.store.loadControl()
	if err != nil {
		return Restarted{}, wal.Tail{}, err
	}
	done := Restarted{From: c.restart}
	p, tail, err := e.replay(ctx, c)
	if err != nil {
		return done, tail, err
	}
	done.End, done.Torn, done.Unbegun, done.Records = tail.LSN, tail.Torn, tail.Unbegun, p.records
	e.next, e.unbegun = max(1, p.work.next), tail.Unbegun != ""
	e.kept, e.left, e.untidy = p.kept, p.left, true
	left := p.work.open()
	for _, l := range left {
		done.Undone += l.records
	}
	e.adopt(left)
	err = e.rebuildNeeded(ctx, tail.LSN, &done)
	e.spare()
	return done, tail, err
}

// replay reads the log from the restart mark to its end, which is not before
// that of the last checkpoint, and does again what was committed. The units of
// work that are left are in the replay that it gives.
func (e *Engine) replay(ctx context.Context, c control) (*replay, wal.Tail, error) {
	e.id, e.control = c.id, c.positions()
	p := newReplay(&e.store, c)
	what := LogError{Purpose: ForRestart, From: c.restart}
	tail, err := e.readLog(ctx, what, wal.ReadOptions{Durable: c.durable}, p.take)
	if err == nil && !p.loaded {
		err = fmt.Errorf("%w: the checkpoint at %s has no end", ErrFormat, c.begin.LSN)
	}
	if err != nil {
		return nil, tail, err
	}
	for _, o := range p.objects {
		e.install(o)
	}
	for _, o := range e.ordered() {
		if o.file.hardened > tail.LSN {
			short := &wal.Damage{Segment: tail.Segment, Offset: tail.Offset, LSN: tail.LSN,
				Why: fmt.Sprintf("the log ends, and the file of %s was hardened up to %s", o.ref, o.file.hardened)}
			return nil, tail, logError(ForRestart, Ref{}, c.restart, short)
		}
	}
	return p, tail, nil
}

// adopt takes over the units of work that the log has left. A queue that
// contradicts one of them is damaged.
func (e *Engine) adopt(left []*logUnit) {
	for _, l := range left {
		u := &Unit{engine: e, id: l.id, first: l.first, last: l.last, xid: l.xid}
		if l.prepared {
			u.state = unitPrepared
		}
		e.units[u.id] = u
		for i := range l.ops {
			p := &l.ops[i]
			if o := e.byID[p.object]; o != nil && !o.damaged {
				if err := o.link(u, p); err != nil {
					o.lose()
				}
			}
			u.ops = append(u.ops, op{unit: u.id, object: p.object, get: p.get, message: Message{Sequence: p.message.Sequence}})
		}
	}
}

// rebuildNeeded rebuilds the damaged objects that a start can't do without, and
// lists what there was to do.
func (e *Engine) rebuildNeeded(ctx context.Context, end wal.LSN, done *Restarted) error {
	for _, o := range e.ordered() {
		if !o.damaged {
			continue
		}
		essential := e.opts.Essential != nil && e.opts.Essential(o.ref)
		lost := !e.recoverable(o)
		switch {
		case essential && lost:
			return fmt.Errorf("%s is damaged, and a start needs it: %w", o.ref, ErrNotRecoverable)
		case lost:
			e.ignore(o)
			fallthrough
		case !essential && !e.worked(o):
			done.Damaged = append(done.Damaged, o.ref)
			continue
		}
		if _, err := e.rebuild(ctx, o, end); err != nil {
			return fmt.Errorf("%s is damaged, and a start needs it: %w", o.ref, err)
		}
		done.Rebuilt = append(done.Rebuilt, o.ref)
	}
	for _, u := range e.orderedUnits() {
		if u.state == unitPrepared {
			done.InDoubt = append(done.InDoubt, u.show())
		} else {
			done.BackedOut = append(done.BackedOut, u.show())
		}
	}
	return nil
}

// relist tells the owner of the start of the segment that is written, if its
// list does not have it.
func (e *Engine) relist() error {
	segments := e.owner.Segments()
	current, _ := e.log.Current()
	if last := segments[len(segments)-1]; last.Start == 0 && last.Name == current.Name {
		return e.begun()
	}
	return nil
}

// takeUp goes on writing the log: in the segment that was listed and never
// begun, if there is one.
func (e *Engine) takeUp(ctx context.Context) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := e.relist(); err != nil {
		return err
	}
	if err := e.backOutAll(ctx); err != nil {
		return err
	}
	for _, o := range e.ordered() {
		if !o.spared || o.damaged || !e.wanted(o) {
			continue
		}
		begin, err := e.image(ctx, o.ref)
		if err != nil {
			return err
		}
		o.media, o.spared = begin, false
	}
	return e.checkpoint(ctx)
}
