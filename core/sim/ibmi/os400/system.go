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

// System is an IBM i system. Its methods may be called from any goroutine.
//
// Those that only look take no lock that a change holds. Writers and exit
// programs are called without any lock of the system.
type System struct {
	opts   Options
	asp    *asp
	queues *queues

	current  atomic.Pointer[state]
	security atomic.Pointer[security]

	mu   sync.Mutex // held by one change at a time
	kept *stateDisk
	logs map[ID]*Log
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
	st := &state{Settings: set, Libraries: []string{"QGPL", "QSYS"}, journals: map[ID]journal{}, locks: map[ID][]string{}}
	s := newSystem(opts, st)
	for _, library := range st.Libraries {
		if err := s.makeFolder(library); err != nil {
			return nil, err
		}
	}
	if err := s.queues.create(operator); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err // it exists when an earlier Create did not get to its end
	}
	var err error
	if s.kept, err = createState(s.reserve(), st); err != nil {
		return nil, err
	}
	return s, s.Force()
}

// Open opens a system and only reads. A disk without one is an error that
// wraps fs.ErrNotExist.
func Open(opts Options) (*System, error) {
	st, kept, err := readState(opts.Disk)
	if err != nil {
		return nil, fmt.Errorf("opening a system: %w", err)
	}
	sec, err := openSecurity(opts.Disk)
	if err != nil {
		return nil, fmt.Errorf("opening a system: %w", err)
	}
	s := newSystem(opts, st)
	s.kept, kept.disk = kept, s.reserve()
	s.security.Store(sec)
	return s, nil
}

func newSystem(opts Options, st *state) *System {
	if opts.NoSync {
		opts.Disk = disk.NoSync(opts.Disk)
	}
	s := &System{opts: opts, asp: newASP(opts.Disk, st.Settings.Capacity), logs: map[ID]*Log{}}
	s.queues = newQueues(s.reserve())
	s.current.Store(st)
	s.security.Store(noSecurity())
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
	if err := s.force(); err != nil {
		return err
	}
	before := s.state()
	next, err := s.next(do)
	if err != nil {
		return err
	}
	if err := s.kept.write(); err != nil {
		s.kept.retract(before)
		return err
	}
	s.current.Store(next)
	return s.reclaim()
}

// updateLater is update without the disk: the change is durable, and files
// that nobody has any more go, with the next force or the next update. A crash
// before that undoes it, and what was changed after it too.
func (s *System) updateLater(do func(*state) error) error {
	next, err := s.next(do)
	if err != nil {
		return err
	}
	s.current.Store(next)
	return nil
}

// next gives the state that follows, and tells it to the disk.
func (s *System) next(do func(*state) error) (*state, error) {
	next := s.state().clone()
	if err := do(next); err != nil {
		return nil, err
	}
	return next, s.kept.tell(next)
}

// Force makes durable what was changed without waiting for the disk
// ([System.DeleteReceiverLater]), and gives the storage free that it takes no
// more. After an error it may be tried again.
func (s *System) Force() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.force(); err != nil {
		return fmt.Errorf("making the changes of system %s durable: %w", s.Settings().Name, err)
	}
	return nil
}

// force is Force for who has the lock. Files go only when it is durable that
// they may: a crash brings no receiver back without its entries.
func (s *System) force() error {
	if err := s.kept.write(); err != nil {
		return err
	}
	return s.reclaim()
}

// reclaim removes files that no object has any more, durably. The list on the
// disk is shorter with the next change: until then they may be removed again.
func (s *System) reclaim() error {
	st := s.state()
	if len(st.Reclaim) == 0 {
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
		if err := s.opts.Disk.SyncDir(folder); err != nil {
			return fmt.Errorf("freeing storage: %w", err)
		}
	}
	next := *st
	next.Reclaim = nil
	s.current.Store(&next)
	return nil
}

// appended gives a longer copy of a list.
func appended[T any](list []T, more ...T) []T { return append(slices.Clone(list), more...) }

// without gives a copy of a list that lacks a value.
func without[T comparable](list []T, value T) []T {
	return slices.DeleteFunc(slices.Clone(list), func(v T) bool { return v == value })
}
