package engine

import (
	"context"
	"fmt"

	"github.com/mqhk/mqhk/core/wal"
)

// Damage damages an object, as a bad disk would: its file is overwritten and
// what memory holds of it is forgotten. Units of work that have changes on it
// go on; what they commit is in the log.
func (e *Engine) Damage(ctx context.Context, ref Ref) error {
	var o *object
	err := e.logged(ctx, func() (_ *record, err error) {
		if o, err = e.sound(ref); err != nil {
			return nil, fmt.Errorf("damaging: %w", err)
		}
		return &record{kind: recDamage, object: o.id}, nil
	}, func(Mark) { o.lose() })
	if err != nil {
		return err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if !o.damaged || e.byID[o.id] != o {
		return nil // rebuilt or deleted meanwhile
	}
	// A start would find the object damaged without this, and whatever a crash
	// makes of it: the log says so, and a checkpoint that it has no file.
	if err := e.store.put(e.store.object(ref), []byte("damaged\n")); err != nil {
		return fmt.Errorf("damaging the file of %s: %w", ref, err)
	}
	return e.store.syncNames()
}

// Rebuild makes a damaged object anew from its last image and the log that
// follows; changes of units of work that have not ended are among them. On an
// object that is not damaged it does nothing and gives false. Messages that
// are not persistent are gone. A *[LogError] says which part of the log is
// missing; the object stays damaged then.
func (e *Engine) Rebuild(ctx context.Context, ref Ref) (bool, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := e.running(); err != nil {
		return false, err
	}
	o, err := e.known(ref)
	if err != nil || !o.damaged {
		return false, err
	}
	if !e.recoverable(o) {
		return false, fmt.Errorf("rebuilding %s: %w", ref, ErrNotRecoverable)
	}
	if err := e.force(ctx, e.last); err != nil {
		return false, err
	}
	end := e.log.Durable()
	n, err := e.rebuild(ctx, o, end)
	if err != nil {
		return false, err
	}
	if err = e.store.write(n, end); err == nil {
		err = e.store.syncNames()
	}
	if err != nil {
		// The log says that the object is damaged, so without its file it is.
		e.install(o)
		return false, fmt.Errorf("writing what was rebuilt: %w", err)
	}
	return true, nil
}

// rebuild puts a new object in the place of a damaged one. It reads the log up
// to its end, writes nothing, and changes nothing when it fails.
func (e *Engine) rebuild(ctx context.Context, damaged *object, end wal.LSN) (*object, error) {
	b := &rebuilding{id: damaged.id, media: damaged.media}
	b.work = logWork{
		units: map[uint64]*logUnit{}, wanted: func(id uint64) bool { return id == b.id },
		redo: func(at wal.LSN, p *op) error {
			if p.object != b.id {
				return nil
			}
			return b.object.redo(at, p)
		},
	}
	what := LogError{Purpose: ForRebuild, Object: damaged.ref, From: damaged.media}
	if _, err := e.readLog(ctx, what, wal.ReadOptions{Until: end}, b.take); err != nil {
		return nil, err
	}
	if !b.whole {
		return nil, fmt.Errorf("%w: the image of %s at %s has no end", ErrFormat, damaged.ref, damaged.media.LSN)
	}
	n := b.object
	n.next = max(n.next, damaged.next)
	for _, l := range b.work.open() {
		for i := range l.ops {
			u := e.units[l.id]
			if u == nil {
				return nil, fmt.Errorf("%w: the log has unit of work %d on %s, which has ended", ErrFormat, l.id, n.ref)
			}
			if err := n.link(u, &l.ops[i]); err != nil {
				return nil, err
			}
		}
	}
	e.install(n)
	return n, nil
}

// rebuilding is a rebuild's way through the log: from the image of one object,
// or its definition, to the end.
type rebuilding struct {
	id     uint64
	media  Mark
	object *object // nil before the first record
	whole  bool    // the image is complete
	part   *op     // of the image, whose body goes on
	work   logWork
}

func (b *rebuilding) take(at wal.LSN, payload []byte) error {
	r, err := decodeRecord(payload)
	if err != nil {
		return err
	}
	m := Mark{LSN: at, Time: r.time}
	switch {
	case b.object == nil:
		return b.begin(m, &r)
	case !b.whole:
		return b.fill(&r)
	case r.kind.ofUnit():
		return b.work.take(m, &r)
	case r.object == b.id && r.kind == recAlter:
		b.object.alter(r.attrs)
	case r.object == b.id && r.kind == recClear:
		b.object.clear()
	}
	return nil
}

// begin expects the record at the media mark.
func (b *rebuilding) begin(at Mark, r *record) error {
	switch {
	case r.kind == recDefine && uint64(at.LSN) == b.id:
		b.whole = true
	case r.kind == recImage && r.object == b.id:
	default:
		return fmt.Errorf("%w: neither image nor definition of the object begins here", ErrFormat)
	}
	b.object = newObject(b.id, r.ref, r.attrs, b.media)
	b.object.next = max(1, r.next)
	return nil
}

// fill takes a record of the image. They follow each other without others.
func (b *rebuilding) fill(r *record) error {
	switch {
	case r.kind == recImageEnd && r.begin == b.media.LSN && b.part == nil:
		b.whole = true
		return nil
	case r.kind != recImagePart || r.object != b.id:
		return fmt.Errorf("%w: the image is interrupted", ErrFormat)
	}
	for i := range r.ops {
		p, err := b.join(&r.ops[i])
		if err != nil {
			return err
		}
		if p == nil {
			continue
		}
		p.object = b.id
		if p.unit == 0 {
			if err := b.object.redo(b.media.LSN, p); err != nil {
				return err
			}
			continue
		}
		u := b.work.unit(p.unit, b.media)
		u.ops = append(u.ops, *p)
	}
	return nil
}

// join puts the pieces of a long message together; nil: there are more.
func (b *rebuilding) join(p *op) (*op, error) {
	switch {
	case p.more != (b.part != nil):
		return nil, fmt.Errorf("%w: the image has a message that is not whole", ErrFormat)
	case p.more:
		b.part.message.Body = append(b.part.message.Body, p.message.Body...)
	case p.total > 0:
		b.part = p
	default:
		return p, nil
	}
	part := b.part
	switch have := len(part.message.Body); {
	case have > part.total:
		return nil, fmt.Errorf("%w: a message of the image is too long", ErrFormat)
	case have < part.total:
		return nil, nil
	}
	b.part, part.total = nil, 0
	return part, nil
}
