package qmgr

import (
	"slices"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/sim/multi/extents"
)

func TestLifeOfAQueueManager(t *testing.T) {
	for _, kind := range []extents.Kind{extents.Circular, extents.Linear} {
		t.Run(string(kind), func(t *testing.T) {
			s := inMemory(t, Spec{Log: small(kind, extents.Manual)})
			if s.m.State() != EndedNormally {
				t.Error(s.m.State())
			}
			done := s.start()
			if len(done.Damaged)+len(done.Rebuilt) != 0 {
				t.Error(done)
			}
			s.define("Q")
			s.put("Q", "one", "two")
			s.end()
			if s.m.State() != EndedImmediately {
				t.Error(s.m.State())
			}
			s.reopen()
			s.start()
			s.holds("Q", "one", "two")
			s.must(s.m.Crash())
			s.reopen()
			if s.m.State() != EndedUnexpectedly {
				t.Error(s.m.State())
			}
			s.start()
			s.holds("Q", "one", "two")
			s.must(s.m.End(s.ctx, EndOptions{}))
			if s.m.State() != EndedNormally {
				t.Error(s.m.State())
			}
			_, err := s.m.Put(s.ctx, "Q", text("x"))
			s.refuses(err, ErrNotRunning)
		})
	}
}

// The messages of a start and an end, in their order (reference, Multiplatforms
// 2.1 [CLOG], 2.1 item 28).
func TestMessagesOfAStart(t *testing.T) {
	s := inMemory(t, Spec{Log: small(extents.Linear, extents.Automatic)})
	s.start()
	want := []string{
		"AMQ7374", "AMQ7229", "AMQ7230", "AMQ7231", "AMQ7232", "AMQ7233", "AMQ8003",
		"AMQ7467", "AMQ7468", "AMQ7490", // of the checkpoint that a start takes
	}
	if got := s.told(0); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	n := len(s.told(0))
	s.end()
	if got := s.told(n); !slices.Equal(got, []string{"AMQ7467", "AMQ7468", "AMQ7490", "AMQ8004"}) {
		t.Errorf("%q", got)
	}
	restart, media := s.watermarks()
	if restart != "S0000000.LOG" || media != "S0000000.LOG" {
		t.Error(restart, media)
	}
}

// endmqm: a controlled end waits for units of work; an immediate one backs them
// out; a pre-emptive one does neither a checkpoint nor images.
func TestWaysToEnd(t *testing.T) {
	for _, kind := range kinds {
		s := ready(t, kind)
		u, err := s.m.Begin("APP")
		s.must(err)
		_, err = u.Put(s.ctx, "Q", text("uncommitted"))
		s.must(err)
		s.refuses(s.m.End(s.ctx, EndOptions{}), ErrUnits)
		if s.m.State() != Running {
			t.Error(s.m.State())
		}
		n := len(s.told(0))
		s.must(s.m.End(s.ctx, EndOptions{Preemptive: true}))
		if got := s.told(n); s.m.State() != EndedPreemptively || !slices.Equal(got, []string{"AMQ8004"}) {
			t.Error(s.m.State(), got)
		}
		done := s.start()
		if len(done.BackedOut) != 1 {
			t.Errorf("%+v", done)
		}
		s.holds("Q", "kept")
		u, err = s.m.Begin("APP")
		s.must(err)
		_, err = u.Put(s.ctx, "Q", text("committed"))
		s.must(err)
		s.must(u.Commit(s.ctx))
		s.must(s.m.End(s.ctx, EndOptions{}))
		s.refuses(s.m.End(s.ctx, EndOptions{}), ErrNotRunning)
		s.refuses(s.m.Crash(), ErrNotRunning)
		s.start()
		_, err = s.m.Start(s.ctx)
		s.refuses(err, ErrRunning)
		s.holds("Q", "kept", "committed")
	}
}

// Reason codes of what applications get wrong.
func TestReasons(t *testing.T) {
	s := ready(t, extents.Linear)
	_, err := s.m.Put(s.ctx, "NOBODY", text("x"))
	s.reason(err, UnknownObject)
	_, err = s.m.Get(s.ctx, "Q")
	s.must(err)
	_, err = s.m.Get(s.ctx, "Q")
	s.reason(err, NoMessage)
	s.put("Q", "x")
	s.reason(s.m.DeleteObject(s.ctx, queueRef("Q"), false), NotEmpty)
	u, err := s.m.Begin("APP")
	s.must(err)
	_, err = u.Get(s.ctx, "Q")
	s.must(err)
	s.reason(s.m.ClearQueue(s.ctx, "Q"), ObjectInUse)
	s.must(u.Backout(s.ctx))
	s.must(s.m.ClearQueue(s.ctx, "Q"))
	s.holds("Q")
	s.must(s.m.Damage(s.ctx, queueRef("Q")))
	_, err = s.m.Depth("Q")
	s.reason(err, ObjectDamaged)
	s.end()
	_, err = s.m.Get(s.ctx, "Q")
	s.reason(err, Stopping)
}

// What CommitLater has left to Force survives a crash of the system from then
// on; before, it is there whole or not at all.
func TestCommitLater(t *testing.T) {
	for _, forced := range []bool{false, true} {
		s := inMemory(t, Spec{Log: small(extents.Linear, extents.Manual)})
		s.start()
		s.define("Q")
		s.must(s.m.Checkpoint(s.ctx))
		u, err := s.m.Begin("APP")
		s.must(err)
		for range 3 {
			_, err = u.Put(s.ctx, "Q", text("x"))
			s.must(err)
		}
		s.must(u.CommitLater(s.ctx))
		if forced {
			s.must(s.m.Force(s.ctx))
		}
		s.must(s.m.Crash())
		s.crash.Crash()
		s.reopen()
		s.start()
		if depth, err := s.m.Depth("Q"); err != nil || depth != 0 && depth != 3 || forced && depth != 3 {
			t.Error(forced, depth, err)
		}
	}
}

// The queue manager object has what crtmqm was given, and ALTER QMGR changes
// it; DISPLAY QMSTATUS names what it is.
func TestAttributesOfTheQueueManager(t *testing.T) {
	s := inMemory(t, Spec{Name: "QM.1", DeadQ: "DLQ", Log: small(extents.Linear, extents.Manual)})
	if s.m.Attributes() != nil || len(s.m.Connections())+len(s.m.Transactions())+len(s.m.QueueStatus()) != 0 {
		t.Error("an ended queue manager shows something")
	}
	s.start()
	attributes := s.m.Attributes()
	if attributes["DEADQ"] != "DLQ" || !strings.HasPrefix(attributes["QMID"], "QM.1_2026-07-14_") {
		t.Error(attributes)
	}
	attributes["DESCR"] = "changed"
	s.must(s.m.AlterObject(s.ctx, s.m.ownRef(), attributes))
	s.must(s.m.Crash())
	s.reopen()
	s.start()
	if got := s.m.Attributes(); got["DESCR"] != "changed" || got["DEADQ"] != "DLQ" {
		t.Error(got)
	}
	status := s.m.Status()
	if status.State != Running || status.Name != "QM.1" || status.Host != "lnx1" || status.LogPath != "/var/mqm/log/QM!1/active/" ||
		status.CurrLog != "S0000000.LOG" || status.Release != "9.4.0.0" || status.Started.IsZero() {
		t.Errorf("%+v", status)
	}
	if set := s.m.LogSettings(); set.Primary != 3 || set.Secondary != 2 {
		t.Errorf("%+v", set)
	}
}
