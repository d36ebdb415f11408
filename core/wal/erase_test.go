package wal

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/mqhk/mqhk/core/wal/crashdisk"
)

// torn gives a log whose first record was acknowledged and whose last, of
// several sectors, a crash has torn: so many bytes of it are there.
func torn(t *testing.T, kept int64) (*crashdisk.Disk, []Segment, Tail) {
	t.Helper()
	d, w := created(t, 8192, 0, Options{})
	_, err := w.Commit(t.Context(), []byte("acknowledged"))
	must(t, err)
	_, err = w.Append(make([]byte, 1500))
	must(t, err)
	d.Fault(func(op crashdisk.Op) error {
		if op.Kind == crashdisk.Sync {
			return crashdisk.ErrPower
		}
		return nil
	})
	if err := w.Close(); !errors.Is(err, crashdisk.ErrPower) {
		t.Fatal(err)
	}
	d.Fault(nil)
	d.CrashAfter(kept)
	chain := []Segment{{layout(0, 0, 0).Name, First}}
	got, tail, err := read(d, chain, ReadOptions{})
	if err != nil || len(got) != 1 || !tail.Torn {
		t.Fatalf("%d bytes kept: %d records, %+v, %v", kept, len(got), tail, err)
	}
	return d, chain, tail
}

// A torn tail is erased under a note: the power fails before every step of it
// in turn, and the crash leaves the erasing done up to any byte, or in any of
// its sectors. The log ends where it did, and goes on. Without the note a sector
// whose zeros reach over the record's header and no further looks as if it had
// been written whole.
func TestErasingSurvivesACrashAnywhere(t *testing.T) {
	crashes := map[string]func(*crashdisk.Disk){
		"nothing": (*crashdisk.Disk).Crash, "everything": (*crashdisk.Disk).Kill,
	}
	for seed := range uint64(8) {
		crashes[fmt.Sprintf("scattered %d", seed)] = func(d *crashdisk.Disk) {
			d.CrashScattered(rand.New(rand.NewPCG(seed, 4)))
		}
	}
	for keep := int64(1); keep < 3*sector; keep += 64 {
		crashes[fmt.Sprintf("%d bytes", keep)] = func(d *crashdisk.Disk) { d.CrashAfter(keep) }
	}
	for _, kept := range []int64{20, 400, 600, 1200} {
		for stop, done := 0, false; !done; stop++ {
			for name, crash := range crashes {
				d, chain, tail := torn(t, kept)
				d.Fault(crashdisk.FailAfter(stop, crashdisk.ErrPower))
				_, err := Resume(d, tail, Options{})
				d.Fault(nil)
				if done = err == nil; !done && !errors.Is(err, crashdisk.ErrPower) {
					t.Fatal(err)
				}
				crash(d)
				goesOn(t, d, chain, tail.LSN, fmt.Sprintf("%d bytes torn, power failed at step %d, kept: %s", kept, stop, name))
			}
		}
	}
}

// goesOn opens a log with one record that ends at a position, adds a record,
// and reads both after another crash.
func goesOn(t *testing.T, d *crashdisk.Disk, chain []Segment, end LSN, when string) {
	t.Helper()
	w, tail, err := Open(d, chain, ReadOptions{}, Options{})
	if err != nil || tail.LSN != end {
		t.Fatalf("%s: the log ends at %s, want %s; %v", when, tail.LSN, end, err)
	}
	_, err = w.Commit(t.Context(), []byte("after it"))
	must(t, err)
	d.Crash()
	if got, tail, err := read(d, chain, ReadOptions{}); err != nil || len(got) != 2 || tail.Torn {
		t.Fatalf("%s: %d records, %+v, %v", when, len(got), tail, err)
	}
}
