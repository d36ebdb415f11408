package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/core/wal"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// store is the folder with the files of objects and the control file.
type store struct {
	disk   disk.FS
	folder string
	files  Files
	noSync bool
	// unsynced are folders below the folder with names that are not durable.
	unsynced map[string]bool
}

func newStore(opts Options) store {
	s := store{disk: opts.Disk, folder: opts.Folder, files: opts.Files, noSync: opts.NoSync, unsynced: map[string]bool{}}
	if s.files == nil {
		s.files = ownFiles{}
	}
	return s
}

// path is a file or folder as the disk names it.
func (s *store) path(name string) string { return path.Join(".", s.folder, name) }

// write brings an object's file up to a log position, which is durable. It
// appends a batch, or writes the file anew if that is shorter in the end; then
// the new name is durable with the next syncNames. [errChanged] says that the
// file was not what the object knows of it, and that it was left alone.
func (s *store) write(o *object, upTo wal.LSN) error {
	if err := s.probe(o); err != nil {
		return fmt.Errorf("hardening %s: %w", o.ref, err)
	}
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
	if err := s.put(s.object(ref), b); err != nil {
		return at, err
	}
	return fileState{hardened: p.hardened, size: int64(len(b)), sum: sum, last: int64(len(fileMagic))}, nil
}

// extend appends a batch. What a torn one left behind the end is cut off.
func (s *store) extend(ref Ref, at fileState, p *batch) (fileState, error) {
	b := p.encode(make([]byte, batchHead))
	if len(b) > batchLimit {
		return at, errors.New("the changes of the queue are too long for a file")
	}
	sum := seal(b, at.sum)
	f, err := s.disk.OpenWrite(s.path(s.object(ref)))
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
	return fileState{hardened: p.hardened, size: at.size + int64(len(b)), sum: sum, last: at.size}, nil
}

// put writes a file whole. Its name is durable with the next syncNames.
func (s *store) put(name string, content []byte) error {
	if own := s.own(name); own != "" {
		if err := s.disk.MkdirAll(s.path(own)); err != nil {
			return err
		}
	}
	s.renamed(name)
	if s.noSync {
		return disk.ReplaceNoSync(s.disk, s.path(name), content)
	}
	return disk.ReplaceNoSyncDir(s.disk, s.path(name), content)
}

// renamed remembers that a name in a folder is not durable.
func (s *store) renamed(name string) {
	if folder := path.Dir(name); folder != "." {
		s.unsynced[folder] = true
	}
}

// syncNames makes the names in the folder and below it durable.
func (s *store) syncNames() error {
	if s.noSync {
		return nil
	}
	for _, folder := range slices.Sorted(maps.Keys(s.unsynced)) {
		// A folder that somebody has removed has no names.
		if err := s.disk.SyncDir(s.path(folder)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		delete(s.unsynced, folder)
	}
	return s.disk.SyncDir(s.path("."))
}

// remove takes a file away if it is there.
func (s *store) remove(name string) error {
	err := s.disk.Remove(s.path(name))
	switch {
	case err == nil:
		s.renamed(name)
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	return nil
}

// sweep removes what a crash may leave in the folder of [ownFiles]: files of
// objects that do not exist, and what a suspension wrote beside those of
// others, which is nothing to a queue manager that runs.
func (s *store) sweep(wanted map[string]bool) error {
	names, err := s.disk.List(s.path("."))
	if err != nil {
		return fmt.Errorf("looking for files that are left over: %w", err)
	}
	for _, name := range names {
		if swept(name) || strings.HasSuffix(name, objectSuffix) && !wanted[name] {
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

// clear removes the file of an object that is there no more, with its folder,
// and what lies beside it.
func (s *store) clear(ref Ref) error {
	name := s.object(ref)
	if err := errors.Join(s.tidy(name), s.remove(name)); err != nil {
		return fmt.Errorf("removing the file of %s: %w", ref, err)
	}
	if own := s.own(name); own != "" && s.disk.Remove(s.path(own)) == nil {
		delete(s.unsynced, own)
		s.renamed(own)
	}
	return nil
}

// tidy removes what a crash may leave beside a file.
func (s *store) tidy(name string) error {
	return errors.Join(s.remove(name+disk.NewSuffix), s.remove(name+memorySuffix), s.remove(name+memorySuffix+disk.NewSuffix))
}
