package os400

import (
	"fmt"
	"slices"
)

// CreateJournal is CRTJRNRCV of the first receiver and CRTJRN with it. CPF7010:
// one of the two is there already.
func (s *System) CreateJournal(spec JournalSpec) error {
	err := s.change(func(st *state) error {
		if err := s.place(spec.ID); err != nil {
			return err
		}
		if err := spec.checkOptions(); err != nil {
			return err
		}
		if _, there := st.journals[spec.ID]; there {
			return Escape("CPF7010", spec.ID, "JRN")
		}
		if err := s.makeReceiver(st, receiver{ID: spec.First, Threshold: spec.Threshold}); err != nil {
			return err
		}
		j := journal{JournalSpec: spec, Next: 1}
		s.attach(st, &j, spec.First, false)
		st.journals[spec.ID] = j
		return nil
	})
	if err != nil {
		return fmt.Errorf("creating journal %s: %w", spec.ID, err)
	}
	return nil
}

// checkOptions says which attributes can't be together.
func (spec *JournalSpec) checkOptions() error {
	if !slices.Contains([]string{"", "MAXOPT1", "MAXOPT2", "MAXOPT3"}, spec.SizeOption) {
		return fmt.Errorf("receiver size option %q is not known", spec.SizeOption)
	}
	if spec.UserManaged && spec.DeleteReceivers {
		return Escape("CPF70E3", spec.ID, "DLTRCV(*YES) needs MNGRCV(*SYSTEM)")
	}
	return nil
}

// DeleteJournal is DLTJRN. Its receivers stay and are in no directory. SIM0101:
// it is being written.
func (s *System) DeleteJournal(id ID) error {
	err := s.change(func(st *state) error {
		j, ok := st.journals[id]
		switch {
		case !ok:
			return missing(id, "JRN")
		case s.logs[id] != nil:
			return Escape("SIM0101", id)
		}
		if err := s.settle(st, &j); err != nil {
			return err
		}
		s.drop(st, &j)
		s.tally(st, &j)
		for _, member := range j.Directory {
			r := st.receivers.of(member)
			if r.Status == Attached {
				s.detach(&r)
			}
			st.receivers.put(r)
		}
		delete(st.journals, id)
		return nil
	})
	if err != nil {
		return fmt.Errorf("deleting journal %s: %w", id, err)
	}
	return nil
}

// Journal gives a journal and its attributes. CPF9801: it is not there.
func (s *System) Journal(id ID) (Journal, error) {
	now := s.written()
	st := s.state()
	j, ok := st.journals[id]
	if !ok {
		return Journal{}, missing(id, "JRN")
	}
	return s.show(st, j, now), nil
}

// Journals gives those in a library, of all with "", in the order of their
// names.
func (s *System) Journals(library string) []Journal {
	now := s.written()
	st := s.state()
	var all []Journal
	for _, j := range sorted(st.journals) {
		if library == "" || j.Library == library {
			all = append(all, s.show(st, j, now))
		}
	}
	return all
}

func (s *System) show(st *state, j journal, now live) Journal {
	shown := Journal{
		JournalSpec: j.JournalSpec, Remote: j.Remote, Attached: j.Attached, Suspended: j.Suspended, NextSequence: j.Next,
	}
	if len(j.Remotes) > 0 {
		shown.Remotes = j.show(s.total(st, &j, now))
	}
	return shown
}
