package qmgr

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
	"github.com/mqhk/mqhk/core/wal/crashdisk"
)

var errDead = errors.New("the system is down")

// mortal lets the disk do so many operations and then none.
func (s *station) mortal(operations int) (used func() int) {
	n := 0
	s.disk.Fault(func(crashdisk.Op) error {
		if n++; n > operations {
			return errDead
		}
		return nil
	})
	return func() int { return n }
}

// Wherever in a night the system dies, what was acknowledged is there after a
// start, nothing is there twice, and the night can be gone through again.
func TestDeathAnywhere(t *testing.T) {
	whole := station1(t)
	used := whole.mortal(1 << 30)
	if acknowledged, err := night(whole); err != nil || len(acknowledged) != 24 {
		t.Fatalf("%d messages, %v", len(acknowledged), err)
	}
	step := max(1, used()/150)
	for operations := 0; operations < used(); operations += step {
		s := station1(t)
		s.mortal(operations)
		acknowledged, err := night(s)
		if err == nil {
			t.Fatalf("the night went on for %d operations", operations)
		}
		s.disk.Fault(nil)
		s.disk.CrashAfter(int64(operations%7) * 300)
		_ = s.m.Crash(t.Context())
		s.open()
		s.revive()
		got := s.bodies("A")
		if n := len(acknowledged); len(got) < n || !slices.Equal(got[:n], acknowledged) || len(got) > n+1 {
			t.Fatalf("dead after %d operations: %d messages, %d were acknowledged", operations, len(got), n)
		}
		s.entriesAgree()
		if _, err := night(s); err != nil {
			t.Fatalf("dead after %d operations, the next night: %v", operations, err)
		}
	}
}

// revive starts what has died or was ended.
func (s *station) revive() {
	s.t.Helper()
	if s.m.Suspended() {
		s.must(s.m.Resume(s.testT.Context()))
		return
	}
	s.start()
}

// night is what a queue manager sees in one, and gives the messages on A that
// were acknowledged.
func night(s *station) ([]string, error) {
	ctx := s.testT.Context()
	var acknowledged []string
	put := func() error {
		for range 8 {
			m := body(4000)
			m.Body = append(m.Body, fmt.Sprint(len(acknowledged))...)
			if _, err := s.m.Put(ctx, "A", m); err != nil {
				return err
			}
			acknowledged = append(acknowledged, string(m.Body))
		}
		return nil
	}
	for _, do := range []func() error{
		put,
		func() error {
			return s.sys.ChangeJournal(ctx, s.m.Journal(), os400.Change{Receiver: "*GEN"})
		},
		put,
		func() error { return s.m.Suspend(ctx) },
		func() error { return s.m.Resume(ctx) },
		func() error {
			_, err := s.m.RecordImages(ctx, Selection{Name: "*ALL", Type: "*ALL", Checkpoint: true})
			return err
		},
		put,
		func() error { return s.m.End(ctx, EndOptions{Images: true}) },
		func() error { _, err := s.m.Start(ctx); return err },
	} {
		if err := do(); err != nil {
			return acknowledged, err
		}
	}
	return acknowledged, nil
}

// Wherever CRTMQM dies, the queue manager is there whole or not known, and in
// the second case it can be created again.
func TestDeathInCreate(t *testing.T) {
	whole := station1(t)
	used := whole.mortal(1 << 30)
	_, err := Create(t.Context(), whole.sys, Spec{Name: "OTHER"})
	whole.must(err)
	for operations := 0; operations < used(); operations += max(1, used()/40) {
		s := station1(t)
		s.mortal(operations)
		if _, err := Create(t.Context(), s.sys, Spec{Name: "OTHER"}); err == nil {
			t.Fatalf("created with %d operations", operations)
		}
		s.disk.Fault(nil)
		s.disk.Crash()
		_ = s.m.Crash(t.Context())
		s.open()
		m, err := Open(s.sys, "OTHER")
		if errors.Is(err, ErrUnknown) {
			m, err = Create(t.Context(), s.sys, Spec{Name: "OTHER"})
		}
		s.must(err)
		_, err = m.Start(t.Context())
		s.must(err)
		if err := m.Browse("SYSTEM.DEAD.LETTER.QUEUE", func(engine.Message) bool { return true }); err != nil {
			t.Fatalf("dead after %d operations: %v", operations, err)
		}
	}
}
