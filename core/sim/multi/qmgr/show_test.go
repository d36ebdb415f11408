package qmgr

import (
	"testing"

	"github.com/mqhk/mqhk/core/sim/multi/extents"
)

// What DISPLAY QSTATUS shows of a queue that is worked on, also while the queue
// manager is out of memory: CURDEPTH counts what units of work have put and not
// what they have got, IPPROCS and OPPROCS those that do.
func TestQueueStatusWhileAQueueIsWorkedOn(t *testing.T) {
	s := inMemory(t, Spec{Log: small(extents.Linear, extents.Manual)})
	s.start()
	s.must(s.m.DefineObject(s.ctx, queueRef("Q"), map[string]string{"MAXFSIZE": "20"}))
	for range 3 {
		s.put("Q", long(400_000))
	}
	s.must(s.m.Checkpoint(s.ctx))
	putting, err := s.m.Begin("PUT")
	s.must(err)
	for range 2 {
		_, err = putting.Put(s.ctx, "Q", text("x"))
		s.must(err)
	}
	for range 2 {
		both, err := s.m.Begin("BOTH")
		s.must(err)
		_, err = both.Get(s.ctx, "Q")
		s.must(err)
		_, err = both.Put(s.ctx, "Q", text("x"))
		s.must(err)
	}
	check := func() {
		t.Helper()
		for _, q := range s.m.QueueStatus() {
			if q.Name != "Q" {
				continue
			}
			if q.Current != 3+2+2-2 || q.Depth != 3 || q.Putting != 3 || q.Getting != 2 || q.Uncommitted != 6 {
				t.Errorf("%+v", q)
			}
			if q.FileBytes < 1_200_000 || q.FileBytes > 1_210_000 || q.MaxFile != 20 {
				t.Errorf("a file of %d bytes, %d MB at most", q.FileBytes, q.MaxFile)
			}
			return
		}
		t.Error("Q is not there")
	}
	check()
	s.must(s.m.Suspend(s.ctx))
	s.reopen()
	check()
	s.must(s.m.Resume(s.ctx))
	check()
}
