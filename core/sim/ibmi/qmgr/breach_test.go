package qmgr

import (
	"errors"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
)

// broken has a damaged queue A whose image is in the first of the receivers,
// and save files with all of them: EARLY has the second one as it was while
// attached, LATE all that are detached.
func broken(t *testing.T) (s *station, late, early os400.ID, first, second string) {
	t.Helper()
	s = station1(t)
	s.put("A", body(100))
	_, err := s.m.RecordImages(t.Context(), Selection{Name: "A", Type: "*Q"})
	s.must(err)
	first = s.m.Status().CurrLog
	s.fill("B", 1)
	second = s.m.Status().CurrLog
	late, early = os400.ID{Library: "QGPL", Name: "LATE"}, os400.ID{Library: "QGPL", Name: "EARLY"}
	save := func(file os400.ID) {
		s.must(s.sys.CreateSaveFile(file))
		_, err = s.sys.SaveReceivers(s.m.Library(), []string{"*ALL"}, file, os400.SaveOptions{})
		s.must(err)
	}
	save(early)
	s.fill("B", 2)
	save(late)
	s.must(s.m.Damage(t.Context(), "A"))
	return s, late, early, first, second
}

// AMQ7432 names the receiver from which on the chain can't be read, and says
// what is the matter with it.
func TestBreach(t *testing.T) {
	type bench struct {
		*station
		late, early os400.ID
	}
	restore := func(b bench, file os400.ID, receiver string) {
		_, err := b.sys.RestoreReceivers([]string{receiver}, b.m.Library(), file, b.m.Library())
		b.must(err)
	}
	for _, c := range []struct {
		name   string
		spoil  func(b bench, first, second string)
		second bool // it is to blame, else the first
		detail string
	}{
		{"both gone", func(b bench, first, second string) {
			b.must(b.sys.Remove(b.id(second)))
			b.must(b.sys.Remove(b.id(first)))
		}, false, "is not on the system"},
		{"the second gone", func(b bench, _, second string) {
			b.must(b.sys.Remove(b.id(second)))
		}, true, "is not on the system"},
		{"the first back, the second gone", func(b bench, first, second string) {
			b.must(b.sys.Remove(b.id(second)))
			b.must(b.sys.Remove(b.id(first)))
			restore(b, b.late, first)
		}, true, "is not on the system"},
		{"the second partial", func(b bench, first, second string) {
			b.must(b.sys.Remove(b.id(second)))
			b.must(b.sys.Remove(b.id(first)))
			restore(b, b.early, second)
			restore(b, b.late, first)
		}, true, "is PARTIAL"},
		{"oldest first", func(b bench, first, second string) {
			b.must(b.sys.Remove(b.id(second)))
			b.must(b.sys.Remove(b.id(first)))
			restore(b, b.late, first)
			restore(b, b.late, second)
		}, false, "is not associated with its journal"},
		{"the second damaged", func(b bench, _, second string) {
			b.must(b.sys.MarkDamaged(b.id(second)))
		}, true, "is marked as damaged (CPF8136)"},
		{"the second's file gone", func(b bench, _, second string) {
			b.must(b.disk.Remove(b.sys.FileOf(b.id(second))))
		}, true, "has no data on the disk"},
		{"a byte of the second", func(b bench, _, second string) {
			name := b.sys.FileOf(b.id(second))
			content, err := b.disk.Contents(name)
			b.must(err)
			content[8192+3000] ^= 4
			b.disk.Put(name, content)
		}, true, "is damaged at byte 8192 of its file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, late, early, first, second := broken(t)
			c.spoil(bench{s, late, early}, first, second)
			blamed, other := first, second
			if c.second {
				blamed, other = second, first
			}
			_, err := s.m.Recreate(t.Context(), Selection{Name: "A", Type: "*Q"})
			s.unavailable(err, blamed, zeroTime)
			var escape *os400.Error
			errors.As(err, &escape)
			if escape.Object.Name != blamed || !strings.Contains(escape.Text, "receiver "+blamed+" in library QMTEST "+c.detail) ||
				strings.Contains(escape.Text, other) {
				t.Errorf("%q", escape.Text)
			}
		})
	}
}

// A receiver without entries begins where the one behind it does, and is not to
// blame.
func TestBreachBehindAnEmptyReceiver(t *testing.T) {
	s := station1(t)
	s.put("A", body(100))
	_, err := s.m.RecordImages(t.Context(), Selection{Name: "A", Type: "*Q"})
	s.must(err)
	for range 3 {
		s.must(s.sys.ChangeJournal(t.Context(), s.m.Journal(), os400.Change{Receiver: "*GEN"}))
	}
	behind := s.m.Status().CurrLog
	s.fill("B", 1)
	s.must(s.m.Damage(t.Context(), "A"))
	if all := s.sys.Receivers(s.m.Journal()); all[len(all)-3].Entries() != 0 || all[len(all)-2].Name != behind {
		t.Fatalf("%+v", all)
	}
	s.must(s.sys.MarkDamaged(s.id(behind)))
	_, err = s.m.Recreate(t.Context(), Selection{Name: "A", Type: "*Q"})
	s.unavailable(err, behind, zeroTime)
	if !strings.Contains(err.Error(), "marked as damaged") {
		t.Error(err)
	}
	s.must(s.sys.Remove(s.id(behind)))
	_, err = s.m.Recreate(t.Context(), Selection{Name: "A", Type: "*Q"})
	s.unavailable(err, behind, zeroTime)
	if !strings.Contains(err.Error(), "not on the system") {
		t.Error(err)
	}
}

// A receiver that was restored before the one that follows joins when it is
// associated, and the command that failed works.
func TestBreachMended(t *testing.T) {
	s, late, _, first, second := broken(t)
	for _, receiver := range []string{second, first} {
		s.must(s.sys.Remove(s.id(receiver)))
	}
	for _, receiver := range []string{first, second} {
		_, err := s.sys.RestoreReceivers([]string{receiver}, s.m.Library(), late, s.m.Library())
		s.must(err)
	}
	if n, err := s.sys.Associate(s.m.Journal()); n != 1 || err != nil {
		t.Fatalf("%d associated, %v", n, err)
	}
	if n, err := s.m.Recreate(t.Context(), Selection{Name: "A", Type: "*Q"}); n != 1 || err != nil {
		t.Errorf("re-created %d, %v", n, err)
	}
}
