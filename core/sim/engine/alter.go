package engine

import (
	"context"
	"fmt"
	"maps"
)

// Alter replaces the attributes of an object. Objects that become recoverable
// by them ([Options.Recoverable]) have images before, which are durable when the
// attributes begin to count: the log of their past need not be there any more,
// and from then on a rebuild needs only what is. A damaged one, of which no image
// can be taken, stays what it was.
func (e *Engine) Alter(ctx context.Context, ref Ref, attributes map[string]string) error {
	attrs := maps.Clone(attributes)
	if attrs == nil {
		attrs = map[string]string{}
	}
	if err := e.alter(ctx, ref, attrs); err != nil {
		return fmt.Errorf("altering: %w", err)
	}
	return e.Force(ctx, 0)
}

func (e *Engine) alter(ctx context.Context, ref Ref, attrs map[string]string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := e.running(); err != nil {
		return err
	}
	o, err := e.sound(ref)
	if err != nil {
		return err
	}
	becoming := e.becoming(o, attrs)
	var missing []Ref
	for _, b := range becoming {
		if !b.early {
			missing = append(missing, b.ref)
		}
	}
	if err = e.images(ctx, missing, true); err == nil {
		_, err = e.write(ctx, &record{kind: recAlter, object: o.id, attrs: attrs})
	}
	if err != nil {
		e.spare()
		return err
	}
	o.alter(attrs)
	for _, b := range becoming {
		b.spared, b.early = false, false
	}
	e.spare()
	return nil
}

// Becoming shows the objects that an Alter would make recoverable: each needs an
// image for that.
func (e *Engine) Becoming(ref Ref, attributes map[string]string) []Object {
	e.mu.Lock()
	defer e.mu.Unlock()
	o := e.objects[ref]
	if o == nil || o.damaged {
		return nil
	}
	var all []Object
	for _, b := range e.becoming(o, attributes) {
		all = append(all, e.show(b))
	}
	return all
}

// becoming gives the sound objects that attributes of one of them would make
// recoverable, in their order.
func (e *Engine) becoming(o *object, attrs map[string]string) []*object {
	if e.opts.Recoverable == nil {
		return nil
	}
	affected := []*object{o}
	manager := e.manager()
	if o.ref == e.opts.Manager {
		affected, manager = e.ordered(), attrs
	}
	var all []*object
	for _, b := range affected {
		own := b.attrs
		if b == o {
			own = attrs
		}
		if !b.damaged && !e.recoverable(b) && e.opts.Recoverable(b.ref, own, manager) {
			all = append(all, b)
		}
	}
	return all
}

// ImageAhead records images of objects that are not recoverable and are to
// become so by an [Engine.Alter] that follows: where the log has no room for all
// images at a time, there can be checkpoints between. The log is kept for the
// images until that Alter, any other, [Engine.Forgo] or an end.
func (e *Engine) ImageAhead(ctx context.Context, objects ...Ref) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := e.running(); err != nil {
		return err
	}
	return e.images(ctx, objects, true)
}

// Forgo gives up images that were taken ahead of an Alter that is not to come.
func (e *Engine) Forgo() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.spare()
}
