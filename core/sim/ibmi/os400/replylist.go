package os400

import (
	"cmp"
	"fmt"
	"slices"
)

// AddReplyEntry is ADDRPYLE: what jobs with INQMSGRPY(*SYSRPYL) reply. Message
// may be *ANY; Reply is a reply, *DFT or *RQD. CPF2555: the sequence number,
// 1 to 9999, is taken.
func (s *System) AddReplyEntry(e ReplyEntry) error {
	err := s.change(func(st *state) error {
		if e.Sequence < 1 || e.Sequence > 9999 {
			return fmt.Errorf("sequence number %d: it must be 1 to 9999", e.Sequence)
		}
		at, taken := find(st.Replies, e.Sequence)
		if taken {
			return Escape("CPF2555", ID{}, e.Sequence)
		}
		st.Replies = slices.Insert(st.Replies, at, e)
		return nil
	})
	if err != nil {
		return fmt.Errorf("adding reply list entry %d: %w", e.Sequence, err)
	}
	return nil
}

// RemoveReplyEntry is RMVRPYLE. CPF2556: there is no such entry.
func (s *System) RemoveReplyEntry(sequence int) error {
	err := s.change(func(st *state) error {
		at, found := find(st.Replies, sequence)
		if !found {
			return Escape("CPF2556", ID{}, sequence)
		}
		st.Replies = slices.Delete(st.Replies, at, at+1)
		return nil
	})
	if err != nil {
		return fmt.Errorf("removing reply list entry %d: %w", sequence, err)
	}
	return nil
}

// ReplyEntries gives the system reply list, in its order.
func (s *System) ReplyEntries() []ReplyEntry { return slices.Clone(s.state().Replies) }

func find(all []ReplyEntry, sequence int) (int, bool) {
	return slices.BinarySearchFunc(all, sequence, func(e ReplyEntry, n int) int { return cmp.Compare(e.Sequence, n) })
}
