package engine

import (
	"context"
	"errors"
	"fmt"
)

// Image records the media images of objects and moves their media marks. An
// image holds what is committed and also the changes of units of work that
// have not ended, so a rebuild needs nothing of the log that is older. Other
// calls wait meanwhile. After an error the objects before the one it is about
// have their new images.
func (e *Engine) Image(ctx context.Context, objects ...Ref) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := e.running(); err != nil {
		return err
	}
	return e.images(ctx, objects, false)
}

// images does it with the lock held; ahead: of a change that makes the objects
// recoverable.
func (e *Engine) images(ctx context.Context, objects []Ref, ahead bool) error {
	begins := make([]Mark, 0, len(objects))
	var failed error
	for _, ref := range objects {
		begin, err := e.image(ctx, ref)
		if err != nil {
			failed = fmt.Errorf("recording an image: %w", err)
			break
		}
		begins = append(begins, begin)
	}
	if len(begins) == 0 {
		return failed
	}
	if err := e.force(ctx, e.last); err != nil {
		return errors.Join(failed, err)
	}
	for i, begin := range begins {
		o := e.objects[objects[i]]
		o.media, o.early = begin, o.early || ahead
	}
	for _, ref := range objects[:len(begins)] {
		e.owner.Imaged(ref, e.marks())
	}
	return failed
}

// image writes the records of one image and gives where they begin.
func (e *Engine) image(ctx context.Context, ref Ref) (Mark, error) {
	o, err := e.sound(ref)
	if err != nil {
		return Mark{}, err
	}
	begin, err := e.write(ctx, &record{kind: recImage, object: o.id, ref: o.ref, attrs: o.attrs, next: o.next})
	if err != nil {
		return Mark{}, err
	}
	for part := range e.parts(o) {
		if _, err := e.write(ctx, &record{kind: recImagePart, object: o.id, ops: part}); err != nil {
			return Mark{}, err
		}
	}
	_, err = e.write(ctx, &record{kind: recImageEnd, begin: begin.LSN})
	return begin, err
}

// imagePart is how long a piece of an image gets.
func (e *Engine) imagePart() int {
	switch {
	case e.opts.ImagePart > 0:
		return e.opts.ImagePart
	case e.opts.Part > 0:
		return e.opts.Part
	}
	return partBytes
}

// opBytes is what an op takes in an image beside a body, at most.
const opBytes = 40

// parts gives the persistent content of a queue in pieces: first the messages
// whose put is committed, then the changes of units of work in their order.
func (e *Engine) parts(o *object) func(yield func([]op) bool) {
	return func(yield func([]op) bool) {
		var part []op
		size, limit := 0, e.imagePart()
		for p := range e.pieces(o) {
			bytes := len(p.message.Body) + opBytes
			if len(part) > 0 && size+bytes > limit {
				if !yield(part) {
					return
				}
				part, size = nil, 0
			}
			part, size = append(part, p), size+bytes
		}
		if len(part) > 0 {
			yield(part)
		}
	}
}

// pieces gives the ops of an image, where messages are cut, none with a body
// that is longer than a piece.
func (e *Engine) pieces(o *object) func(yield func(op) bool) {
	limit := max(1, e.imagePart()-opBytes)
	return func(yield func(op) bool) {
		for p := range e.content(o) {
			body := p.message.Body
			if e.opts.Part > 0 && len(body) > limit {
				p.total, p.message.Body = len(body), body[:limit]
			}
			if !yield(p) {
				return
			}
			for rest := body[len(p.message.Body):]; len(rest) > 0; {
				n := min(limit, len(rest))
				if !yield(op{object: o.id, more: true, message: Message{Body: rest[:n]}}) {
					return
				}
				rest = rest[n:]
			}
		}
	}
}

// content gives what an image holds.
func (e *Engine) content(o *object) func(yield func(op) bool) {
	return func(yield func(op) bool) {
		for m := range o.committed {
			if !yield(op{object: o.id, message: m.Message}) {
				return
			}
		}
		for p := range e.uncommitted(o) {
			if !yield(p) {
				return
			}
		}
	}
}

// uncommitted gives the changes of persistent messages of a queue by units of
// work that have not ended, with the bodies.
func (e *Engine) uncommitted(o *object) func(yield func(op) bool) {
	return func(yield func(op) bool) {
		for _, u := range e.orderedUnits() {
			for _, p := range u.ops {
				if p.object != o.id {
					continue
				}
				m := o.find(p.message.Sequence)
				if m == nil || !m.Persistent {
					continue
				}
				if !p.get {
					p.message = m.Message
				}
				if !yield(p) {
					return
				}
			}
		}
	}
}
