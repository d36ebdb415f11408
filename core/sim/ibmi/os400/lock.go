package os400

import (
	"fmt"
	"slices"
	"strings"
)

// Lock makes a job hold a lock on a receiver, as one that reads it does.
func (s *System) Lock(id ID, job string) error {
	err := s.change(func(st *state) error {
		if _, ok := st.receivers.find(id); !ok {
			return missing(id, "JRNRCV")
		}
		st.lock(id, job)
		return nil
	})
	if err != nil {
		return fmt.Errorf("locking receiver %s: %w", id, err)
	}
	return nil
}

// Unlock takes a job's lock away. A job that holds none is no error.
func (s *System) Unlock(id ID, job string) error {
	err := s.change(func(st *state) error {
		if _, ok := st.receivers.find(id); !ok {
			return missing(id, "JRNRCV")
		}
		st.unlock(id, func(holder string) bool { return holder == job })
		return nil
	})
	if err != nil {
		return fmt.Errorf("unlocking receiver %s: %w", id, err)
	}
	return nil
}

func (st *state) lock(id ID, job string) {
	if !slices.Contains(st.locks[id], job) {
		st.locks[id] = appended(st.locks[id], job)
	}
}

// unlock takes the locks of some jobs on a receiver away.
func (st *state) unlock(id ID, which func(job string) bool) {
	left := slices.DeleteFunc(slices.Clone(st.locks[id]), which)
	if len(left) == 0 {
		delete(st.locks, id)
		return
	}
	st.locks[id] = left
}

// allocate says why a job can't have a receiver for itself: others hold locks
// on it.
func (st *state) allocate(id ID, job string) error {
	if holders := without(st.locks[id], job); len(holders) > 0 {
		return Escape("CPF9803", id, "held by "+strings.Join(holders, ", "))
	}
	return nil
}
