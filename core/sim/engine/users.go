package engine

// Users counts the units of work that have not ended and have put on a queue, or
// got from it.
type Users struct{ Putting, Getting int }

// Users gives them by the name of the queue; one that nobody uses is not there.
func (e *Engine) Users() map[string]Users {
	e.mu.Lock()
	defer e.mu.Unlock()
	all := map[string]Users{}
	for _, u := range e.units {
		putting, getting := map[uint64]bool{}, map[uint64]bool{}
		for i := range u.ops {
			if p := &u.ops[i]; p.get {
				getting[p.object] = true
			} else {
				putting[p.object] = true
			}
		}
		for id := range putting {
			e.use(all, id, Users{Putting: 1})
		}
		for id := range getting {
			e.use(all, id, Users{Getting: 1})
		}
	}
	return all
}

func (e *Engine) use(all map[string]Users, id uint64, more Users) {
	if o := e.byID[id]; o != nil {
		was := all[o.ref.Name]
		all[o.ref.Name] = Users{was.Putting + more.Putting, was.Getting + more.Getting}
	}
}
