package os400

import (
	"errors"
	"io/fs"

	"github.com/mqhk/mqhk/core/wal"
)

// attach makes an empty receiver the attached one of a journal, and detaches
// the one before it. Times have the resolution of a second: an entry of the
// old receiver is never later than the attach time of the new one.
func (s *System) attach(st *state, j *journal, id ID, reset bool) {
	r := st.receivers[id]
	r.Journal, r.Status, r.Associated, r.Attach = j.ID, Attached, true, s.second()
	r.Sequence, r.Reset = j.Next, reset
	if reset {
		r.Sequence = 1
	}
	if old, ok := st.receivers[j.Attached]; ok && j.Attached != (ID{}) {
		s.detach(&old)
		old.Detach, old.Next, r.Previous = r.Attach, id, old.ID
		r.Before = old.Before + old.Count
		if !reset {
			r.Sequence = old.Sequence + old.Count
		}
		st.receivers[old.ID] = old
	}
	st.receivers[id] = r
	j.Attached, j.Next, j.Suspended, j.Pending, j.Warned = id, r.Sequence, false, pending{}, ID{}
	j.Directory = appended(j.Directory, id)
	st.renumber(j)
}

// detach ends a receiver. What it takes is what it will always take.
func (s *System) detach(r *receiver) {
	r.Status, r.Detach = Online, s.second()
	r.Size = s.asp.size(s.FileOf(r.ID))
}

// tally counts the entries of a journal's attached receiver while nobody
// writes. It may be less after a crash of the system: it is not certain.
func (s *System) tally(st *state, j *journal) {
	r := st.receivers[j.Attached]
	if r.Counted || r.Start == 0 {
		return
	}
	r.Count, _ = s.reckon(&r)
	st.receivers[r.ID] = r
}

// open notes where the attached receiver was begun. That is where the last
// one before it that was begun has ended.
func (s *System) open(st *state, j *journal, start wal.LSN, count uint64, counted bool) {
	old, ok := st.begun(j)
	r := st.receivers[j.Attached]
	r.Start, r.Count, r.Counted = start, 0, false
	if ok {
		old.End = start
		if !counted {
			count, counted = s.reckon(&old)
		}
		old.Count, old.Counted = count, counted
		r.Before = old.Before + old.Count
		if !r.Reset && r.Previous != (ID{}) {
			r.Sequence = old.Sequence + old.Count
		}
		st.receivers[old.ID] = old
	}
	j.Next = r.Sequence
	st.receivers[r.ID] = r
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

// settle learns what became of a pending receiver while nobody writes: it is
// the attached one if it was begun before the writer ended.
func (s *System) settle(st *state, j *journal) error {
	p := j.Pending
	if p.ID == (ID{}) {
		return nil
	}
	seg, err := s.inspect(s.FileOf(p.ID))
	if err != nil || seg.Start == 0 {
		return err
	}
	old := st.receivers[j.Attached]
	s.attach(st, j, p.ID, p.Reset)
	s.open(st, j, seg.Start, old.Count, old.Counted)
	return nil
}

// inspect tells where a receiver's file begins; zero: it never did. What it
// says is made durable before anyone relies on it.
func (s *System) inspect(name string) (wal.Segment, error) {
	f, err := s.opts.Disk.OpenWrite(name)
	if errors.Is(err, fs.ErrNotExist) {
		return wal.Segment{Name: name}, nil
	}
	if err != nil {
		return wal.Segment{}, err
	}
	if err := errors.Join(s.syncFile(f), f.Close()); err != nil {
		return wal.Segment{}, err
	}
	return wal.Inspect(wal.From(s.opts.Disk), name)
}
