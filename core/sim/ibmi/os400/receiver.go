package os400

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
)

// maxThreshold is the largest THRESHOLD of a receiver in KB (reference,
// IBM i 1.2).
const maxThreshold = 1_000_000_000

// CreateReceiver is CRTJRNRCV: an empty receiver that is in no directory.
// Threshold is in KB, 1 to 1000000000. CPF7010: there is one already.
func (s *System) CreateReceiver(id ID, threshold int64) error {
	err := s.change(func(st *state) error { return s.makeReceiver(st, receiver{ID: id, Threshold: threshold}) })
	if err != nil {
		return fmt.Errorf("creating receiver %s: %w", id, err)
	}
	return nil
}

// makeReceiver adds an empty receiver to a state. A file of its name is what
// a crash left of another; it goes first.
func (s *System) makeReceiver(st *state, r receiver) error {
	if err := s.place(r.ID); err != nil {
		return err
	}
	if r.Threshold < 1 || r.Threshold > maxThreshold {
		return fmt.Errorf("a threshold of %d KB: it must be 1 to %d", r.Threshold, maxThreshold)
	}
	if _, there := st.receivers.find(r.ID); there {
		return Escape("CPF7010", r.ID, "JRNRCV")
	}
	if err := s.removeFile(s.FileOf(r.ID)); err != nil {
		return err
	}
	r.Status = Empty
	st.receivers.put(r)
	return nil
}

// removeFile removes a file that may not be there, durably.
func (s *System) removeFile(name string) error {
	err := s.reserve().Remove(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return s.opts.Disk.SyncDir(path.Dir(name))
}

// MarkDamaged makes a receiver count as damaged (CPF8136): it can't be read,
// and may be deleted wherever it is in its chain.
func (s *System) MarkDamaged(id ID) error {
	err := s.change(func(st *state) error {
		r, ok := st.receivers.find(id)
		if !ok {
			return missing(id, "JRNRCV")
		}
		r.Damaged = true
		st.receivers.put(r)
		return nil
	})
	if err != nil {
		return fmt.Errorf("damaging receiver %s: %w", id, err)
	}
	return nil
}

// Remove is a fault: a receiver is gone without any rule being asked, as when
// a person's hand took it. CPF7022: the attached one can't go, a journal
// without one is not a state that a system has.
func (s *System) Remove(id ID) error {
	err := s.change(func(st *state) error {
		r, ok := st.receivers.find(id)
		switch {
		case !ok:
			return missing(id, "JRNRCV")
		case r.Status == Attached || st.promised(id):
			return Escape("CPF7022", id)
		}
		st.forget(id)
		st.Jobs = slices.DeleteFunc(st.Jobs, func(w waiting) bool { return w.Receiver == id })
		return nil
	})
	if err != nil {
		return fmt.Errorf("removing receiver %s: %w", id, err)
	}
	return nil
}
