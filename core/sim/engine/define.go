package engine

import (
	"context"
	"fmt"
	"maps"
)

// Define makes an object. The attributes are the platform's; the engine keeps
// them word for word.
func (e *Engine) Define(ctx context.Context, ref Ref, attributes map[string]string) error {
	if err := ref.check(); err != nil {
		return err
	}
	attrs := maps.Clone(attributes)
	if attrs == nil {
		attrs = map[string]string{}
	}
	return e.logged(ctx, func() (*record, error) {
		if e.objects[ref] != nil {
			return nil, fmt.Errorf("defining %s: %w", ref, ErrExists)
		}
		return &record{kind: recDefine, ref: ref, attrs: attrs}, nil
	}, func(at Mark) {
		o := newObject(uint64(at.LSN), ref, attrs, at)
		e.install(o)
		o.spared = !e.wanted(o)
	})
}

// Delete deletes an object, a queue with messages only if it is to be purged.
// A damaged object can be deleted. Uncommitted changes of the queue are
// [ErrInUse], on a damaged one too.
func (e *Engine) Delete(ctx context.Context, ref Ref, purge bool) error {
	var o *object
	return e.logged(ctx, func() (_ *record, err error) {
		if o, err = e.known(ref); err != nil {
			return nil, fmt.Errorf("deleting: %w", err)
		}
		if e.worked(o) {
			return nil, fmt.Errorf("deleting %s: %w", ref, ErrInUse)
		}
		if o.depth > 0 && !purge {
			return nil, fmt.Errorf("deleting %s: %w", ref, ErrNotEmpty)
		}
		return &record{kind: recDelete, object: o.id}, nil
	}, func(Mark) { e.uninstall(o) })
}

// Clear removes every message from a queue.
func (e *Engine) Clear(ctx context.Context, name string) error {
	var o *object
	return e.logged(ctx, func() (_ *record, err error) {
		if o, err = e.sound(Ref{Queue, name}); err != nil {
			return nil, fmt.Errorf("clearing: %w", err)
		}
		if o.uncommitted > 0 {
			return nil, fmt.Errorf("clearing %s: %w", o.ref, ErrInUse)
		}
		return &record{kind: recClear, object: o.id}, nil
	}, func(Mark) {
		o.clear()
		o.changed = true
	})
}

// Object shows an object; a damaged one too.
func (e *Engine) Object(ref Ref) (Object, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	o, err := e.known(ref)
	if err != nil {
		return Object{}, err
	}
	return e.show(o), nil
}

// Objects shows all objects in the order in which they were defined.
func (e *Engine) Objects() []Object {
	e.mu.Lock()
	defer e.mu.Unlock()
	var all []Object
	for _, o := range e.ordered() {
		all = append(all, e.show(o))
	}
	return all
}

func (e *Engine) install(o *object) {
	e.objects[o.ref], e.byID[o.id] = o, o
}

func (e *Engine) uninstall(o *object) {
	delete(e.objects, o.ref)
	delete(e.byID, o.id)
	e.left = append(e.left, o.ref)
}

func (o *object) alter(attrs map[string]string) {
	o.attrs, o.rules, o.redefined, o.changed = attrs, nil, true, true
}

// known gives an object by its name.
func (e *Engine) known(ref Ref) (*object, error) {
	o := e.objects[ref]
	if o == nil {
		return nil, fmt.Errorf("%s: %w", ref, ErrNoObject)
	}
	return o, nil
}

// sound gives an object that is not damaged.
func (e *Engine) sound(ref Ref) (*object, error) {
	o, err := e.known(ref)
	if err == nil {
		err = o.usable()
	}
	return o, err
}

// worked tells whether a unit of work that has not ended has changes on an
// object. A damaged object does not know it itself.
func (e *Engine) worked(o *object) bool {
	for _, u := range e.units {
		for i := range u.ops {
			if u.ops[i].object == o.id {
				return true
			}
		}
	}
	return false
}
