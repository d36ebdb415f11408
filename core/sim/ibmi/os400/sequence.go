package os400

import "fmt"

// Full is a CPA7090 with reason 4 when the next entry would have a sequence
// number that the journal can't have, else nil (reference, IBM i 1.4).
func (l *Log) Full() error {
	n := l.writer.Entries()
	st := l.sys.state()
	j := st.journals[l.journal]
	r := st.receivers[j.Attached]
	most := Journal{JournalSpec: j.JournalSpec}.MaxSequence()
	if r.Sequence <= most && n <= most-r.Sequence {
		return nil
	}
	return Escape("CPA7090", l.journal, 4, "", "", "", "", r.Name, r.Library)
}

// advise warns of sequence numbers that are nearly used up (reference,
// IBM i 1.4: CPF7019 and CPI70E7).
func (s *System) advise(j journal) error {
	limit := map[string]uint64{
		"MAXOPT1": 9_500_000_000, "MAXOPT2": 9_500_000_000, "MAXOPT3": 18_446_600_000_000_000_000, "": 2_000_000_000,
	}[j.SizeOption]
	if j.Next <= limit {
		return nil
	}
	return s.tell(j.MessageQueue, "CPI70E7", j.ID, fmt.Sprintf("the next entry is number %d", j.Next))
}

// SetSequence is a fault: the next entry of a journal gets this number.
// CPF7018: it is too low for the entries that the attached receiver has, or
// zero.
func (s *System) SetSequence(id ID, next uint64) error {
	now := s.written()
	err := s.change(func(st *state) error {
		j, ok := st.journals[id]
		if !ok || j.Remote {
			return missing(id, "JRN")
		}
		r := st.receivers[j.Attached]
		n := s.entries(&r, now)
		if next <= n {
			return Escape("CPF7018", id, fmt.Sprintf("the attached receiver has %d entries", n))
		}
		r.Sequence, r.Reset, j.Next = next-n, true, next-n
		st.receivers[r.ID], st.journals[id] = r, j
		return nil
	})
	if err != nil {
		return fmt.Errorf("setting the sequence number of journal %s: %w", id, err)
	}
	return nil
}
