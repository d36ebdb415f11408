package os400

import (
	"errors"
	"fmt"
)

// Full is a CPA7090 with reason 4 when the next entry would have a sequence
// number that the journal can't have, else nil (reference, IBM i 1.4).
func (l *Log) Full() error {
	n := l.writer.Entries()
	st := l.sys.state()
	j := st.journals[l.journal]
	r := st.receivers.of(j.Attached)
	most := Journal{JournalSpec: j.JournalSpec}.MaxSequence()
	if r.Sequence <= most && n <= most-r.Sequence {
		return nil
	}
	return NotJournaled(l.journal, r.ID, SequenceUsedUp, nil)
}

// advisable gives the first sequence number of a new receiver above which a
// reset is advised (reference, IBM i 1.4 [S30]).
func (spec *JournalSpec) advisable() uint64 {
	switch spec.SizeOption {
	case "MAXOPT1", "MAXOPT2":
		return 9_500_000_000
	case "MAXOPT3":
		return 18_446_600_000_000_000_000
	default:
		return 2_000_000_000
	}
}

// nearMaximum is how many sequence numbers are left when the system warns of
// the maximum. No source gives the distance; this one is ours, unverified.
const nearMaximum = 10_000_000

// advise says at a change of receivers that the sequence numbers should be
// reset (CPF7019), and warns when they are nearly used up (CPI70E7). The two
// have limits of their own (reference, IBM i 1.4).
func (s *System) advise(id ID) error {
	j := s.state().journals[id]
	next := fmt.Sprintf("the next entry is number %d", j.Next)
	var err error
	if j.Next > j.advisable() {
		err = s.tell(j.MessageQueue, "CPF7019", id, next)
	}
	most := Journal{JournalSpec: j.JournalSpec}.MaxSequence()
	if j.Next > most-nearMaximum {
		err = errors.Join(err, s.tell(j.MessageQueue, "CPI70E7", id, next))
	}
	return err
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
		r := st.receivers.of(j.Attached)
		n := s.entries(&r, now)
		if next <= n {
			return Escape("CPF7018", id, fmt.Sprintf("the attached receiver has %d entries", n))
		}
		r.Sequence, r.Reset, j.Next = next-n, true, next-n
		st.receivers.put(r)
		st.journals[id] = j
		return nil
	})
	if err != nil {
		return fmt.Errorf("setting the sequence number of journal %s: %w", id, err)
	}
	return nil
}
