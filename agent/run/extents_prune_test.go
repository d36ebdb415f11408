package run

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/agent/connect/local/standin"
	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/agent/store"
	"github.com/mqhk/mqhk/core/observe"
)

func (s *extentSite) prune(mode connect.Mode) ([]store.Fate, error) {
	s.t.Helper()
	return Prune(s.t.Context(), PruneOrder{Order: s.order(mode, "saved"), Target: s.target})
}

// fatesText writes what becomes of copies: "100 gone, 101 stays".
func fatesText(fates []store.Fate) string {
	var words []string
	for _, f := range fates {
		word := " stays"
		switch {
		case f.Gone:
			word = " gone"
		case f.Goes:
			word = " goes"
		}
		words = append(words, strings.TrimLeft(f.Entry.Manifest.Segment[1:8], "0")+word)
	}
	return strings.Join(words, ", ")
}

func (s *extentSite) note(kind ledger.NoteKind, number int) int64 {
	s.t.Helper()
	n, err := s.ledger.AddNote(s.t.Context(), ledger.Note{Target: "QM1", Kind: kind, Segment: observe.ExtentName(number), By: "ann"})
	s.must(err)
	return n.ID
}

// What leaves the store is older than every range of need: restart and media
// recovery, data backups that are kept, what a backup queue manager has not
// replayed, holds. The oldest of them decides, and never how old a copy is.
func TestExtentCopiesPruned(t *testing.T) {
	manyProcesses(t)
	s := archived(t) // 100 to 114 are in the store, MEDIALOG is 108
	s.wants(s.apply("fast-startup"), each(100, 114, "delete N done"))
	backup, replayed := s.note(ledger.DataBackup, 102), s.note(ledger.Replayed, 103)
	hold, err := s.ledger.AddHold(t.Context(), ledger.Hold{Target: "QM1", Reason: "a support case", By: "ann"})
	s.must(err)
	steps := []struct {
		name string
		lift func()
		want string
	}{
		{"a hold", func() {}, each(100, 114, "N stays")},
		{"a data backup", func() { s.must(s.ledger.LiftHold(t.Context(), hold.ID, "ann")) }, each(100, 101, "N gone") + ", " + each(102, 114, "N stays")},
		{"not replayed", func() { s.must(s.ledger.EndNote(t.Context(), "QM1", backup, "ann", "it is not kept any more")) }, each(102, 103, "N gone") + ", " + each(104, 114, "N stays")},
		{"the media point", func() { s.must(s.ledger.EndNote(t.Context(), "QM1", replayed, "ann", "")) }, each(104, 107, "N gone") + ", " + each(108, 114, "N stays")},
		{"nothing more", func() {}, each(108, 114, "N stays")},
	}
	for _, step := range steps {
		step.lift()
		before := digest(t, s.vault)
		dry, err := s.prune(connect.Plan)
		s.must(err)
		if digest(t, s.vault) != before {
			t.Errorf("%s: a dry run has changed the store", step.name)
		}
		fates, err := s.prune(connect.Apply)
		if err != nil || fatesText(fates) != step.want {
			t.Errorf("%s: %s, %v\nwant %s", step.name, fatesText(fates), err, step.want)
		}
		if got := fatesText(dry); got != strings.ReplaceAll(step.want, "gone", "goes") {
			t.Errorf("%s: planned %s", step.name, got)
		}
	}
	if list, err := s.restoreFor(connect.Apply, 0); err != nil || len(list) != 7 {
		t.Errorf("what is needed comes back: %v, %v", list, err)
	}
	runs, err := s.ledger.Runs(t.Context(), ledger.Filter{Task: pruning})
	if err != nil || len(runs) != 3 || runs[0].Outcome != Applied {
		t.Errorf("recorded: %+v, %v", runs, err)
	}
}

// A prune that is ended in the middle has removed the oldest copies and no
// other; the next one goes on.
func TestExtentPruneEnded(t *testing.T) {
	s := archived(t)
	s.wants(s.apply("fast-startup"), each(100, 114, "delete N done"))
	ctx, cancel := context.WithCancel(t.Context())
	order := PruneOrder{Order: s.order(connect.Apply, "saved"), Target: s.target}
	asked := 0
	dial := tamper(s.hook.Dialer)
	dial.ask = func(n int, _ observe.Question) error {
		if asked = n; n == 5 {
			cancel()
		}
		return nil
	}
	s.hook.Dialer = dial
	if fates, err := Prune(ctx, order); !errors.Is(err, context.Canceled) || len(s.copies()) != 15 {
		t.Errorf("%s, %v, after %d questions", fatesText(fates), err, asked)
	}
	s.shift.Add(int64(defaultLease))
	fates, err := s.prune(connect.Apply)
	if err != nil || fatesText(fates) != each(100, 107, "N gone")+", "+each(108, 114, "N stays") {
		t.Errorf("%s, %v", fatesText(fates), err)
	}
}

// Nothing leaves a store while it is not known what a recovery needs.
func TestExtentPruneUnbounded(t *testing.T) {
	manyProcesses(t)
	s := archived(t)
	before := digest(t, s.vault)
	for name, happen := range map[string]func(){
		"it has ended":       func() { s.change(func(m *standin.Manager) { m.Ended = true }) },
		"half an answer":     func() { s.must(s.host.Behave("runmqsc", standin.Half)) },
		"another answers":    func() { s.must(s.host.Behave("runmqsc", standin.Another)) },
		"RECLOG went back":   func() { s.change(func(m *standin.Manager) { m.Restart = 101 }) },
		"it is a standby":    func() { s.change(func(m *standin.Manager) { m.Status = "Running as standby" }) },
		"qm.ini has no word": func() { s.rewrite("LogType=LINEAR", "LogType=UNHEARD") },
	} {
		happen()
		if fates, err := s.prune(connect.Apply); err == nil {
			t.Errorf("%s: %s", name, fatesText(fates))
		}
		s.must(s.host.Behave("runmqsc", ""))
		s.change(func(m *standin.Manager) { m.Ended, m.Status, m.Restart = false, "", 115 })
	}
	if digest(t, s.vault) != before {
		t.Error("the store has changed")
	}
}

// A ledger that does not know who made the copies may lack the holds and the
// notes that keep them: nothing leaves a store by it.
func TestExtentPruneByAnotherLedger(t *testing.T) {
	s := archived(t)
	s.wants(s.apply("fast-startup"), each(100, 114, "delete N done"))
	s.note(ledger.DataBackup, 100)
	other, err := ledger.Open(t.Context(), filepath.Join(t.TempDir(), "state"), ledger.Options{})
	s.must(err)
	defer func() { s.must(other.Close()) }()
	s.ledger = other
	before := digest(t, s.vault)
	for _, mode := range []connect.Mode{connect.Plan, connect.Apply} {
		if fates, err := s.prune(mode); !errors.Is(err, ErrUnbounded) || len(fates) > 0 {
			t.Errorf("mode %d: %s, %v", mode, fatesText(fates), err)
		}
	}
	if digest(t, s.vault) != before {
		t.Error("the store is not what it was")
	}
}
