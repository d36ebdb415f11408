package os400

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// The replies to CPA7025 and CPA705E (reference, IBM i 3.4).
const (
	ignore = "I" // delete it
	cancel = "C"
)

// Waiting is the error of a job that waits for a reply (MSGW). It holds a lock
// on the receiver.
type Waiting struct {
	Job     Job
	Key     uint64 // of the inquiry on QSYS/QSYSOPR
	Message string // CPA7025 or CPA705E
	Object  ID     // the receiver
}

// Error says which job waits for what.
func (w *Waiting) Error() string {
	return fmt.Sprintf("job %s waits for a reply to %s about receiver %s", w.Job.Name, w.Message, w.Object)
}

// ask puts an inquiry, if it is due and the options don't suppress it.
func (s *System) ask(job Job, message string, due bool, id ID, o *DeleteOptions) error {
	if !due || o.IgnoreInquiry || message == "CPA705E" && o.IgnoreTargets {
		return nil
	}
	reply := ""
	switch job.Inquiries {
	case ReplyDefault:
		reply = rowOf(message).reply
	case ReplyList:
		reply = s.listed(message)
	}
	switch reply {
	case ignore:
		return nil
	case cancel:
		return Escape("CPF7024", id, message)
	}
	return s.wait(job, message, id, *o)
}

// listed gives the reply of the system reply list, empty if it has none.
func (s *System) listed(message string) string {
	for _, e := range s.state().Replies {
		if e.Message == message || e.Message == "*ANY" {
			if e.Reply == "*DFT" {
				return rowOf(message).reply
			}
			return e.Reply // *RQD is none of the replies: the job waits
		}
	}
	return ""
}

// wait sends the inquiry and leaves the job in MSGW, durably.
func (s *System) wait(job Job, id string, about ID, o DeleteOptions) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.state().receivers[about]; !ok {
		return Escape("CPF2105", about, "JRNRCV")
	}
	if err := s.state().allocate(about, job.Name); err != nil {
		return err
	}
	m := message(id, about)
	m.Job, m.User = job.Name, job.User
	key, err := s.Send(operator, m)
	if err != nil {
		return err
	}
	err = s.update(func(st *state) error {
		st.lock(about, job.Name)
		st.Jobs = append(st.Jobs, waiting{WaitingJob{Job: job, Key: key, Receiver: about, Options: o}, id})
		return nil
	})
	if err != nil {
		return err
	}
	return &Waiting{Job: job, Key: key, Message: id, Object: about}
}

// Reply answers an inquiry on QSYS/QSYSOPR by its key: I or C. The job goes on
// before Reply returns; an error that is a *[Waiting] says that it waits for
// the next reply, any other that it ended in it. CPF2410: no job waits for
// that. CPF2420: it is no reply to this message.
func (s *System) Reply(ctx context.Context, key uint64, text string) error {
	reply := strings.ToUpper(strings.TrimSpace(text))
	w, err := s.resume(key, reply)
	if err != nil {
		return fmt.Errorf("replying to message %d: %w", key, err)
	}
	if err := s.answer(key, reply); err != nil {
		return fmt.Errorf("replying to message %d: %w", key, err)
	}
	if reply == cancel {
		return nil
	}
	if w.Message == "CPA705E" {
		w.Options.IgnoreTargets = true
	} else {
		w.Options.IgnoreInquiry, w.Options.IgnoreTargets = true, true
	}
	if err := s.DeleteReceiver(ctx, w.Job, w.Receiver, w.Options); err != nil {
		return fmt.Errorf("job %s went on: %w", w.Job.Name, err)
	}
	return nil
}

// resume takes a job out of MSGW. Its lock goes with it; nobody else can take
// the receiver before the job has it, or the job finds that they did.
func (s *System) resume(key uint64, reply string) (waiting, error) {
	var w waiting
	err := s.change(func(st *state) error {
		at := slices.IndexFunc(st.Jobs, func(w waiting) bool { return w.Key == key })
		if at < 0 {
			return Escape("CPF2410", ID{}, key, operator)
		}
		w = st.Jobs[at]
		if reply != ignore && reply != cancel {
			return Escape("CPF2420", ID{}, reply, w.Message)
		}
		st.unlock(w.Receiver, func(job string) bool { return job == w.Job.Name })
		st.Jobs = slices.Delete(st.Jobs, at, at+1)
		return nil
	})
	return w, err
}

// answer notes the reply on the operator's queue. An inquiry that was removed
// there can't be marked.
func (s *System) answer(key uint64, reply string) error {
	err := s.queues.edit(operator, func(all []Message) []Message {
		if at := slices.IndexFunc(all, func(m Message) bool { return m.Key == key }); at >= 0 {
			all[at].Answered = true
		}
		return all
	})
	if err != nil {
		return err
	}
	_, err = s.Send(operator, Message{Kind: Reply, Text: reply, Of: key, User: "QSYSOPR"})
	return err
}

// Waiting gives the jobs in MSGW, in the order in which they began to wait.
func (s *System) Waiting() []WaitingJob {
	var all []WaitingJob
	for _, w := range s.state().Jobs {
		all = append(all, w.WaitingJob)
	}
	return all
}

// EndJob ends a job: inquiries that it waits for count as answered with C, and
// all its locks go.
func (s *System) EndJob(name string) error {
	ended, err := s.endJobs(func(job string) bool { return job == name })
	for _, w := range ended {
		err = errors.Join(err, s.answer(w.Key, cancel))
	}
	if err != nil {
		return fmt.Errorf("ending job %s: %w", name, err)
	}
	return nil
}

// endJobs takes jobs out of MSGW and their locks away.
func (s *System) endJobs(which func(job string) bool) (ended []waiting, err error) {
	err = s.change(func(st *state) error {
		ended = st.endJobs(which)
		return nil
	})
	return ended, err
}

func (st *state) endJobs(which func(job string) bool) []waiting {
	var ended []waiting
	st.Jobs = slices.DeleteFunc(st.Jobs, func(w waiting) bool {
		if which(w.Job.Name) {
			ended = append(ended, w)
			return true
		}
		return false
	})
	for _, id := range slices.Collect(maps.Keys(st.locks)) {
		st.unlock(id, which)
	}
	return ended
}
