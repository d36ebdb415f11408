package extents

import (
	"errors"
	"io/fs"
	"slices"
	"syscall"
	"testing"

	"github.com/mqhk/mqhk/core/sim/multi/quota"
	"github.com/mqhk/mqhk/core/wal"
	"github.com/mqhk/mqhk/core/wal/crashdisk"
)

// A linear log with management Manual keeps everything until somebody removes
// it, and then forgets what neither restart nor media recovery needs.
func TestManualKeeps(t *testing.T) {
	r := build(t, line(Manual, 3, 2))
	r.has(t, "S0000000", "S0000001", "S0000002") // the primary files, ahead
	for range 6 {
		r.fill(t, 1)
		pass, err := r.pass(0, 0)
		must(t, err)
		if pass.Deleted != 0 || pass.Reused != 0 {
			t.Errorf("the log itself gave up %+v", pass)
		}
	}
	r.lists(t, "S0000000", "S0000001", "S0000002", "S0000003", "S0000004", "S0000005", "S0000006")
	r.remove(t, "S0000001") // one that has an older one before it stays in the list
	r.remove(t, "S0000005")
	_, err := r.pass(0, 0)
	must(t, err)
	r.lists(t, "S0000000", "S0000001", "S0000002", "S0000003", "S0000004", "S0000005", "S0000006")
	r.remove(t, "S0000000")
	_, err = r.pass(0, 0)
	must(t, err)
	r.lists(t, "S0000002", "S0000003", "S0000004", "S0000005", "S0000006")
	must(t, r.reopen())
}

// What media recovery needs stays in the list though its file is gone, so that
// it works as soon as the file is back.
func TestRemovedByHandAndPutBack(t *testing.T) {
	r := build(t, line(Manual, 3, 2))
	for range 5 {
		r.fill(t, 1)
		_, err := r.pass(0, 1000)
		must(t, err)
	}
	kept, err := r.disk.(*crashdisk.Disk).Contents(dir + "/active/S0000001.LOG")
	must(t, err)
	r.remove(t, "S0000001")
	_, err = r.pass(0, 1000)
	must(t, err)
	must(t, r.reopen()) // the restart does not read it
	from := r.known[1].at
	if _, err := r.read(from); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("reading through what is gone: %v", err)
	}
	r.disk.(*crashdisk.Disk).Put(dir+"/active/S0000001.LOG", kept)
	if _, err := r.read(from); err != nil {
		t.Errorf("it was put back: %v", err)
	}
}

// A needed extent that is removed under the log goes unnoticed until the next
// start (chapter 7.3); that one fails for it, and works when it is back.
func TestNeededExtentRemovedWhileRunning(t *testing.T) {
	for name, set := range map[string]Settings{
		"circular": ring(3, 3), "manual": line(Manual, 3, 3), "automatic": line(Automatic, 3, 3), "archive": line(Archive, 3, 3),
	} {
		t.Run(name, func(t *testing.T) {
			r := build(t, set)
			r.fill(t, 3)
			d := r.disk.(*crashdisk.Disk)
			const file = dir + "/active/S0000001.LOG"
			kept, err := d.Contents(file)
			must(t, err)
			r.remove(t, "S0000001")
			r.fill(t, 1)
			_, err = r.pass(3, 3) // to S0000001
			must(t, err)
			must(t, r.w.Close())
			var damage *wal.Damage
			if err := r.reopen(); !errors.As(err, &damage) || !errors.Is(err, fs.ErrNotExist) {
				t.Fatalf("a start without it: %v", err)
			}
			if _, err := d.Contents(file); !errors.Is(err, fs.ErrNotExist) {
				t.Fatal("the log has made a file of that name itself")
			}
			// A false file of the right size and name (reference,
			// Multiplatforms 4.2 item 87) is not taken for it.
			for _, other := range [][]byte{make([]byte, len(kept)), slices.Repeat([]byte("junk"), len(kept)/4)} {
				d.Put(file, other)
				if err := r.reopen(); !errors.As(err, &damage) {
					t.Fatalf("a start with a false file: %v", err)
				}
			}
			d.Put(file, kept)
			must(t, r.reopen())
		})
	}
}

// Extents that neither recovery needs wait for reuse, and are renamed when they
// are used; more than the primary files there are deleted.
func TestAutomaticReuses(t *testing.T) {
	r := build(t, line(Automatic, 3, 2))
	r.has(t, "R0000001", "R0000002", "S0000000")
	r.fill(t, 4)
	r.has(t, "S0000000", "S0000001", "S0000002", "S0000003", "S0000004")
	r.media = r.restart // media recovery needs everything still
	pass, err := r.log.Passed(r.back(0), r.restart)
	must(t, err)
	if want := (Pass{Created: 2, Reused: 2}); pass != want {
		t.Errorf("%+v, want %+v", pass, want)
	}
	r.has(t, "S0000000", "S0000001", "S0000002", "S0000003", "S0000004")
	pass, err = r.pass(0, 0)
	must(t, err)
	if want := (Pass{Deleted: 2}); pass != want {
		t.Errorf("%+v, want %+v", pass, want)
	}
	r.has(t, "R0000000", "R0000001", "S0000004")
	r.lists(t, "S0000004")
	r.fill(t, 1)
	r.has(t, "R0000001", "S0000004", "S0000005")
	must(t, r.reopen())
	_, err = r.pass(0, 0)
	must(t, err)
	r.has(t, "R0000001", "R0000004", "S0000005")
}

