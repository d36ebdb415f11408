package os400

import "slices"

// restoreJournal makes a journal anew that is not there.
func (s *System) restoreJournal(o *saved) error {
	return s.change(func(st *state) error {
		j := *o.Journal
		if err := s.place(j.ID); err != nil {
			return err
		}
		if _, there := st.journals[j.ID]; there {
			return errThere
		}
		return s.revive(st, j, o.Last)
	})
}

// revive makes a journal of a saved one.
func (s *System) revive(st *state, j journal, last Number) error {
	id := st.raised(j.Attached)
	if err := s.makeReceiver(st, receiver{ID: id, Threshold: j.Threshold}); err != nil {
		return err
	}
	j.Attached, j.Directory, j.Restored = ID{}, st.orphans(j.ID), true
	r := st.receivers.of(id)
	r.Number = Number{last.Chain + 1, 1}
	if old, ok := st.begun(&j); ok {
		r.Before, j.Next = old.Before+old.Count, old.Sequence+old.Count
	}
	st.receivers.put(r)
	s.attach(st, &j, id, false)
	st.journals[j.ID] = j
	return nil
}

// raised gives the name of the first receiver behind a restore.
func (st *state) raised(id ID) ID {
	for range 10 {
		id.Name = restoredName(id.Name)
		if _, taken := st.receivers.find(id); !taken {
			break
		}
	}
	return id
}

// orphans gives the receivers on the system that a journal had, the oldest
// first.
func (st *state) orphans(journal ID) []ID {
	var begun, others []receiver
	for r := range st.receivers.all() {
		switch {
		case r.Journal != journal:
		case r.Start != 0:
			begun = append(begun, r)
		default:
			others = append(others, r)
		}
	}
	slices.SortStableFunc(begun, func(a, b receiver) int { return byAge(&a, &b) })
	slices.SortStableFunc(others, func(a, b receiver) int { return byAge(&a, &b) })
	var ids []ID
	for _, r := range begun {
		ids = append(ids, r.ID)
	}
	for _, r := range others {
		ids = slices.Insert(ids, st.slot(ids, &r), r.ID)
	}
	return ids
}
