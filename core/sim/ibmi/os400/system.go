package os400

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mqhk/mqhk/core/wal/disk"
)

// stateName is the file that holds what the system knows.
const stateName = "system.json"

// System is an IBM i system. Its methods may be called from any goroutine.
//
// Those that only look take no lock that a change holds. Writers and exit
// programs are called without any lock of the system.
type System struct {
	opts   Options
	asp    *asp
	queues *queues

	current atomic.Pointer[state]

	mu        sync.Mutex // held by one change at a time
	reclaimed bool       // the files that the last process left are gone
	logs      map[ID]*Log
	texts     texts
}

// Create makes a system: libraries QSYS and QGPL, message queue QSYS/QSYSOPR.
// A disk that has one already is an error that wraps fs.ErrExist.
func Create(opts Options, set Settings) (*System, error) {
	s, err := create(opts, set)
	if err != nil {
		return nil, fmt.Errorf("making system %s: %w", set.Name, err)
	}
	return s, nil
}

func create(opts Options, set Settings) (*System, error) {
	if err := CheckSystemName(set.Name); err != nil {
		return nil, err
	}
	if set.Capacity < 0 {
		return nil, fmt.Errorf("an ASP can't have %d bytes", set.Capacity)
	}
	if _, err := disk.ReadAll(opts.Disk, stateName); !errors.Is(err, fs.ErrNotExist) {
		if err == nil {
			err = fmt.Errorf("there is one already: %w", fs.ErrExist)
		}
		return nil, err
	}
	s := newSystem(opts, &state{
		Settings: set, journals: map[ID]journal{}, receivers: map[ID]receiver{}, locks: map[ID][]string{},
	})
	for _, library := range []string{"QSYS", "QGPL"} {
		if err := s.makeFolder(library); err != nil {
			return nil, err
		}
	}
	if err := s.queues.create(operator); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err // it exists when an earlier Create did not get to its end
	}
	err := s.update(func(st *state) error {
		st.Libraries = []string{"QGPL", "QSYS"}
		return nil
	})
	return s, err
}

// Open opens a system and only reads. A disk without one is an error that
// wraps fs.ErrNotExist.
func Open(opts Options) (*System, error) {
	content, err := disk.ReadAll(opts.Disk, stateName)
	if err != nil {
		return nil, fmt.Errorf("opening a system: %w", err)
	}
	st, err := decode(content)
	if err != nil {
		return nil, fmt.Errorf("opening a system: reading %s: %w", stateName, err)
	}
	return newSystem(opts, st), nil
}

func newSystem(opts Options, st *state) *System {
	s := &System{opts: opts, asp: newASP(opts.Disk, st.Settings.Capacity), logs: map[ID]*Log{}, texts: texts{}}
	s.queues = newQueues(s.reserve(), opts.NoSync)
	s.current.Store(st)
	for _, library := range st.Libraries {
		s.asp.know(folder(library))
	}
	return s
}

func (s *System) state() *state { return s.current.Load() }

// reserve is the disk for the system's own files.
func (s *System) reserve() disk.FS { return aspDisk{s.asp, true} }

// Disk gives the disk with the limit of the ASP: a write that needs more than
// is free is an error that wraps syscall.ENOSPC, and writes nothing.
func (s *System) Disk() disk.FS { return aspDisk{s.asp, false} }

// Settings gives what the system was made with. The capacity is that of now.
func (s *System) Settings() Settings { return s.state().Settings }

// Now gives the system's time, in its zone. It may go back.
func (s *System) Now() time.Time { return s.opts.Now() }

// second gives the time as the directory keeps it.
func (s *System) second() time.Time { return s.Now().Truncate(time.Second) }

// Storage gives the size of the system ASP, and what its files take. Without
// a limit Total and Free are zero.
func (s *System) Storage() Storage { return s.asp.storage() }

// SetCapacity gives the ASP another size in bytes, smaller than what is used
// too; zero takes the limit away. A full ASP is made with it.
func (s *System) SetCapacity(bytes int64) error {
	if bytes < 0 {
		return fmt.Errorf("an ASP can't have %d bytes", bytes)
	}
	err := s.change(func(st *state) error {
		st.Settings.Capacity = bytes
		return nil
	})
	if err != nil {
		return fmt.Errorf("setting the capacity of the ASP: %w", err)
	}
	s.asp.limit(bytes)
	return nil
}

// change is update for who does not have the lock.
func (s *System) change(do func(*state) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.update(do)
}

// update replaces the state, durably. An error of do, or of the disk, leaves
// it as it was. The caller holds the lock.
func (s *System) update(do func(*state) error) error {
	if err := s.reclaim(); err != nil {
		return err
	}
	next := s.state().clone()
	if err := do(next); err != nil {
		return err
	}
	content, err := next.encode(s.texts)
	if err != nil {
		return err
	}
	if err := s.replace(s.reserve(), stateName, content); err != nil {
		return err
	}
	s.current.Store(next)
	s.reclaimed = len(next.Reclaim) == 0
	return s.reclaim()
}

// reclaim removes files that no object has any more, durably. The list on the
// disk is shorter with the next change: until then they may be removed again.
func (s *System) reclaim() error {
	st := s.state()
	if s.reclaimed || len(st.Reclaim) == 0 {
		s.reclaimed = true
		return nil
	}
	folders := map[string]bool{}
	for _, name := range st.Reclaim {
		if err := s.reserve().Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("freeing the storage of %s: %w", name, err)
		}
		folders[path.Dir(name)] = true
	}
	for folder := range folders {
		if err := s.syncFolder(folder); err != nil {
			return fmt.Errorf("freeing storage: %w", err)
		}
	}
	next := *st
	next.Reclaim = nil
	s.current.Store(&next)
	s.reclaimed = true
	return nil
}

// replace gives a file a new content, durably and as a whole.
func (s *System) replace(d disk.FS, name string, content []byte) error {
	if s.opts.NoSync {
		return disk.ReplaceNoSync(d, name, content)
	}
	return disk.Replace(d, name, content)
}

func (s *System) syncFolder(name string) error {
	if s.opts.NoSync {
		return nil
	}
	return s.opts.Disk.SyncDir(name)
}

func (s *System) syncFile(f disk.File) error {
	if s.opts.NoSync {
		return nil
	}
	return f.Sync()
}

// appended gives a longer copy of a list.
func appended[T any](list []T, more ...T) []T { return append(slices.Clone(list), more...) }

// without gives a copy of a list that lacks a value.
func without[T comparable](list []T, value T) []T {
	return slices.DeleteFunc(slices.Clone(list), func(v T) bool { return v == value })
}
