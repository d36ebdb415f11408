package os400

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// RestoreReceivers is RSTOBJ OBJTYPE(*JRNRCV): [System.RestoreObjects] of
// receivers alone.
func (s *System) RestoreReceivers(names []string, fromLibrary string, file ID, toLibrary string) (int, error) {
	return s.RestoreObjects(names, ObjectTypes{Receivers: true}, fromLibrary, file, toLibrary)
}

// RestoreObjects is RSTOBJ from a save file, journals first, then receivers,
// the newest first: names, or generic ones. It gives how many were restored.
//
// A journal that was deleted or lost begins a new chain with a new receiver,
// whose restore digit is higher than that of the last one (AMQA000044, then
// AMQA100044); its receivers that are on the system are in its directory
// again. A receiver of which the next is in the directory joins the chain
// there; any other is in a chain of its own until [System.Associate]. A FREED
// one has its storage again and is SAVED, or PARTIAL if it was attached when it
// was saved; a complete copy takes the place of a PARTIAL one. CPF707F: it
// can't be restored to another library. CPF3770: nothing was there to restore. CPF3773: some are on
// the system, those or others of their names; others were restored.
func (s *System) RestoreObjects(names []string, types ObjectTypes, fromLibrary string, file ID, toLibrary string) (int, error) {
	n, err := s.restoreObjects(names, types, fromLibrary, file, toLibrary)
	if err != nil {
		return n, fmt.Errorf("restoring objects of %s from %s: %w", fromLibrary, file, err)
	}
	return n, nil
}

func (s *System) restoreObjects(names []string, types ObjectTypes, from string, file ID, to string) (n int, err error) {
	f, err := s.openSaveFile(file)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	found := f.find(names, types)
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
	var there []string
	for _, i := range found {
		o := f.Objects[i]
		switch err := s.restoreObject(&o, f.section(i), f.index); {
		case errors.Is(err, errThere):
			there = append(there, o.name())
		case err != nil:
			return n, fmt.Errorf("%s: %w", o.name(), err)
		default:
			n++
		}
	}
	if len(there) > 0 {
		return n, Escape("CPF3773", ID{}, Counted(n, "object"), len(there), from, listed(there))
	}
	return n, nil
}

// listed gives names for a message, the first ones of many.
func listed(names []string) string {
	const most = 5
	if rest := len(names) - most; rest > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), rest)
	}
	return strings.Join(names, ", ")
}

func (s *System) restoreObject(o *saved, from *io.SectionReader, x index) error {
	if o.Journal != nil {
		return s.restoreJournal(o)
	}
	return s.restore(*o.Receiver, from, x)
}

// errThere: an object of the name is on the system.
var errThere = errors.New("it is on the system")

// restore brings one receiver back. A complete copy gives a FREED one its data
// again, and takes the place of a PARTIAL one. A partial copy is better than
// nothing, so than FREED alone.
func (s *System) restore(r receiver, from *io.SectionReader, x index) error {
	if err := r.check(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	have, there := s.state().receivers.find(r.ID)
	came := r.restored(x, from.Size())
	if there {
		came.Granted = have.Granted
	}
	if there && (!have.sameAs(&r) || have.Status != Freed && (have.Status != Partial || came.Status == Partial)) {
		return errThere
	}
	if err := s.force(); err != nil {
		return err
	}
	if err := s.bring(r.ID, from); err != nil {
		return err
	}
	return s.update(func(st *state) error {
		if have.Status == Freed && came.Status == Saved {
			have.Status, have.Size = Saved, came.Size
			st.receivers.put(have)
			return nil
		}
		if there {
			st.unlink(&have)
			st.take(r.ID)
		}
		st.receive(came)
		return nil
	})
}

// sameAs tells whether a saved receiver is this one at another time: names
// come again. What was saved before the next one was begun has no end.
func (r *receiver) sameAs(saved *receiver) bool {
	return r.Journal == saved.Journal && r.Start == saved.Start && r.Attach.Equal(saved.Attach) &&
		(r.End == saved.End || r.End == 0 || saved.End == 0)
}

// bring writes a receiver's file, durably. What is there of that name belongs
// to no receiver.
func (s *System) bring(id ID, from io.Reader) error {
	if err := s.writeNew(s.FileOf(id), from); err != nil {
		return err
	}
	return s.opts.Disk.SyncDir(folder(id.Library))
}

// restored gives a receiver as it comes out of a save file. What was granted on
// it is not in there: who is not its owner has to be granted it anew.
func (r receiver) restored(x index, size int64) receiver {
	r.Save, r.Size, r.Previous, r.Associated, r.Granted = x.Time, size, ID{}, false, ""
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
	attached := st.receivers.of(j.Attached)
	if !ok || j.Remote || !r.mayPrecede(&attached) {
		r.Number = Number{}
		st.receivers.put(r)
		return
	}
	st.insert(&j, r)
	st.join(&j, r.ID)
	st.renumber(&j)
	st.journals[j.ID] = j
}

// mayPrecede tells whether a receiver can be older than the attached one of
// its journal. One without entries begins where its follower does.
func (r *receiver) mayPrecede(attached *receiver) bool {
	return attached.Start == 0 || r.Start < attached.Start ||
		r.Start == attached.Start && r.End <= attached.Start && !r.Attach.After(attached.Attach)
}
