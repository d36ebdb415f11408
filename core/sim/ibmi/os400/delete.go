package os400

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// DeleteReceiver is DLTJRNRCV. What keeps a receiver, in this order
// (reference, IBM i 3.3, 1.8, 1.9):
//
//	CPF2105  it is not there
//	CPF9803  another job holds a lock on it
//	CPF7022  it is attached
//	CPF7021  it is not the first of its chain, and not damaged
//	CPF705E  an active remote journal has not received all of it; in automatic
//	         deletion an inactive one neither
//	CPA705E  so, and the remote journal is inactive: an inquiry
//	CPF7023  an exit program says no
//	CPA7025  it was never saved since it was detached: an inquiry
//
// An inquiry is answered as the job has it (INQMSGRPY). If it is sent to
// QSYS/QSYSOPR, the error is a *[Waiting], the job is in MSGW and holds a lock
// on the receiver until [System.Reply] or [System.EndJob]. CPF7024: the reply
// was C.
func (s *System) DeleteReceiver(ctx context.Context, job Job, id ID, o DeleteOptions) error {
	if err := s.DeleteReceiverLater(ctx, job, id, o); err != nil {
		return err
	}
	return s.Force()
}

// DeleteReceiverLater is DeleteReceiver without waiting for the disk: the
// receiver is gone for everybody on the system, and its file goes, once
// [System.Force] has returned nil or anything else was changed. A crash before
// that may bring it back whole. Of thousands that are deleted one after the
// other only the last has to wait.
func (s *System) DeleteReceiverLater(ctx context.Context, job Job, id ID, o DeleteOptions) error {
	return s.resumeDelete(ctx, job, id, o, nil)
}

// resumeDelete is DeleteReceiverLater for a job of which some inquiries were
// answered with I.
func (s *System) resumeDelete(ctx context.Context, job Job, id ID, o DeleteOptions, answered []string) error {
	if err := s.deleteReceiver(ctx, job, id, o, answered); err != nil {
		return fmt.Errorf("deleting receiver %s: %w", id, err)
	}
	return nil
}

func (s *System) deleteReceiver(ctx context.Context, job Job, id ID, o DeleteOptions, answered []string) error {
	r, err := s.deletable(s.written(), job, id, o)
	if err != nil {
		return err
	}
	q := question{job, id, o, answered}
	if err := s.ask(q, "CPA705E", r.inactive); err != nil {
		return err
	}
	if err := s.permitted(ctx, id, o); err != nil {
		return err
	}
	if err := s.ask(q, "CPA7025", r.unsaved); err != nil {
		return err
	}
	return s.delete(job, id, o)
}

// doomed is what there is to ask about a receiver before it goes.
type doomed struct {
	inactive bool // an inactive remote journal has not received all of it
	unsaved  bool
}

// deletable says what keeps a receiver without a question.
func (s *System) deletable(now live, job Job, id ID, o DeleteOptions) (doomed, error) {
	st := s.state()
	r, ok := st.receivers.find(id)
	if !ok {
		return doomed{}, Escape("CPF2105", id, "JRNRCV")
	}
	if err := st.allocate(id, job.Name); err != nil {
		return doomed{}, err
	}
	j := st.journals[r.Journal]
	if r.Status == Attached || st.promised(id) {
		return doomed{}, Escape("CPF7022", id)
	}
	if !st.first(&j, &r) && !r.Damaged {
		return doomed{}, Escape("CPF7021", id)
	}
	d := doomed{unsaved: r.Status == Online || r.Status == Partial}
	end := r.Before + s.entries(&r, now)
	for _, remote := range j.Remotes {
		switch {
		case o.IgnoreTargets || !remote.lacks(end):
		case remote.Active, job.Name == deleter: // whom nobody can answer
			return d, Escape("CPF705E", id)
		default:
			d.inactive = true
		}
	}
	return d, nil
}

// first tells whether a receiver is the first of its chain. One that is in no
// directory is not in the middle of any.
func (st *state) first(j *journal, r *receiver) bool {
	at := slices.Index(j.Directory, r.ID)
	if at <= 0 {
		return true
	}
	before := st.receivers.of(j.Directory[at-1])
	return !joined(&before, r)
}

// delete makes a receiver go. What was checked without the lock may have
// changed and is checked again, but for the exit programs and what was asked.
func (s *System) delete(job Job, id ID, o DeleteOptions) error {
	now := s.written()
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := s.deletable(now, job, id, o); err != nil {
		return err
	}
	return s.updateLater(func(st *state) error {
		r := st.receivers.of(id)
		st.unlink(&r)
		st.forget(id)
		return nil
	})
}

// unlink takes the links of the neighbours of a receiver away.
func (st *state) unlink(r *receiver) {
	if before, ok := st.receivers.find(r.Previous); ok && before.Next == r.ID {
		before.Next = ID{}
		st.receivers.put(before)
	}
	if after, ok := st.receivers.find(r.Next); ok && after.Previous == r.ID {
		after.Previous = ID{}
		st.receivers.put(after)
	}
}

// permitted asks the exit programs. They are called without any lock, and may
// ask the system.
func (s *System) permitted(ctx context.Context, id ID, o DeleteOptions) error {
	if o.IgnoreExits {
		return nil
	}
	r, err := s.Receiver(id)
	if err != nil {
		return err
	}
	for _, name := range s.Exits() {
		if err := ctx.Err(); err != nil {
			return err
		}
		yes, err := s.call(name, r)
		switch {
		case err != nil:
			return Escape("CPF7023", id, fmt.Errorf("%s: %w", name, err))
		case !yes:
			return Escape("CPF7023", id, name)
		}
	}
	return nil
}

// errNoProgram: an exit program that is registered is not there.
var errNoProgram = errors.New("the program is not on the system")

func (s *System) call(name string, r Receiver) (bool, error) {
	program := s.opts.Exits[name]
	if program == nil {
		return false, errNoProgram
	}
	return program(s, r)
}
