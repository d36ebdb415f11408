package os400

import (
	"cmp"
	"errors"
	"fmt"
	"io"

	"github.com/mqhk/mqhk/core/wal"
)

func comparePositions(a, b wal.LSN) int { return cmp.Compare(a, b) }

// RestoreReceivers is RSTOBJ OBJTYPE(*JRNRCV) from a save file, the newest
// first: names, or generic ones. It gives how many were restored.
//
// One of which the next is in the directory joins the chain there; any other
// is in a chain of its own until [System.Associate]. A FREED one has its
// storage again and is SAVED. CPF707F: a receiver can't be restored to another
// library. CPF3770: nothing was there to restore. CPF3773: some are on the
// system, others were restored.
func (s *System) RestoreReceivers(names []string, fromLibrary string, file ID, toLibrary string) (int, error) {
	n, err := s.restoreReceivers(names, fromLibrary, file, toLibrary)
	if err != nil {
		return n, fmt.Errorf("restoring receivers of %s from %s: %w", fromLibrary, file, err)
	}
	return n, nil
}

func (s *System) restoreReceivers(names []string, from string, file ID, to string) (n int, err error) {
	f, err := s.openSaveFile(file)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	found := f.find(names)
	switch {
	case f.size == 0:
		return 0, Escape("CPF3707", file)
	case len(found) == 0 || f.Library != from:
		return 0, Escape("CPF3770", ID{Name: from})
	case to != "" && to != from:
		return 0, Escape("CPF707F", ID{Name: f.Objects[found[0]].name()}, to, from)
	case !s.HasLibrary(from):
		return 0, Escape("CPF9810", ID{Name: from})
	}
	for _, i := range found {
		o := f.Objects[i]
		switch err := s.restore(*o.Receiver, f.section(i), f.index); {
		case errors.Is(err, errThere):
		case err != nil:
			return n, fmt.Errorf("receiver %s: %w", o.name(), err)
		default:
			n++
		}
	}
	if n < len(found) {
		return n, Escape("CPF3773", ID{}, n, len(found)-n, from)
	}
	return n, nil
}

// errThere: a receiver of the name is on the system.
var errThere = errors.New("it is on the system")

// restore brings one receiver back.
func (s *System) restore(r receiver, from *io.SectionReader, x index) error {
	if err := r.check(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if have, there := s.state().receivers[r.ID]; there && have.Status != Freed {
		return errThere
	}
	if err := s.reclaim(); err != nil {
		return err
	}
	if err := s.bring(r.ID, from); err != nil {
		return err
	}
	return s.update(func(st *state) error {
		if have, there := st.receivers[r.ID]; there {
			have.Status, have.Size = Saved, from.Size()
			st.receivers[r.ID] = have
			return nil
		}
		st.receive(r.restored(x, from.Size()))
		return nil
	})
}

// bring writes a receiver's file, durably. What is there of that name belongs
// to no receiver.
func (s *System) bring(id ID, from io.Reader) error {
	name := s.FileOf(id)
	if err := s.removeFile(name); err != nil {
		return err
	}
	f, err := s.Disk().Create(name)
	if err != nil {
		return err
	}
	err = copyTo(f, 0, from)
	if err == nil {
		err = s.syncFile(f)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, s.removeFile(name))
	}
	return s.syncFolder(folder(id.Library))
}

// restored gives a receiver as it comes out of a save file.
func (r receiver) restored(x index, size int64) receiver {
	r.Save, r.Size, r.Previous, r.Associated = x.Time, size, ID{}, false
	if r.Status == Attached || r.Status == Partial {
		r.Status, r.Counted = Partial, false
	} else {
		r.Status = Saved
	}
	return r
}

// receive puts a restored receiver in the directory of its journal, if that is
// here and may have been its journal.
func (st *state) receive(r receiver) {
	j, ok := st.journals[r.Journal]
	attached := st.receivers[j.Attached]
	if !ok || j.Remote || attached.Start != 0 && r.Start >= attached.Start {
		r.Number = Number{}
		st.receivers[r.ID] = r
		return
	}
	st.insert(&j, r)
	st.join(&j, r.ID)
	st.renumber(&j)
	st.journals[j.ID] = j
}
