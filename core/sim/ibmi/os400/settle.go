package os400

import (
	"errors"
	"io/fs"

	"github.com/mqhk/mqhk/core/wal"
)

// settle learns what became of receivers while nobody writes: the attached one
// may have been begun, and a pending one is the attached one if it was begun
// before the writer ended.
func (s *System) settle(st *state, j *journal) error {
	if st.receivers.of(j.Attached).Start == 0 {
		if err := s.settleBegin(st, j, j.Attached, func() {}); err != nil {
			return err
		}
	}
	p := j.Pending
	if p.ID == (ID{}) {
		return nil
	}
	return s.settleBegin(st, j, p.ID, func() { s.attach(st, j, p.ID, p.Reset) })
}

// settleBegin notes where a receiver was begun, if it was; it has to be the
// attached one first.
func (s *System) settleBegin(st *state, j *journal, id ID, attach func()) error {
	seg, err := s.inspect(s.FileOf(id))
	if err != nil || seg.Start == 0 {
		return err
	}
	old, _ := st.begun(j)
	attach()
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
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return wal.Segment{}, err
	}
	return wal.Inspect(wal.From(s.opts.Disk), name)
}
