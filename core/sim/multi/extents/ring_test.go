package extents

import (
	"errors"
	"testing"
)

// The ring uses its primary files in turn and needs no other while a restart
// needs fewer than all of them.
func TestRingGoesRound(t *testing.T) {
	r := build(t, ring(3, 2))
	r.has(t, "S0000000", "S0000001", "S0000002")
	for range 10 {
		r.fill(t, 1)
		_, err := r.pass(0, 0)
		must(t, err)
	}
	r.has(t, "S0000000", "S0000001", "S0000002")
	must(t, r.reopen())
}

// Where the oldest extent that a restart needs is in the way, secondary files
// are used up to their number; then the log is full (reference, Multiplatforms
// 4.3 item 90).
func TestRingFills(t *testing.T) {
	r := build(t, ring(3, 2))
	r.fill(t, 2)
	r.lists(t, "S0000000", "S0000001", "S0000002")
	r.fill(t, 2)
	r.has(t, "S0000000", "S0000001", "S0000002", "S0000003", "S0000004")
	if err := r.put(3000); !errors.Is(err, ErrFull) {
		t.Fatalf("the ring is full: %v", err)
	}
	must(t, r.put(500)) // the current file has room left
	if _, err := r.read(r.restart); err != nil {
		t.Error(err)
	}
	// The checkpoint frees all but the current file. The secondary ones stay
	// while the demand is remembered, and go after that.
	_, err := r.pass(0, 0)
	must(t, err)
	r.fill(t, 1)
	r.lists(t, "S0000001", "S0000002", "S0000003", "S0000004", "S0000000")
	for range 2 {
		pass, err := r.pass(0, 0)
		must(t, err)
		if pass.Deleted != 0 {
			t.Errorf("dropped at once: %+v", pass)
		}
	}
	pass, err := r.pass(0, 0)
	must(t, err)
	if pass.Deleted != 2 {
		t.Errorf("demand has fallen: %+v, want 2 deleted", pass)
	}
	r.has(t, "S0000000", "S0000001", "S0000002")
	must(t, r.reopen())
}

// A secondary file that a restart needs is not dropped, nor is it the place of
// the next records.
func TestRingKeepsSecondariesThatAreNeeded(t *testing.T) {
	r := build(t, ring(2, 3))
	r.fill(t, 3) // S0 S1 S2s S3s
	if _, err := r.pass(1, 0); err != nil {
		t.Fatal(err)
	}
	r.fill(t, 2) // the primary files are free again
	r.lists(t, "S0000002", "S0000003", "S0000000", "S0000001")
	for range 5 {
		_, err := r.pass(100, 0) // a long unit of work holds the mark
		must(t, err)
	}
	r.has(t, "S0000000", "S0000001", "S0000002", "S0000003")
	must(t, r.reopen())
}

// Counts of qm.ini take effect at a restart: the files that are more are made,
// those that are fewer go when nothing needs them.
func TestCountsChangeAtARestart(t *testing.T) {
	r := build(t, ring(3, 2))
	r.fill(t, 4) // all five
	r.set = ring(6, 4)
	must(t, r.reopen())
	_, err := r.pass(100, 0)
	must(t, err)
	r.has(t, "S0000000", "S0000001", "S0000002", "S0000003", "S0000004", "S0000005")
	r.fill(t, 5)
	if err := r.put(3000); !errors.Is(err, ErrFull) {
		t.Fatalf("ten extents are in use: %v", err)
	}
	r.set = ring(2, 1)
	must(t, r.reopen())
	_, err = r.pass(1, 0) // two extents are needed, of which both are beyond the counts
	must(t, err)
	r.has(t, "S0000000", "S0000001", "S0000002", "S0000008", "S0000009")
	r.fill(t, 1)
	for range remembered + 1 {
		_, err = r.pass(0, 0)
		must(t, err)
	}
	r.has(t, "S0000000", "S0000001")
	must(t, r.reopen())
}

// A restart that finds the log full may write its checkpoint, which is what
// makes room.
func TestRestartOfAFullRing(t *testing.T) {
	r := build(t, ring(2, 1))
	r.fill(t, 2)
	if err := r.put(3000); !errors.Is(err, ErrFull) {
		t.Fatalf("the ring is full: %v", err)
	}
	must(t, r.reopen())
	r.fill(t, 1)
	if _, err := r.read(r.restart); err != nil {
		t.Errorf("from the mark on: %v", err)
	}
	_, err := r.pass(0, 0)
	must(t, err)
	_, err = r.pass(0, 0)
	must(t, err)
	r.fill(t, 1)
	must(t, r.reopen())
}
