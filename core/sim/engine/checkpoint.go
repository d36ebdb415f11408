package engine

import (
	"context"
	"fmt"
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
	if err := e.hardenAll(begin); err != nil {
		return err
	}
	c := control{id: e.id, begin: begin, restart: begin}
	for _, t := range e.tables(&c.restart) {
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
	e.control, e.since, e.carried = c, e.log.Counts().Records, 0
	if err := e.store.sweep(e.fileNames()); err != nil {
		return err
	}
	e.owner.Checkpointed(e.marks())
	return nil
}

// hardenAll brings the files of all sound objects up to a position.
func (e *Engine) hardenAll(upTo Mark) error {
	for _, o := range e.ordered() {
		if o.damaged || !o.changed {
			continue
		}
		if err := e.store.write(o, upTo.LSN); err != nil {
			return err
		}
	}
	return e.store.syncNames()
}

// fileNames gives the names that files of objects have.
func (e *Engine) fileNames() map[string]bool {
	names := make(map[string]bool, len(e.objects))
	for ref := range e.objects {
		names[ref.fileName()] = true
	}
	return names
}

// tables writes down what there is, in parts, and makes the restart mark as
// old as the oldest unit of work.
func (e *Engine) tables(restart *Mark) []table {
	var all []table
	var now table
	size := 0
	add := func(bytes int) {
		if size+bytes > partBytes {
			all, now, size = append(all, now), table{}, 0
		}
		size += bytes
	}
	for _, o := range e.ordered() {
		add(len(o.ref.Name) + len(o.ref.Kind) + 40)
		now.objects = append(now.objects, entry{id: o.id, ref: o.ref, media: o.media, hardened: o.file.hardened})
	}
	for _, u := range e.orderedUnits() {
		if u.first.LSN == 0 {
			continue
		}
		*restart = restart.older(u.first)
		add(30)
		now.units = append(now.units, openUnit{id: u.id, first: u.first})
	}
	return append(all, now)
}