// After 9999999 comes 0000000, and nothing is older or newer by its number.
func TestNumbersWrap(t *testing.T) {
	for _, m := range []Management{Manual, Automatic, Archive} {
		t.Run(string(m), func(t *testing.T) {
			set := line(m, 3, 4)
			set.First = 9_999_998
			r := build(t, set)
			r.fill(t, 4)
			want := []string{"S9999998", "S9999999", "S0000000", "S0000001", "S0000002"}
			r.lists(t, slices.Clone(want)...)
			must(t, r.reopen())
			r.lists(t, slices.Clone(want)...)
			if s := r.log.Status(r.w.End()); s.Current != "S0000002.LOG" || s.Restart != "S9999998.LOG" {
				t.Errorf("CURRLOG %s, RECLOG %s", s.Current, s.Restart)
			}
			if m == Archive {
				must(t, r.log.ArchivedUpTo("S0000000.LOG"))
				if s := r.log.Status(r.w.End()); s.Archived != "S0000001.LOG" {
					t.Errorf("ARCHLOG %s", s.Archived)
				}
			}
			if m == Manual {
				r.remove(t, "S9999998")
			}
			_, err := r.pass(1, 1)
			must(t, err)
			switch m {
			case Manual:
				r.lists(t, "S9999999", "S0000000", "S0000001", "S0000002")
			default:
				r.lists(t, "S0000001", "S0000002")
			}
			must(t, r.reopen())
			for range 4 {
				r.fill(t, 2)
				if m == Archive {
					must(t, r.log.ArchivedUpTo(r.listed()[len(r.listed())-2]))
				}
				_, err := r.pass(1, 1)
				must(t, err)
				must(t, r.reopen())
			}
			if got := r.log.Current(); got != "S0000010.LOG" {
				t.Errorf("current %s", got)
			}
		})
	}
}

// The span that a restart needs is bounded by the counts on a linear log too;
// what media recovery needs is not (reference, Multiplatforms 4.3 item 92).
func TestLinearSpanIsBounded(t *testing.T) {
	r := build(t, line(Manual, 2, 1))
	r.fill(t, 2)
	if err := r.put(3000); !errors.Is(err, ErrFull) {
		t.Fatalf("three extents hold what a restart needs: %v", err)
	}
	for range 5 {
		_, err := r.pass(0, 1000)
		must(t, err)
		r.fill(t, 1)
	}
	if n := len(r.listed()); n != 8 {
		t.Errorf("%d extents for media recovery", n)
	}
}

// On a file system that is full no extent is made (AMQ6708), one that waits for
// reuse is used, and giving up needs no room.
func TestFileSystemFull(t *testing.T) {
	extent := line(Automatic, 3, 4).bytes()
	under := crashdisk.New()
	d := quota.New(under, dir, 2*leastSlot+4*extent+100)
	r, err := newRig(d, line(Automatic, 3, 4))
	must(t, err)
	r.fill(t, 3)
	if room := r.log.Room(r.restart, r.w.End()); room != 4096-int64(r.w.End()-r.log.Segments()[3].Start) {
		t.Errorf("room for %d bytes", room)
	}
	err = r.put(3000)
	if !errors.Is(err, syscall.ENOSPC) || errors.Is(err, ErrFull) {
		t.Fatalf("no room for a fifth extent: %v", err)
	}
	must(t, r.put(500))
	if s := r.log.Status(r.w.End()); s.SystemSize != d.Size() || s.SystemUsed != d.Used() {
		t.Errorf("%d of %d bytes", s.SystemUsed, s.SystemSize)
	}
	if _, err := r.read(r.restart); err != nil {
		t.Error(err)
	}
	_, err = r.pass(0, 0)
	must(t, err)
	r.fill(t, 2)
	must(t, r.reopen())
}

// A file that has the name of the next extent and holds records is not written
// over.
func TestNextNameIsTaken(t *testing.T) {
	r := build(t, line(Automatic, 3, 2))
	content, err := r.disk.(*crashdisk.Disk).Contents(dir + "/active/S0000000.LOG")
	must(t, err)
	r.disk.(*crashdisk.Disk).Put(dir+"/active/S0000001.LOG", content)
	if err := r.put(3000); !errors.Is(err, fs.ErrExist) {
		t.Errorf("the name is taken: %v", err)
	}
}
