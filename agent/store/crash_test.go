package store

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"

	"github.com/mqhk/mqhk/core/wal/crashdisk"
	"github.com/mqhk/mqhk/core/wal/disk"
)

var errPower = errors.New("the power is gone")

// powerFails lets so many operations be done.
func powerFails(d *crashdisk.Disk, after int) {
	d.Fault(func(crashdisk.Op) error {
		after--
		if after < 0 {
			return errPower
		}
		return nil
	})
}

// crashes are the ways in which a disk comes back.
func crashes(d *crashdisk.Disk, seed int) {
	d.Fault(nil)
	switch r := rand.New(rand.NewPCG(uint64(seed), 2)); seed % 3 {
	case 0:
		d.Crash()
	case 1:
		d.CrashAfter(r.Int64N(d.Unsynced() + 1))
	default:
		d.CrashScattered(r)
	}
}

// wholeOrNone makes sure of what the store says after a crash, and gives how
// many copies it has.
func wholeOrNone(t *testing.T, d *Directory, contents map[string][]byte) int {
	t.Helper()
	copies, problems := listed(d, "ORDERS")
	if len(problems) != 0 {
		t.Fatalf("listed with %v", problems)
	}
	for _, c := range copies {
		got, err := restored(d, c)
		if !c.Verified || err != nil || !bytes.Equal(got, contents[c.Segment.Name]) {
			t.Fatalf("%+v: %d bytes, %v", c, len(got), err)
		}
	}
	return len(copies)
}

// The power fails between any two operations: a whole copy is listed, or none,
// and one that Put gave back is there.
func TestPowerLostAtEveryOperation(t *testing.T) {
	for _, compress := range []bool{false, true} {
		t.Run(fmt.Sprintf("compress=%t", compress), func(t *testing.T) {
			content, ways := someBytes(5, blockSize+99), 6
			if compress { // what is written is one block then, and making ready takes long
				content, ways = content[:3000], 3
			}
			contents := map[string][]byte{"AMQA000006": content, "AMQA000007": content}
			finished := false
			for after := 0; !finished; after++ {
				for seed := range ways {
					files := crashdisk.New()
					put(t, onDisk(files, compress), receiver("AMQA000006"), facts(), content)
					powerFails(files, after)
					_, err := onDisk(files, compress).Put(t.Context(), receiver("AMQA000007"), facts(), bytes.NewReader(content))
					finished = err == nil
					crashes(files, seed)
					d := onDisk(files, compress)
					if n := wholeOrNone(t, d, contents); n < 1 || finished && n != 2 {
						t.Fatalf("after %d operations: %d copies, %v", after, n, err)
					}
					put(t, d, receiver("AMQA000007"), facts(), content)
					leavesNothing(t, files, 2)
				}
			}
		})
	}
}

// leavesNothing makes sure that there are so many copies and no parts.
func leavesNothing(t *testing.T, files disk.FS, copies int) {
	t.Helper()
	names, err := files.List("ORDERS.qm")
	if err != nil || len(names) != 2*copies || strings.Contains(strings.Join(names, " "), partSuffix) {
		t.Fatalf("left %v, %v", names, err)
	}
}

// The power fails while a damaged copy is replaced: it stays one that counts
// as none, or is whole.
func TestPowerLostWhileReplacing(t *testing.T) {
	content := someBytes(6, 5000)
	contents := map[string][]byte{"AMQA000007": content}
	finished := false
	for after := 0; !finished; after++ {
		for seed := range 6 {
			files := crashdisk.New()
			d := onDisk(files, false)
			c := put(t, d, receiver("AMQA000007"), facts(), content[1:])
			damageOnDisk(t, files)
			is(t, d.Verify(t.Context(), c), ErrDamaged)
			powerFails(files, after)
			_, err := onDisk(files, false).Put(t.Context(), receiver("AMQA000007"), facts(), bytes.NewReader(content))
			finished = err == nil
			crashes(files, seed)
			d = onDisk(files, false)
			if now := one(t, d); now.Verified {
				wholeOrNone(t, d, contents)
			} else if finished {
				t.Fatalf("put, and not there: %+v", now)
			}
			put(t, d, receiver("AMQA000007"), facts(), content)
			leavesNothing(t, files, 1)
		}
	}
}

