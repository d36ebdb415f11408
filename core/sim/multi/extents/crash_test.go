package extents

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/wal/crashdisk"
)

// life is what is done with a log in the tests of crashes: it grows, is given
// marks, archived, reduced, and its next extent prepared.
func life(r *rig) error {
	for step := range 8 {
		if err := r.put(3000); err != nil {
			return err
		}
		if r.set.Management == Archive {
			if name := r.listed()[0]; name != r.log.Current() {
				if err := r.log.Archived(name); err != nil {
					return err
				}
			}
		}
		if step%2 == 1 {
			if _, err := r.pass(1, 2); err != nil {
				return err
			}
		}
		if step == 6 {
			if _, err := r.log.Reduce(ReduceOne); err != nil && !errors.Is(err, ErrNotReduced) && !errors.Is(err, ErrLogType) {
				return err
			}
		}
	}
	return nil
}

// whole looks whether every extent that is listed as begun is there and is
// what the list says.
func whole(t *testing.T, l *Log) {
	t.Helper()
	for _, s := range l.Segments() {
		if s.Start == 0 {
			continue
		}
		head, err := l.head(s.Name[len(l.Folder())+1:])
		if err != nil || head.Start != s.Start || head.ID != l.c.id {
			t.Fatalf("listed extent %s, from %s: %+v, %v", s.Name, s.Start, head, err)
		}
	}
}

// A failure of the power at any operation leaves every listed extent in its
// place and the log readable from the restart mark on, and it goes on.
func TestCrashAtEveryStep(t *testing.T) {
	sets := map[string]Settings{
		"circular":  ring(2, 4),
		"manual":    line(Manual, 2, 4),
		"automatic": line(Automatic, 3, 4),
		"archive":   line(Archive, 2, 4),
	}
	wrapped := line(Archive, 2, 4)
	wrapped.First = 9_999_998
	sets["archive, at the wrap"] = wrapped
	for name, set := range sets {
		t.Run(name, func(t *testing.T) {
			for stop := 0; ; stop++ {
				d := crashdisk.New()
				d.Fault(crashdisk.FailAfter(stop, crashdisk.ErrPower))
				r, err := newRig(d, set)
				if err == nil {
					err = life(r)
				}
				if err == nil {
					return // nothing is left to break
				}
				if !errors.Is(err, crashdisk.ErrPower) {
					t.Fatalf("operation %d: %v", stop, err)
				}
				crash(d, stop)
				recoverRig(t, r, stop)
			}
		})
	}
}

// crash ends the life of a disk in one of three ways.
func crash(d *crashdisk.Disk, n int) {
	d.Fault(nil)
	switch n % 3 {
	case 0:
		d.Crash()
	case 1:
		d.CrashAfter(d.Unsynced() / 2)
	default:
		d.CrashScattered(rand.New(rand.NewPCG(uint64(n), 1)))
	}
}

// recoverRig starts a log after a crash, has it live on, and starts it again.
func recoverRig(t *testing.T, r *rig, stop int) {
	t.Helper()
	if len(r.known) == 0 { // it was never made whole: it is made again
		again, err := newRig(fresh(t, r), r.set)
		if err != nil {
			t.Fatalf("operation %d: making it again: %v", stop, err)
		}
		*r = *again
	} else if err := r.reopen(); err != nil {
		t.Fatalf("operation %d: starting: %v", stop, err)
	}
	whole(t, r.log)
	if _, err := r.pass(1, 2); err != nil {
		t.Fatalf("operation %d: the first checkpoint: %v", stop, err)
	}
	if err := life(r); err != nil {
		t.Fatalf("operation %d: living on: %v", stop, err)
	}
	must(t, r.w.Close())
	if err := r.reopen(); err != nil {
		t.Fatalf("operation %d: starting again: %v", stop, err)
	}
	whole(t, r.log)
	for i, e := range r.log.c.list[1:] {
		if before := r.log.c.list[i]; r.set.Kind == Linear && observe.ExtentDistance(before.number, e.number) != 1 {
			t.Fatalf("operation %d: %d follows %d", stop, e.number, before.number)
		}
	}
}

// fresh is the disk of a log that was never made whole: if its control file is
// there the queue manager is deleted first.
func fresh(t *testing.T, r *rig) *crashdisk.Disk {
	d := r.disk.(*crashdisk.Disk)
	if _, _, err := openControl(d, dir); err == nil {
		for _, name := range r.active(t) {
			must(t, d.Remove(dir+"/active/"+name))
		}
		must(t, d.Remove(dir+"/"+ControlName))
	}
	return d
}
