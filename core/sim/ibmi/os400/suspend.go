package os400

import "errors"

// warn tells once that the threshold was reached.
func (l *Log) warn(j *journal) error {
	if j.Warned == j.Attached {
		return ErrSuspended
	}
	err := l.sys.update(func(st *state) error {
		kept := st.journals[l.journal]
		kept.Warned = kept.Attached
		st.journals[l.journal] = kept
		return nil
	})
	if err == nil {
		err = l.sys.tell(j.MessageQueue, "CPF7099", j.Attached)
	}
	return errors.Join(err, ErrSuspended)
}

// suspend ends system management of a journal's receivers: the generated name
// is taken (reference, IBM i 1.1).
func (s *System) suspend(id, taken ID) error {
	err := s.update(func(st *state) error {
		j := st.journals[id]
		j.Suspended = true
		st.journals[id] = j
		return nil
	})
	if err != nil {
		return err
	}
	return s.tell(s.state().journals[id].MessageQueue, "CPI70E3", id, taken.Name, taken.Library)
}