func damageOnDisk(t *testing.T, files *crashdisk.Disk) {
	t.Helper()
	names, err := files.List("ORDERS.qm")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, ".segment") {
			b, err := files.Contents("ORDERS.qm/" + name)
			if err != nil {
				t.Fatal(err)
			}
			files.Put("ORDERS.qm/"+name, flip(b))
		}
	}
}

// Damage that was found is not forgotten, and a crash while it is written down
// leaves the manifest whole.
func TestPowerLostWhileDamageIsWrittenDown(t *testing.T) {
	for after := range 40 {
		files := crashdisk.New()
		d := onDisk(files, false)
		c := put(t, d, receiver("AMQA000007"), facts(), []byte("content"))
		damageOnDisk(t, files)
		powerFails(files, after)
		err := d.Verify(t.Context(), c)
		crashes(files, after)
		if now := one(t, onDisk(files, false)); now.Verified && errors.Is(err, ErrDamaged) && !errors.Is(err, errPower) {
			t.Errorf("after %d operations: %v, and listed as verified", after, err)
		}
	}
}

func TestDiskFull(t *testing.T) {
	content := someBytes(7, 10_000)
	for limit := int64(1); ; limit += 97 {
		files := crashdisk.New()
		put(t, onDisk(files, false), receiver("AMQA000006"), facts(), []byte("x"))
		used := int64(1500)
		files.Limit(used + limit)
		d := onDisk(files, false)
		_, err := d.Put(t.Context(), receiver("AMQA000007"), facts(), bytes.NewReader(content))
		contents := map[string][]byte{"AMQA000006": []byte("x"), "AMQA000007": content}
		n := wholeOrNone(t, d, contents)
		if err == nil {
			if n != 2 {
				t.Fatal("put, and not there")
			}
			return
		}
		if is(t, err, syscall.ENOSPC); n != 1 {
			t.Fatalf("limit %d: %d copies", limit, n)
		}
		put(t, unlimited(files), receiver("AMQA000007"), facts(), content)
		leavesNothing(t, files, 2)
	}
}

func unlimited(files *crashdisk.Disk) *Directory {
	files.Limit(0)
	return onDisk(files, false)
}

// A disk that can't be read is no damaged copy, and a write that can't be made
// is none at all.
func TestFaults(t *testing.T) {
	broken := errors.New("broken")
	for _, kind := range []crashdisk.Kind{crashdisk.Create, crashdisk.Write, crashdisk.Sync, crashdisk.Read, crashdisk.Rename, crashdisk.SyncDir} {
		files := crashdisk.New()
		d := onDisk(files, false)
		fault(files, kind, broken)
		_, err := d.Put(t.Context(), receiver("AMQA000007"), facts(), strings.NewReader("content"))
		is(t, err, broken)
	}
	files := crashdisk.New()
	d := onDisk(files, true)
	c := put(t, d, receiver("AMQA000007"), facts(), []byte("content"))
	files.Fault(func(op crashdisk.Op) error {
		if op.Kind == crashdisk.Read && !strings.HasSuffix(op.Name, manifestSuffix) {
			return broken
		}
		return nil
	})
	err := d.Verify(t.Context(), c)
	if !errors.Is(err, broken) || errors.Is(err, ErrDamaged) {
		t.Errorf("a disk that can't be read: %v", err)
	}
	files.Fault(nil)
	if now := one(t, d); !now.Verified {
		t.Errorf("%+v", now)
	}
}

func fault(files *crashdisk.Disk, kind crashdisk.Kind, err error) {
	files.Fault(func(op crashdisk.Op) error {
		if op.Kind == kind {
			return err
		}
		return nil
	})
}
