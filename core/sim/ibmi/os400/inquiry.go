package os400

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/mqhk/mqhk/core/sim/ibmi/wording"
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

// question is a deletion that may have to be asked about.
type question struct {
	job      Job
	receiver ID
	options  DeleteOptions
	answered []string // inquiries that were answered with I
}

// ask puts an inquiry, if it is due, was not answered and the options don't
// suppress it.
func (s *System) ask(q question, message string, due bool) error {
	if !due || q.options.IgnoreInquiry || slices.Contains(q.answered, message) {
		return nil
	}
	reply := ""
	switch q.job.Inquiries {
	case ReplyDefault:
		reply = wording.Of(message).Reply
	case ReplyList:
		reply = s.listed(message)
	}
	switch reply {
	case ignore:
		return nil
	case cancel:
		return Escape("CPF7024", q.receiver, message)
	}
	return s.wait(q, message)
}

// listed gives the reply of the system reply list, empty if it has none.
func (s *System) listed(message string) string {
	for _, e := range s.state().Replies {
		if e.Message == message || e.Message == "*ANY" {
			if e.Reply == "*DFT" {
				return wording.Of(message).Reply
			}
			return e.Reply // *RQD is none of the replies: the job waits
		}
	}
	return ""
}

// wait sends the inquiry and leaves the job in MSGW, durably.
func (s *System) wait(q question, id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.state().receivers.find(q.receiver); !ok {
		return Escape("CPF2105", q.receiver, "JRNRCV")
	}
	if err := s.state().allocate(q.receiver, q.job.Name); err != nil {
		return err
	}
	m := message(id, q.receiver)
	m.Job, m.User = q.job.Name, q.job.User
	key, err := s.Send(operator, m)
	if err != nil {
		return err
	}
	err = s.update(func(st *state) error {
		st.lock(q.receiver, q.job.Name)
		w := WaitingJob{Job: q.job, Key: key, Receiver: q.receiver, Options: q.options}
		st.Jobs = append(st.Jobs, waiting{w, id, q.answered})
		return nil
	})
	if err != nil {
		return err
	}
	return &Waiting{Job: q.job, Key: key, Message: id, Object: q.receiver}
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
