package os400

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// The replies to CPA7025 and CPA705E (reference, IBM i 3.4).
const (
	ignore = "I" // delete it
	cancel = "C"
)

// replies are those that an inquiry takes; one that is not here takes any.
var replies = map[string][]string{
	"CPA4067": {cancel, "G"},
	"CPA7025": {ignore, cancel},
	"CPA705E": {ignore, cancel},
	"CPA7090": {cancel, "R"},
}

// Reply answers an inquiry on QSYS/QSYSOPR by its key. A job that waits for it
// goes on before Reply returns; an error that is a *[Waiting] says that it
// waits for the next reply, any other that it ended in it. An I answers the
// question that was put and no other.
//
// An inquiry that no job waits for, such as CPA7090 of a program that goes on
// by itself, is marked as answered, and that is all: whoever sent it tries
// again or not without that. CPF2410: there is no such message. CPF2420: it
// was answered. CPF2422: it is no reply to this message. CPF2432: it is no
// inquiry.
func (s *System) Reply(ctx context.Context, key uint64, text string) error {
	reply := strings.ToUpper(strings.TrimSpace(text))
	if err := s.answerable(key, reply); err != nil {
		return fmt.Errorf("replying to message %d: %w", key, err)
	}
	w, waits, err := s.resume(key)
	if err == nil {
		err = s.answer(key, reply)
	}
	if err != nil {
		return fmt.Errorf("replying to message %d: %w", key, err)
	}
	if !waits || reply == cancel {
		return nil
	}
	if err := s.resumeDelete(ctx, w.Job, w.Receiver, w.Options, appended(w.Answered, w.Message)); err != nil {
		return fmt.Errorf("job %s went on: %w", w.Job.Name, err)
	}
	return s.Force()
}

// answerable says why a message can't be answered so. A job may wait for an
// inquiry that was removed from the queue.
func (s *System) answerable(key uint64, reply string) error {
	id := ""
	if at := s.waits(key); at >= 0 {
		id = s.state().Jobs[at].Message
	} else {
		all, err := s.Messages(operator)
		if err != nil {
			return err
		}
		at := slices.IndexFunc(all, func(m Message) bool { return m.Key == key })
		switch {
		case at < 0:
			return Escape("CPF2410", ID{}, key, operator)
		case all[at].Kind != Inquiry:
			return Escape("CPF2432", ID{}, key)
		case all[at].Answered:
			return Escape("CPF2420", ID{}, key)
		}
		id = all[at].ID
	}
	if allowed := replies[id]; allowed != nil && !slices.Contains(allowed, reply) {
		return Escape("CPF2422", ID{}, reply, id, strings.Join(allowed, ", "))
	}
	return nil
}

// waits gives the place of the job that waits for a reply; negative: none does.
func (s *System) waits(key uint64) int { return s.state().waits(key) }

func (st *state) waits(key uint64) int {
	return slices.IndexFunc(st.Jobs, func(w waiting) bool { return w.Key == key })
}

// resume takes a job out of MSGW, if one waits for the reply. Its lock goes
// with it; nobody else can take the receiver before the job has it, or the job
// finds that they did.
func (s *System) resume(key uint64) (w waiting, waits bool, err error) {
	if s.waits(key) < 0 {
		return w, false, nil
	}
	err = s.change(func(st *state) error {
		at := st.waits(key)
		if at < 0 {
			return Escape("CPF2420", ID{}, key) // another reply was quicker
		}
		w = st.Jobs[at]
		st.unlock(w.Receiver, func(job string) bool { return job == w.Job.Name })
		st.Jobs = slices.Delete(st.Jobs, at, at+1)
		return nil
	})
	return w, err == nil, err
}

// answer notes the reply on the operator's queue. CPF2420: there is one. An
// inquiry that was removed there can't be marked.
func (s *System) answer(key uint64, reply string) error {
	before := false
	err := s.queues.edit(operator, func(all []Message) []Message {
		if at := slices.IndexFunc(all, func(m Message) bool { return m.Key == key }); at >= 0 {
			before, all[at].Answered = all[at].Answered, true
		}
		return all
	})
	if err != nil {
		return err
	}
	if before {
		return Escape("CPF2420", ID{}, key)
	}
	_, err = s.Send(operator, Message{Kind: Reply, Text: reply, Of: key, User: "QSYSOPR"})
	return err
}
