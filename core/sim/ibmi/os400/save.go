package os400

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"github.com/mqhk/mqhk/core/wal"
)

// SaveReceivers is SAVOBJ OBJTYPE(*JRNRCV): [System.SaveObjects] of receivers
// alone.
func (s *System) SaveReceivers(library string, names []string, file ID, o SaveOptions) (int, error) {
	return s.SaveObjects(library, names, ObjectTypes{Receivers: true}, file, o)
}

// SaveObjects is SAVOBJ to a save file: names, or generic ones with an asterisk
// at the end. It gives how many were saved. Of a journal that is the
// attributes, without its receivers.
//
// A receiver that is detached is SAVED then; with STG(*FREE) it is FREED, and
// its storage goes. The attached one stays ATTACHED: what is saved of it is
// PARTIAL when it is restored. CPA4067: the save file holds data and Clear was
// not said. CPF3770: nothing was there to save. CPF3771: some were not saved,
// because they are damaged or have no storage, or not freed, because a job
// holds a lock; the others were.
func (s *System) SaveObjects(library string, names []string, types ObjectTypes, file ID, o SaveOptions) (int, error) {
	n, err := s.saveObjects(library, names, types, file, o)
	if err != nil {
		return n, fmt.Errorf("saving objects of %s to %s: %w", library, file, err)
	}
	return n, nil
}

func (s *System) saveObjects(library string, names []string, types ObjectTypes, file ID, o SaveOptions) (int, error) {
	if err := s.vacant(file, o.Clear); err != nil {
		return 0, err
	}
	c := &copier{sys: s, index: index{Library: library, Time: s.second()}}
	defer c.close()
	c.gather(s.state(), names, types)
	if len(c.index.Objects) == 0 {
		return 0, Escape("CPF3770", ID{Name: library})
	}
	if err := c.write(file); err != nil {
		return 0, err
	}
	if err := s.change(func(st *state) error { c.mark(st, o); return nil }); err != nil {
		return 0, err
	}
	if len(c.left) > 0 {
		n := len(c.index.Objects)
		return n, Escape("CPF3771", ID{}, Counted(n, "object"), library, len(c.left), listed(c.left))
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
		return Escape("CPA4067", file)
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

// gather opens what is to be saved. A receiver that was never attached has
// nothing to save, a remote journal is another system's.
func (c *copier) gather(st *state, names []string, types ObjectTypes) {
	wanted := func(id ID) bool {
		return id.Library == c.index.Library && slices.ContainsFunc(names, func(p string) bool { return Generic(p, id.Name) })
	}
	for _, j := range sorted(st.journals) {
		if types.Journals && !j.Remote && wanted(j.ID) {
			last := st.receivers.of(j.Attached).Number
			j.Remotes, j.Directory, j.Pending = nil, nil, pending{}
			c.index.Objects = append(c.index.Objects, saved{Journal: &j, Last: last})
		}
	}
	for r := range st.receivers.all() {
		if types.Receivers && r.Status != Empty && wanted(r.ID) {
			c.add(r)
		}
	}
}

// add opens a receiver to be saved.
func (c *copier) add(r receiver) {
	src, err := c.sys.openReceiver(c.sys.FileOf(r.ID))
	if errors.Is(err, fs.ErrNotExist) && r.Start == 0 && r.Status != Freed {
		src, err = noBytes{}, nil // a second IPL detached it before it was begun
	}
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

// noBytes is a receiver that was never begun: it has no file.
type noBytes struct{}

func (noBytes) ReadAt([]byte, int64) (int, error) { return 0, io.EOF }
func (noBytes) Size() (int64, error)              { return 0, nil }
func (noBytes) Close() error                      { return nil }

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
	journals := len(c.index.Objects) - len(c.sources) // they come first, and have no bytes
	for i := 0; i < len(c.sources) && err == nil; i++ {
		size := c.index.Objects[journals+i].Size
		err = copyTo(f, at, io.NewSectionReader(c.sources[i], 0, size))
		at += size
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, s.removeFile(name+".new"))
	}
	if err := s.reserve().Rename(name+".new", name); err != nil {
		return err
	}
	return s.opts.Disk.SyncDir(folder(file.Library))
}

// mark notes what was saved.
func (c *copier) mark(st *state, o SaveOptions) {
	for _, object := range c.index.Objects {
		if object.Receiver == nil {
			continue
		}
		r, ok := st.receivers.find(object.Receiver.ID)
		if !ok || r.Start != object.Receiver.Start || !r.Attach.Equal(object.Receiver.Attach) {
			continue // it went meanwhile
		}
		detached := object.Receiver.Status == Online || object.Receiver.Status == Saved
		free := o.Free && detached && len(st.locks[r.ID]) == 0
		if o.Free && detached && !free {
			c.left = append(c.left, r.Name)
		}
		if o.NoHistory && !free {
			continue
		}
		r.Save = c.index.Time
		if detached {
			r.Status = Saved
		}
		if free {
			r.Status, r.Size = Freed, 0
			st.Reclaim = append(st.Reclaim, c.sys.FileOf(r.ID))
		}
		st.receivers.put(r)
	}
}
