package os400

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/core/wal"
)

// SaveReceivers is SAVOBJ OBJTYPE(*JRNRCV) to a save file: names, or generic
// ones with an asterisk at the end. It gives how many were saved.
//
// A receiver that is detached is SAVED then; with STG(*FREE) it is FREED, and
// its storage goes. The attached one stays ATTACHED: what is saved of it is
// PARTIAL when it is restored. CPF3782: the save file holds data and Clear was
// not said. CPF3770: nothing was there to save. CPF3778: some were not saved,
// because they are damaged or have no storage, or not freed, because a job
// holds a lock; the others were.
func (s *System) SaveReceivers(library string, names []string, file ID, o SaveOptions) (int, error) {
	n, err := s.saveReceivers(library, names, file, o)
	if err != nil {
		return n, fmt.Errorf("saving receivers of %s to %s: %w", library, file, err)
	}
	return n, nil
}

func (s *System) saveReceivers(library string, names []string, file ID, o SaveOptions) (int, error) {
	if err := s.vacant(file, o.Clear); err != nil {
		return 0, err
	}
	c := &copier{sys: s, index: index{Library: library, Time: s.second()}}
	defer c.close()
	for _, r := range sorted(s.state().receivers) {
		if r.Library == library && r.Status != Empty &&
			slices.ContainsFunc(names, func(p string) bool { return matches(r.Name, p) }) {
			c.add(r)
		}
	}
	if len(c.index.Objects) == 0 {
		return 0, Escape("CPF3770", ID{Name: library})
	}
	if err := c.write(file); err != nil {
		return 0, err
	}
	if err := s.change(func(st *state) error { c.mark(st, o.Free); return nil }); err != nil {
		return 0, err
	}
	if len(c.left) > 0 {
		return len(c.index.Objects), Escape("CPF3778", ID{Name: library}, strings.Join(c.left, ", "))
	}
	return len(c.index.Objects), nil
}

// vacant says why nothing can be saved to a save file.
func (s *System) vacant(file ID, overwrite bool) error {
	f, err := s.openSaveFile(file)
	if errors.Is(err, errNoIndex) && overwrite {
		return nil
	}
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if f.size > 0 && !overwrite {
		return Escape("CPF3782", file)
	}
	return nil
}

// copier is a save under way. Receivers are open from its beginning, so that
// a deletion meanwhile takes nothing from it.
type copier struct {
	sys     *System
	index   index
	sources []wal.Source
	left    []string // what was not saved or not freed
}

// add opens a receiver to be saved.
func (c *copier) add(r receiver) {
	src, err := c.sys.openReceiver(c.sys.FileOf(r.ID))
	var size int64
	if err == nil {
		size, err = src.Size()
	}
	if err != nil {
		c.left = append(c.left, r.Name)
		return
	}
	c.sources = append(c.sources, src)
	c.index.Objects = append(c.index.Objects, saved{Receiver: &r, Size: size})
}

func (c *copier) close() {
	for _, src := range c.sources {
		_ = src.Close() // it was only read
	}
}

// write replaces a save file as a whole, durably.
func (c *copier) write(file ID) error {
	s, name := c.sys, fileOf(file, "SAVF")
	if err := s.removeFile(name + ".new"); err != nil {
		return err
	}
	head, err := c.index.encode()
	if err != nil {
		return err
	}
	f, err := s.Disk().Create(name + ".new")
	if err != nil {
		return err
	}
	_, err = f.WriteAt(head, 0)
	at := int64(len(head))
	for i := 0; i < len(c.sources) && err == nil; i++ {
		size := c.index.Objects[i].Size
		err = copyTo(f, at, io.NewSectionReader(c.sources[i], 0, size))
		at += size
	}
	if err == nil {
		err = s.syncFile(f)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, s.removeFile(name+".new"))
	}
	if err := s.reserve().Rename(name+".new", name); err != nil {
		return err
	}
	return s.syncFolder(folder(file.Library))
}

// mark notes what was saved.
func (c *copier) mark(st *state, free bool) {
	for _, o := range c.index.Objects {
		r, ok := st.receivers[o.Receiver.ID]
		if !ok || r.Start != o.Receiver.Start {
			continue // it went meanwhile
		}
		r.Save = c.index.Time
		if o.Receiver.Status == Online || o.Receiver.Status == Saved {
			r.Status = Saved
			switch {
			case free && len(st.locks[r.ID]) > 0:
				c.left = append(c.left, r.Name)
			case free:
				r.Status, r.Size = Freed, 0
				st.Reclaim = append(st.Reclaim, c.sys.FileOf(r.ID))
			}
		}
		st.receivers[r.ID] = r
	}
}

// SaveJournal is SAVOBJ OBJTYPE(*JRN): the attributes of a journal, without
// its receivers. CPF3782: the save file holds data.
func (s *System) SaveJournal(id ID, file ID) error {
	st := s.state()
	j, ok := st.journals[id]
	err := s.vacant(file, false)
	if !ok || j.Remote {
		err = missing(id, "JRN")
	}
	if err == nil {
		j.Remotes, j.Directory, j.Pending = nil, nil, pending{}
		c := &copier{sys: s, index: index{Library: id.Library, Time: s.second()}}
		c.index.Objects = []saved{{Journal: &j, Last: st.receivers[j.Attached].Number}}
		err = c.write(file)
	}
	if err != nil {
		return fmt.Errorf("saving journal %s to %s: %w", id, file, err)
	}
	return nil
}
