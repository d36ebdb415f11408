package extents

import (
	"errors"
	"testing"
)

// Under Archive an extent goes only when it was reported archived and neither
// recovery needs it; from the oldest on, so that no gap comes about.
func TestArchiveWaitsForWord(t *testing.T) {
	r := build(t, line(Archive, 2, 6))
	r.fill(t, 5) // S0..S5
	_, err := r.pass(1, 1)
	must(t, err)
	r.lists(t, "S0000000", "S0000001", "S0000002", "S0000003", "S0000004", "S0000005")
	s := r.log.Status(r.w.End())
	if s.Archived != "S0000000.LOG" || s.ArchiveSize != 1 || s.Restart != "S0000004.LOG" {
		t.Errorf("ARCHLOG %s, ARCHSZ %d, RECLOG %s", s.Archived, s.ArchiveSize, s.Restart)
	}
	archived := func(name string) {
		t.Helper()
		if err := r.log.Archived(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	archived("S0000001.LOG") // in any order
	archived("S0000001.LOG") // repeated
	archived("s0000004.log") // still needed
	r.lists(t, "S0000000", "S0000001", "S0000002", "S0000003", "S0000004", "S0000005")
	must(t, r.reopen()) // what was reported survives
	archived("S0000001.LOG")
	archived("S0000000.LOG") // before the first checkpoint nothing goes
	r.lists(t, "S0000000", "S0000001", "S0000002", "S0000003", "S0000004", "S0000005")
	_, err = r.pass(1, 1)
	must(t, err)
	r.has(t, "R0000000", "S0000002", "S0000003", "S0000004", "S0000005")
	archived("S0000002.LOG") // goes at once
	archived("S0000003.LOG")
	r.lists(t, "S0000004", "S0000005")
	_, err = r.pass(0, 0)
	must(t, err)
	r.lists(t, "S0000005") // S0000004 was reported while it was needed
	if s := r.log.Status(r.w.End()); s.Archived != "" || s.ArchiveSize != 0 {
		t.Errorf("ARCHLOG %q, ARCHSZ %d", s.Archived, s.ArchiveSize)
	}
}

func TestArchivedUpTo(t *testing.T) {
	r := build(t, line(Archive, 2, 6))
	r.fill(t, 5)
	_, err := r.pass(0, 0)
	must(t, err)
	must(t, r.log.ArchivedUpTo("S0000002.LOG")) // up to and including
	r.lists(t, "S0000003", "S0000004", "S0000005")
	if s := r.log.Status(r.w.End()); s.Archived != "S0000003.LOG" {
		t.Errorf("ARCHLOG %s", s.Archived)
	}
	must(t, r.log.ArchivedUpTo("S0000004.LOG"))
	r.lists(t, "S0000005")
}

// SET LOG and RESET QMGR are refused where the reference says so
// (Multiplatforms 3.2 items 53 and 56 to 58).
func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		set  Settings
		name string
		want error
	}{
		{ring(3, 2), "S0000000.LOG", ErrLogType},
		{line(Manual, 3, 2), "S0000000.LOG", ErrLogType},
		{line(Automatic, 3, 2), "S0000000.LOG", ErrLogType},
		{line(Archive, 3, 2), "S0000002.LOG", ErrCurrent},
		{line(Archive, 3, 2), "R0000001.LOG", ErrReuse},
		{line(Archive, 3, 2), "S0000003.LOG", ErrNotFound},
		{line(Archive, 3, 2), "S9999999.LOG", ErrNotFound},
		{line(Archive, 3, 2), "S000000.LOG", ErrName},
		{line(Archive, 3, 2), "", ErrName},
	} {
		r := build(t, c.set)
		r.fill(t, 2)
		if err := r.log.Archived(c.name); !errors.Is(err, c.want) {
			t.Errorf("%s %s: archived %q: %v, want %v", c.set.Kind, c.set.Management, c.name, err, c.want)
		}
		if err := r.log.ArchivedUpTo(c.name); !errors.Is(err, c.want) {
			t.Errorf("%s %s: archived up to %q: %v, want %v", c.set.Kind, c.set.Management, c.name, err, c.want)
		}
	}
}

// The extent that is listed and not begun yet is current too: nothing behind
// the one that is written may be called archived.
func TestTheNextExtentIsNotArchived(t *testing.T) {
	r := build(t, line(Archive, 3, 2))
	r.fill(t, 1)
	_, err := r.log.Next(t.Context())
	must(t, err)
	for _, name := range []string{"S0000001.LOG", "S0000002.LOG"} {
		if err := r.log.Archived(name); !errors.Is(err, ErrCurrent) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A crash between the list that has given an archived extent up and the going
// of its file lists it again, and it still counts as archived.
func TestGivenUpAndStillThere(t *testing.T) {
	r := build(t, line(Archive, 2, 6))
	r.fill(t, 3)
	must(t, r.log.ArchivedUpTo("S0000001.LOG"))
	r.restart, r.media = r.back(0), r.back(0)
	l := r.log
	l.c.restart, l.c.media, l.known = r.restart, r.media, true
	l.c.list, l.c.leaving = l.c.list[2:], l.c.list[:2]
	must(t, l.save()) // and here the power fails
	must(t, r.reopen())
	r.lists(t, "S0000000", "S0000001", "S0000002", "S0000003")
	_, err := r.pass(0, 0)
	must(t, err)
	r.lists(t, "S0000002", "S0000003")
}
