package os400

import (
	"fmt"
	"slices"
)

// behind tells whether a remote journal lacks entries of a receiver that ends
// with the journal's entry of that number.
func behind(j *journal, end uint64) bool {
	return slices.ContainsFunc(j.Remotes, func(r remote) bool { return r.lacks(end) })
}

func (r *remote) lacks(end uint64) bool { return !r.Following && r.Has < end }

// AddRemote makes a local journal be sent to a remote one, beginning with the
// next entry. If the remote's library is one of this system, the remote
// journal is known here too. CPF2112: it is there already.
func (s *System) AddRemote(id ID, r Remote) error {
	err := s.editRemotes(id, func(st *state, j *journal, total uint64) error {
		if _, there := st.journals[r.ID]; there || j.remote(r.ID) >= 0 {
			return Escape("CPF2112", r.ID, "JRN")
		}
		if err := r.check(); err != nil {
			return err
		}
		added := remote{Remote: r}
		added.set(r.Active, r.Behind, total)
		j.Remotes = appended(j.Remotes, added)
		if s.HasLibrary(r.Library) {
			st.journals[r.ID] = journal{JournalSpec: JournalSpec{ID: r.ID}, Remote: true}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("adding remote journal %s: %w", r.ID, err)
	}
	return nil
}

// SetRemote says how a remote journal does: whether it is active, and how many
// of the newest entries it has not received. An active one that lacks none
// receives each new one.
func (s *System) SetRemote(id ID, name ID, active bool, behind uint64) error {
	err := s.editRemotes(id, func(_ *state, j *journal, total uint64) error {
		at := j.remote(name)
		if at < 0 {
			return missing(name, "JRN")
		}
		j.Remotes = slices.Clone(j.Remotes)
		j.Remotes[at].set(active, behind, total)
		return nil
	})
	if err != nil {
		return fmt.Errorf("changing remote journal %s: %w", name, err)
	}
	return nil
}

// RemoveRemote ends the sending to a remote journal.
func (s *System) RemoveRemote(id, name ID) error {
	err := s.editRemotes(id, func(st *state, j *journal, _ uint64) error {
		at := j.remote(name)
		if at < 0 {
			return missing(name, "JRN")
		}
		j.Remotes = slices.Delete(slices.Clone(j.Remotes), at, at+1)
		if st.journals[name].Remote {
			delete(st.journals, name)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("removing remote journal %s: %w", name, err)
	}
	return nil
}

// editRemotes changes the remotes of a local journal. The change is told how
// many entries the journal had so far.
func (s *System) editRemotes(id ID, do func(st *state, j *journal, total uint64) error) error {
	now := s.written()
	return s.change(func(st *state) error {
		j, ok := st.journals[id]
		if !ok || j.Remote {
			return missing(id, "JRN")
		}
		if err := do(st, &j, s.total(st, &j, now)); err != nil {
			return err
		}
		st.journals[id] = j
		return nil
	})
}

func (j *journal) remote(name ID) int {
	return slices.IndexFunc(j.Remotes, func(r remote) bool { return r.ID == name })
}

func (r *remote) set(active bool, behind, total uint64) {
	r.Active, r.Following = active, active && behind == 0
	r.Has = total - min(behind, total)
}

// show gives the remotes as they are seen.
func (j *journal) show(total uint64) []Remote {
	var all []Remote
	for _, r := range j.Remotes {
		r.Behind = 0
		if r.lacks(total) {
			r.Behind = total - r.Has
		}
		all = append(all, r.Remote)
	}
	return all
}

// catchUp lets the active remotes receive what they lack.
func (s *System) catchUp(j journal) error {
	late := func(r remote) bool { return r.Active && !r.Following }
	if !slices.ContainsFunc(j.Remotes, late) {
		return nil
	}
	return s.editRemotes(j.ID, func(_ *state, j *journal, total uint64) error {
		j.Remotes = slices.Clone(j.Remotes)
		for i := range j.Remotes {
			if late(j.Remotes[i]) {
				j.Remotes[i].set(true, 0, total)
			}
		}
		return nil
	})
}
