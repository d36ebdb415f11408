package engine

// recoverable tells whether an object can be rebuilt from the log: it is to be,
// and its last image is one that the log was kept for ever since.
func (e *Engine) recoverable(o *object) bool { return !o.spared && e.wanted(o) }

// wanted tells whether an object is to be recoverable. Of a damaged one whose
// attributes nothing tells, only what it was is known.
func (e *Engine) wanted(o *object) bool {
	switch {
	case e.opts.Recoverable == nil || o.damaged && o.was == nil:
		return true
	case o.damaged:
		return e.opts.Recoverable(o.ref, o.was, e.manager())
	}
	return e.opts.Recoverable(o.ref, o.attrs, e.manager())
}

// manager gives the attributes of the object that [Options.Recoverable] goes by;
// nil: there is none, or it is damaged and nothing tells them.
func (e *Engine) manager() map[string]string {
	switch o := e.objects[e.opts.Manager]; {
	case o == nil:
		return nil
	case o.damaged:
		return o.was
	default:
		return o.attrs
	}
}

// spare has the log be kept no longer for what is not to be recoverable.
func (e *Engine) spare() {
	for _, o := range e.objects {
		o.early = false
		if !e.wanted(o) {
			o.spared = true
		}
	}
}

// holds tells whether the log is kept for the last image of an object.
func (e *Engine) holds(o *object) bool { return o.early || e.recoverable(o) }

// ignore forgets the uncommitted work on a damaged object that can't be rebuilt:
// all that is left is to delete it (SEED 7.2.2.5).
func (e *Engine) ignore(o *object) {
	for _, u := range e.units {
		kept := u.ops[:0]
		for _, p := range u.ops {
			if p.object != o.id {
				kept = append(kept, p)
			}
		}
		u.ops = kept
	}
}
