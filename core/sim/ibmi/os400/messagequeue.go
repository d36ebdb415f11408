package os400

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// CreateQueue is CRTMSGQ. CPF2112: it is there.
func (s *System) CreateQueue(id ID) error {
	if err := s.place(id); err != nil {
		return fmt.Errorf("creating message queue %s: %w", id, err)
	}
	err := s.queues.create(id)
	switch {
	case errors.Is(err, fs.ErrExist):
		return Escape("CPF2112", id, "MSGQ")
	case err != nil:
		return fmt.Errorf("creating message queue %s: %w", id, err)
	}
	return nil
}

// Queues gives the message queues of a library, of all with "", in the order
// of their names.
func (s *System) Queues(library string) []ID {
	var all []ID
	for _, in := range s.state().Libraries {
		if library != "" && in != library {
			continue
		}
		names, err := s.opts.Disk.List(folder(in))
		if err != nil {
			continue // the library has no folder: it is empty
		}
		for _, name := range names {
			if path.Ext(name) == ".MSGQ" {
				all = append(all, ID{in, strings.TrimSuffix(name, ".MSGQ")})
			}
		}
	}
	return all
}

// Send puts a message on a queue, durably, and gives its key. It is sent now,
// whatever the message says. A queue keeps its newest 5000. CPF9801: there is
// no such queue.
func (s *System) Send(id ID, m Message) (uint64, error) {
	m.Sent = s.Now()
	if m.Kind == "" {
		m.Kind = Informational
	}
	key, err := s.queues.send(id, m, func() []ID { return s.Queues("") })
	if err != nil {
		return 0, fmt.Errorf("sending %s to %s: %w", m.ID, id, err)
	}
	return key, nil
}

// tell sends a message of the table, to the operator where the queue is not
// there.
func (s *System) tell(to ID, id string, object ID, args ...any) error {
	if to == (ID{}) {
		to = operator
	}
	m := message(id, object, args...)
	_, err := s.Send(to, m)
	var e *Error
	if errors.As(err, &e) && to != operator {
		_, err = s.Send(operator, m)
	}
	return err
}

// Messages gives what is on a queue, oldest first. CPF9801: there is no such
// queue.
func (s *System) Messages(id ID) ([]Message, error) {
	s.queues.mu.Lock()
	defer s.queues.mu.Unlock()
	have, err := s.queues.load(id)
	if err != nil {
		return nil, err
	}
	all := slices.Clone(have.messages[max(0, len(have.messages)-queueKeeps):])
	zone := s.Now().Location()
	for i := range all {
		all[i].Sent = all[i].Sent.In(zone)
	}
	return all, nil
}

// ClearQueue is CLRMSGQ: all messages go but inquiries that a job waits for.
func (s *System) ClearQueue(id ID) error {
	held := map[uint64]bool{}
	if id == operator {
		for _, w := range s.state().Jobs {
			held[w.Key] = true
		}
	}
	err := s.queues.edit(id, func(all []Message) []Message {
		return slices.DeleteFunc(all, func(m Message) bool { return !held[m.Key] })
	})
	if err != nil {
		return fmt.Errorf("clearing message queue %s: %w", id, err)
	}
	return nil
}
