package os400

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// deleteDelay is DLTRCVDLY: how long after a receiver was detached, or after a
// deletion that failed, the system deletes automatically (reference, IBM i
// 1.7; the value is from memory).
const deleteDelay = 10 * time.Minute

// deleter is the job that deletes automatically.
const deleter = "000000/QSYS/QJOURNALDLT"

// Tick does what the system does by itself as time goes on: active remote
// journals catch up, and journals with DLTRCV(*YES) lose their detached
// receivers. The system knows its own needs alone, and nothing of what the
// writer's recovery needs (reference, IBM i 1.7).
func (s *System) Tick(ctx context.Context) error {
	for _, j := range sorted(s.state().journals) {
		if err := s.catchUp(j); err != nil {
			return fmt.Errorf("sending journal %s to its remotes: %w", j.ID, err)
		}
		if err := s.prune(ctx, j.ID); err != nil {
			return fmt.Errorf("deleting receivers of journal %s automatically: %w", j.ID, err)
		}
	}
	return nil
}

// prune deletes what is due, oldest first, up to the first that may not go. It
// does not save and does not ask about what was never saved; a remote journal
// without a full copy, active or not, is a refusal (reference, IBM i 1.7).
func (s *System) prune(ctx context.Context, id ID) error {
	job := Job{Name: deleter, User: "QSYS"}
	for n := 0; ; n++ {
		j := s.state().journals[id]
		r := s.state().receivers.of(first(j.Directory))
		now := s.Now()
		if !j.DeleteReceivers || j.UserManaged || r.Status == Attached || r.ID == (ID{}) ||
			now.Before(r.Detach.Add(deleteDelay)) || now.Before(j.Retry) {
			if n == 0 {
				return nil
			}
			return s.Force()
		}
		err := s.deleteReceiver(ctx, job, r.ID, DeleteOptions{IgnoreInquiry: true}, nil)
		if err != nil {
			return s.refused(id, r.ID, err)
		}
	}
}

func first(directory []ID) ID {
	if len(directory) == 0 {
		return ID{}
	}
	return directory[0]
}

// refused tells that an automatic deletion did not work, and when it is tried
// again. What is no refusal but a failure is an error too.
func (s *System) refused(id, receiver ID, why error) error {
	err := s.change(func(st *state) error {
		j := st.journals[id]
		j.Retry = s.Now().Add(deleteDelay)
		st.journals[id] = j
		return nil
	})
	to := s.state().journals[id].MessageQueue
	var refusal *Error
	if errors.As(why, &refusal) {
		return errors.Join(err, s.tell(to, "CPI70E6", receiver, refusal.Error()))
	}
	return errors.Join(why, err, s.tell(to, "CPI70E1", receiver, why.Error()))
}
