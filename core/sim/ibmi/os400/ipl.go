package os400

import (
	"context"
	"errors"
	"fmt"
)

// IPL starts the system again. No journal may have a writer (SIM0101). All
// jobs end, with their locks, and every journal with MNGRCV(*SYSTEM) goes on
// in a new receiver with sequence numbers from 1, with MAXOPT3 only if a reset is
// advised (reference, IBM i 1.3). Where
// the name is taken system management ends (CPI70E3).
func (s *System) IPL(ctx context.Context) error {
	if err := s.ipl(ctx); err != nil {
		return fmt.Errorf("IPL of system %s: %w", s.Settings().Name, err)
	}
	return nil
}

func (s *System) ipl(ctx context.Context) error {
	ended, err := s.endAll()
	if err != nil {
		return err
	}
	for _, w := range ended {
		err = errors.Join(err, s.answer(w.Key, cancel))
	}
	for _, j := range sorted(s.state().journals) {
		err = errors.Join(err, ctx.Err(), s.startJournal(j))
	}
	return err
}

// endAll ends all jobs.
func (s *System) endAll() (ended []waiting, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id := range s.logs {
		return nil, Escape("SIM0101", id)
	}
	err = s.update(func(st *state) error {
		ended = st.endJobs(func(string) bool { return true })
		return nil
	})
	return ended, err
}

// startJournal changes the receivers of a journal at an IPL.
func (s *System) startJournal(j journal) error {
	if j.Remote || j.UserManaged || j.Suspended {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	reset := j.SizeOption != "MAXOPT3" || j.Next > j.advisable()
	before, err := s.changeAtRest(j.ID, Change{Receiver: generated, Reset: reset})
	var e *Error
	if errors.As(err, &e) && e.ID == "CPF7010" {
		return s.suspend(j.ID, e.Object)
	}
	if err != nil {
		return err
	}
	return errors.Join(s.detached(j.ID, before), s.advise(j.ID))
}
