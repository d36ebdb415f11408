package ledger

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
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
		"names no segment":                           {Target: "ORDERS", Kind: Shipped, Position: "4711"},
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
