package os400

import (
	"errors"
	"fmt"
	"slices"
)

// RestoreJournal is RSTOBJ OBJTYPE(*JRN) after the journal was deleted or
// lost. It begins a new chain with a new receiver, whose restore digit is
// higher than that of the last one (AMQA000044, then AMQA100044). Receivers of
// the journal that are on the system are in its directory again. CPF7010: the
// journal is there.
func (s *System) RestoreJournal(name, fromLibrary string, file ID) error {
	if err := s.restoreJournal(name, fromLibrary, file); err != nil {
		return fmt.Errorf("restoring journal %s/%s from %s: %w", fromLibrary, name, file, err)
	}
	return nil
}

func (s *System) restoreJournal(name, from string, file ID) (err error) {
	f, err := s.openSaveFile(file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	at := slices.IndexFunc(f.Objects, func(o saved) bool { return o.Journal != nil && o.name() == name })
	if at < 0 || f.Library != from {
		return Escape("CPF3770", ID{Name: from})
	}
	o := f.Objects[at]
	return s.change(func(st *state) error {
		j := *o.Journal
		if err := s.place(j.ID); err != nil {
			return err
		}
		if _, there := st.journals[j.ID]; there {
			return Escape("CPF7010", j.ID, "JRN")
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
	r := st.receivers[id]
	r.Number = Number{last.Chain + 1, 1}
	if old, ok := st.begun(&j); ok {
		r.Before, j.Next = old.Before+old.Count, old.Sequence+old.Count
	}
	st.receivers[id] = r
	s.attach(st, &j, id, false)
	st.journals[j.ID] = j
	return nil
}

// raised gives the name of the first receiver behind a restore.
func (st *state) raised(id ID) ID {
	for range 10 {
		id.Name = restoredName(id.Name)
		if _, taken := st.receivers[id]; !taken {
			break
		}
	}
	return id
}

// orphans gives the receivers on the system that a journal had, the oldest
// first.
func (st *state) orphans(journal ID) []ID {
	var all []receiver
	for _, r := range sorted(st.receivers) {
		if r.Journal == journal {
			all = append(all, r)
		}
	}
	slices.SortStableFunc(all, func(a, b receiver) int {
		if a.Start != 0 && b.Start != 0 {
			return comparePositions(a.Start, b.Start)
		}
		return a.Attach.Compare(b.Attach)
	})
	var ids []ID
	for _, r := range all {
		ids = append(ids, r.ID)
	}
	return ids
}
