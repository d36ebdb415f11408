package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/mqhk/mqhk/core/wal"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// store is the folder with the files of objects and the control file.
type store struct {
	disk   disk.FS
	folder string
	noSync bool
}

func (s *store) path(name string) string {
	if s.folder == "" {
		return name
	}
	return s.folder + "/" + name
}

// dir is the folder as the disk names it.
func (s *store) dir() string {
	if s.folder == "" {
		return "."
	}
	return s.folder
}

// write brings an object's file up to a log position, which is durable. It
// appends a batch, or writes the file anew if that is shorter in the end; then
// the new name is durable with the next syncNames.
func (s *store) write(o *object, upTo wal.LSN) error {
	p := batch{hardened: upTo, id: o.id, next: o.next}
	var live int64
	for m := range o.committed {
		live += int64(len(m.Body)) + 16
		if !m.inFile {
			p.coming = append(p.coming, m.Message)
		}
	}
	anew := o.file.hardened == 0 || o.doubtful || o.file.size > smallFile && o.file.size > 2*live
	if anew {
		p.coming = nil
		for m := range o.committed {
			p.coming = append(p.coming, m.Message)
		}
	} else {
		p.leaving = o.leaving
	}
	if p.defines = anew || o.redefined; p.defines {
		p.ref, p.attrs = o.ref, o.attrs
	}
	var err error
	if anew {
		o.file, err = s.replace(o.ref, o.file, &p)
	} else {
		o.file, err = s.extend(o.ref, o.file, &p)
	}
	if err != nil {
		return fmt.Errorf("hardening %s: %w", o.ref, err)
	}
	for m := range o.committed {
		m.inFile = true
	}
	o.leaving, o.changed, o.redefined, o.doubtful = nil, false, false, false
	return nil
}

// replace writes a file of one batch in the place of the old one.
func (s *store) replace(ref Ref, at fileState, p *batch) (fileState, error) {
	b := p.encode(append([]byte(fileMagic), make([]byte, batchHead)...))
	if len(b) > batchLimit {
		return at, errors.New("the queue is too long for a file")
	}
	sum := seal(b[len(fileMagic):], 0)
	if err := s.put(ref.fileName(), b); err != nil {
		return at, err
	}
	return fileState{hardened: p.hardened, size: int64(len(b)), sum: sum}, nil
}

// extend appends a batch. What a torn one left behind the end is cut off.
func (s *store) extend(ref Ref, at fileState, p *batch) (fileState, error) {
	b := p.encode(make([]byte, batchHead))
	if len(b) > batchLimit {
		return at, errors.New("the changes of the queue are too long for a file")
	}
	sum := seal(b, at.sum)
	f, err := s.disk.OpenWrite(s.path(ref.fileName()))
	if err != nil {
		return at, err
	}
	err = f.Truncate(at.size)
	if err == nil {
		_, err = f.WriteAt(b, at.size)
	}
	if err == nil && !s.noSync {
		err = f.Sync()
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return at, err
	}
	return fileState{hardened: p.hardened, size: at.size + int64(len(b)), sum: sum}, nil
}

// put writes a whole file under a name, all or nothing. The name is durable
// with the next syncNames.
func (s *store) put(name string, content []byte) error {
	if s.noSync {
		return disk.ReplaceNoSync(s.disk, s.path(name), content)
	}
	return disk.ReplaceNoSyncDir(s.disk, s.path(name), content)
}

// syncNames makes the names in the folder durable.
func (s *store) syncNames() error {
	if s.noSync {
		return nil
	}
	return s.disk.SyncDir(s.dir())
}

// remove takes a file away if it is there.
func (s *store) remove(name string) error {
	if err := s.disk.Remove(s.path(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// sweep removes what a crash may leave: files of objects that do not exist,
// and what a suspension wrote beside those of others, which is nothing to a
// queue manager that runs.
func (s *store) sweep(wanted map[string]bool) error {
	names, err := s.disk.List(s.dir())
	if err != nil {
		return fmt.Errorf("looking for files that are left over: %w", err)
	}
	for _, name := range names {
		if swept(name) || strings.HasSuffix(name, ".obj") && !wanted[name] {
			if err := s.remove(name); err != nil {
				return fmt.Errorf("removing file %s: %w", name, err)
			}
		}
	}
	return nil
}

func swept(name string) bool {
	return strings.HasSuffix(name, disk.NewSuffix) || strings.HasSuffix(name, memorySuffix)
}
