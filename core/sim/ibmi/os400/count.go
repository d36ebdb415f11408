package os400

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/mqhk/mqhk/core/wal"
)

// CountEntries reads a receiver and gives how many entries it has. A damaged
// one, or one without storage, is an error.
func (s *System) CountEntries(id ID) (uint64, error) {
	r, ok := s.state().receivers.find(id)
	if !ok {
		return 0, missing(id, "JRNRCV")
	}
	if r.Start == 0 {
		return 0, nil
	}
	n, err := s.scan(&r)
	if err != nil {
		return 0, fmt.Errorf("counting the entries of receiver %s: %w", id, err)
	}
	return n, nil
}

// scan reads a receiver to its end and gives the number of its entries, of one
// that is damaged that of those before the damage.
func (s *System) scan(r *receiver) (uint64, error) {
	chain := []wal.Segment{{Name: s.FileOf(r.ID), Start: r.Start}}
	reader, err := wal.NewReader(s.openReceiver, chain, wal.ReadOptions{Until: r.End})
	if err != nil {
		return 0, err
	}
	for n := uint64(0); ; n++ {
		_, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return n, nil
		}
		if err != nil {
			return n, err
		}
	}
}

// openReceiver opens a receiver by the name of its file. One that is not
// there, or has no storage, is an error that wraps fs.ErrNotExist; CPF8136:
// it is damaged.
func (s *System) openReceiver(name string) (wal.Source, error) {
	id, ok := receiverOf(name)
	r, there := s.state().receivers.find(id)
	switch {
	case !ok, !there:
		return nil, fmt.Errorf("receiver %s: %w", name, fs.ErrNotExist)
	case r.Status == Freed:
		return nil, fmt.Errorf("receiver %s has no storage: %w", id, fs.ErrNotExist)
	case r.Damaged:
		return nil, Escape("CPF8136", id)
	}
	return s.opts.Disk.Open(name)
}

// tally counts the entries of a journal's attached receiver while nobody
// writes. It may be less after a crash of the system: it is not certain.
func (s *System) tally(st *state, j *journal) {
	r := st.receivers.of(j.Attached)
	if r.Counted || r.Start == 0 {
		return
	}
	r.Count, _ = s.reckon(&r)
	st.receivers.put(r)
}

// reckon counts the entries of a receiver that has ended. Of one that can't be
// read the number is what was known.
func (s *System) reckon(r *receiver) (uint64, bool) {
	n, err := s.scan(r)
	if err != nil {
		return max(n, r.Count), false
	}
	return n, true
}
