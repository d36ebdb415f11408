package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/mqhk/mqhk/core/wal/disk"
)

// partBytes is how long a part of a checkpoint or an image gets, so that it
// fits in small segments too. A part with one message may be longer.
const partBytes = 8 << 10

// Checkpoint hardens everything that is committed and moves the restart mark.
// Other calls wait meanwhile. After an error the checkpoint before it still
// holds, and it can be tried again.
func (e *Engine) Checkpoint(ctx context.Context) (Marks, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := e.running(); err != nil {
		return Marks{}, err
	}
	if err := e.checkpoint(ctx); err != nil {
		return Marks{}, fmt.Errorf("taking a checkpoint: %w", err)
	}
	return e.marks(), nil
}

// checkpoint does it with the lock held. The order is what makes a crash at
// any point harmless: the log up to the beginning is durable before a file
// relies on it, the files before the end that says so, the end before the
// control file that points to it.
func (e *Engine) checkpoint(ctx context.Context) error {
	begin, err := e.write(ctx, &record{kind: recCheckpoint, next: e.next})
	if err != nil {
		return err
	}
	if err := e.force(ctx, begin.LSN); err != nil {
		return err
	}
	if err := e.hardenAll(ctx, begin); err != nil {
		return err
	}
	c := control{id: e.id, begin: begin, restart: begin, kept: e.kept, left: e.left}
	if e.opts.Costs != nil || e.opts.Recoverable != nil {
		c.objects = e.entries()
	}
	for _, t := range e.tables(&c) {
		if _, err := e.write(ctx, &record{kind: recCheckpointPart, table: t}); err != nil {
			return err
		}
	}
	end, err := e.write(ctx, &record{kind: recCheckpointEnd, begin: begin.LSN})
	if err != nil {
		return err
	}
	if err := e.force(ctx, end.LSN); err != nil {
		return err
	}
	c.durable = e.log.Durable()
	if err := e.store.saveControl(&c); err != nil {
		return err
	}
	e.control, e.since, e.carried = c.positions(), e.log.Counts().Records, 0
	if err := e.sweep(); err != nil {
		return err
	}
	e.owner.Checkpointed(e.marks())
	return nil
}

// hardenAll brings the files of all sound objects up to a position. An object
// whose file is gone or changed is damaged.
func (e *Engine) hardenAll(ctx context.Context, upTo Mark) error {
	for _, o := range e.ordered() {
		if o.damaged || !o.changed {
			continue
		}
		err := e.store.write(o, upTo.LSN)
		if errors.Is(err, errChanged) {
			err = e.spoil(ctx, o)
		}
		if err != nil {
			return err
		}
	}
	return e.store.syncNames()
}

// sweep removes the files of objects that are there no more.
func (e *Engine) sweep() error {
	if e.opts.Files == nil {
		e.left = nil
		wanted := make(map[string]bool, len(e.objects))
		for ref := range e.objects {
			wanted[e.store.object(ref)] = true
		}
		return e.store.sweep(wanted)
	}
	for _, ref := range e.left {
		if e.objects[ref] != nil {
			continue // there is another one of the name
		}
		if err := e.store.clear(ref); err != nil {
			return err
		}
	}
	e.left = nil
	if !e.untidy {
		return nil
	}
	for ref := range e.objects {
		if err := e.store.tidy(e.store.object(ref)); err != nil {
			return err
		}
	}
	e.untidy = false
	return errors.Join(e.store.remove(e.store.files.Control()+disk.NewSuffix), e.store.remove(suspendedName+disk.NewSuffix))
}

// entries writes down the objects.
func (e *Engine) entries() []entry {
	all := make([]entry, 0, len(e.objects))
	for _, o := range e.ordered() {
		all = append(all, entry{id: o.id, ref: o.ref, media: o.media, hardened: o.file.hardened, spared: !e.holds(o)})
	}
	return all
}

// tables writes down what there is and the control file does not say, in parts,
// and makes the restart mark as old as the oldest unit of work.
func (e *Engine) tables(c *control) []table {
	var all []table
	var now table
	size, limit := 0, min(partBytes, e.imagePart())
	add := func(bytes int) {
		if size+bytes > limit && size > 0 {
			all, now, size = append(all, now), table{}, 0
		}
		size += bytes
	}
	if c.objects == nil {
		for _, o := range e.entries() {
			add(len(o.ref.Name) + len(o.ref.Kind) + 40)
			now.objects = append(now.objects, o)
		}
	}
	for _, u := range e.orderedUnits() {
		if u.first.LSN == 0 {
			continue
		}
		c.restart = c.restart.older(u.first)
		add(30 + max(len(u.xid), e.opts.Costs.unit()))
		now.units = append(now.units, openUnit{id: u.id, first: u.first, last: u.last.LSN, prepared: u.state == unitPrepared, xid: u.xid})
	}
	return append(all, now)
}
