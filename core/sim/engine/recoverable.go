package engine

// recoverable tells whether an object can be rebuilt from the log.
func (e *Engine) recoverable(o *object) bool {
	switch {
	case e.opts.Recoverable == nil:
		return true
	case !o.damaged:
		return e.opts.Recoverable(o.ref, o.attrs)
	case o.was != nil:
		return e.opts.Recoverable(o.ref, o.was)
	}
	return !o.spared // as the last checkpoint knew it
}

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
