package ledger

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/mqhk/mqhk/core/observe"
)

// Of many that take a kept plan at once, one gets it.
func TestKeptPlanIsTakenOnce(t *testing.T) {
	ctx := context.Background()
	dir := folder(t)
	a, b := openAt(t, dir, Options{}), openAt(t, dir, Options{})
	plan := strings.Repeat("a plan\x00", 1000)
	must(t, a.Keep(ctx, "friday", []byte(plan)))
	if err := b.Keep(ctx, "friday", []byte("another")); !errors.Is(err, ErrKept) {
		t.Errorf("kept twice: %v", err)
	}
	if _, err := a.Take(ctx, "monday", "operator"); !errors.Is(err, ErrNoPlan) {
		t.Errorf("took what was never kept: %v", err)
	}
	var won atomic.Int32
	if err := b.Keep(ctx, "friday", []byte(plan)); !errors.Is(err, ErrKept) { // whoever runs it keeps it first, and passes over this
		t.Errorf("kept again: %v", err)
	}
	var group sync.WaitGroup
	for i := range 8 {
		l := []*Ledger{a, b}[i%2]
		group.Go(func() {
			got, err := l.Take(ctx, "friday", "operator")
			switch {
			case err == nil && string(got) == plan:
				won.Add(1)
			case !errors.Is(err, ErrTaken) || !strings.Contains(err.Error(), "by operator at 20"):
				t.Errorf("%d bytes, %v", len(got), err)
			}
		})
	}
	group.Wait()
	if won.Load() != 1 {
		t.Errorf("%d took it", won.Load())
	}
	if err := a.Keep(ctx, "friday", []byte(plan)); !errors.Is(err, ErrKept) {
		t.Errorf("kept once more to be run twice: %v", err)
	}
	if _, err := a.Verify(ctx); err != nil {
		t.Error(err)
	}
}

func TestNotes(t *testing.T) {
	ctx := context.Background()
	l := openAt(t, folder(t), Options{})
	for says, n := range map[string]Note{
		"is none of data-backup":                     {Target: "ORDERS", Kind: "nap", Segment: "A"},
		"names no segment":                           {Target: "ORDERS", Kind: Saved, Position: "4711"},
		"neither a segment nor a position":           {Target: "ORDERS", Kind: Replayed, Text: "all"},
		"target is missing":                          {Kind: Saved, Segment: "A"},
		"position: \"a\\tb\" has more than one line": {Target: "ORDERS", Kind: DataBackup, Position: "a\tb"},
	} {
		if _, err := l.AddNote(ctx, n); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%+v: %v, want %q", n, err, says)
		}
	}
	for _, kind := range []NoteKind{DataBackup, PageSetBackup, Saved, Shipped, Replayed} {
		parsed, err := ParseNoteKind(" " + strings.ToUpper(string(kind)))
		must(t, err)
		note, err := l.AddNote(ctx, Note{Target: "ORDERS", Kind: parsed, Segment: "QMORDERS/AMQA000001", Position: "2026-05-27 14.05.35", Text: "t"})
		must(t, err)
		all, err := l.Notes(ctx, "ORDERS")
		must(t, err)
		if got := all[len(all)-1]; got != note || got.Kind != kind || got.Library != "QMORDERS" || got.At.IsZero() {
			t.Errorf("%+v, want %+v", got, note)
		}
	}
}

// A note counts until it is ended; both stay in the trail, and a note is no
// hold, nor a hold a note.
func TestEndNote(t *testing.T) {
	ctx := context.Background()
	clock := newClock()
	l := openAt(t, folder(t), Options{Clock: clock.Now})
	add := func(target, text string) Note {
		t.Helper()
		note, err := l.AddNote(ctx, Note{Target: target, Kind: DataBackup, Segment: "S0000104.LOG", Text: text})
		must(t, err)
		return note
	}
	june, july, other := add("QM1", "june"), add("QM1", "july"), add("QM2", "june")
	hold, err := l.AddHold(ctx, Hold{Target: "QM1", Reason: "case 4711"})
	must(t, err)
	for _, wrong := range []struct {
		target string
		id     int64
	}{{"QM1", other.ID}, {"QM1", hold.ID}, {"QM1", 1}, {"QM1", 4711}, {"QM2", june.ID}} {
		if err := l.EndNote(ctx, wrong.target, wrong.id, "operator", ""); !errors.Is(err, ErrNoNote) {
			t.Errorf("note %d of %s ended: %v", wrong.id, wrong.target, err)
		}
	}
	if err := l.EndNote(ctx, "QM1", june.ID, "operator", "a\nb"); err == nil || !strings.Contains(err.Error(), "more than one line") {
		t.Error(err)
	}
	if err := l.LiftHold(ctx, june.ID, "operator"); !errors.Is(err, ErrNoHold) {
		t.Errorf("a note was lifted as a hold: %v", err)
	}
	must(t, l.EndNote(ctx, "QM1", june.ID, "operator", " tape overwritten "))
	if err := l.EndNote(ctx, "QM1", june.ID, "operator", ""); !errors.Is(err, ErrNoNote) {
		t.Errorf("ended twice: %v", err)
	}
	ended := june
	ended.Ended = NoteEnd{At: wall(clock.Now()), By: "operator", Text: "tape overwritten"}
	counts, err := l.Notes(ctx, "QM1")
	must(t, err)
	if len(counts) != 1 || counts[0] != july {
		t.Errorf("%+v counts, want %+v", counts, july)
	}
	all, err := l.AllNotes(ctx, "QM1")
	must(t, err)
	if len(all) != 2 || all[0] != ended || all[1] != july {
		t.Errorf("all: %+v, want %+v and %+v", all, ended, july)
	}
	answer, err := l.Ask(ctx, observe.Question{Language: observe.Note, QueueManager: "QM1", Text: observe.NotesQuestion})
	must(t, err)
	if text := string(answer.Body); strings.Contains(text, "june") || !strings.Contains(text, "july") {
		t.Error(text)
	}
	if holds, err := l.Holds(ctx, "QM1"); err != nil || len(holds) != 1 {
		t.Errorf("%+v, %v", holds, err)
	}
	if _, err := l.Verify(ctx); err != nil {
		t.Error(err)
	}
}
