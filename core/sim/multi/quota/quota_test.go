package quota_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/mqhk/mqhk/core/sim/multi/quota"
	"github.com/mqhk/mqhk/core/wal/crashdisk"
	"github.com/mqhk/mqhk/core/wal/disk"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func write(d disk.FS, name string, n int) error {
	f, err := d.OpenWrite(name)
	if errors.Is(err, fs.ErrNotExist) {
		f, err = d.Create(name)
	}
	if err != nil {
		return err
	}
	_, err = f.WriteAt(make([]byte, n), 0)
	return errors.Join(err, f.Close())
}

// used compares what the file system says of itself.
func used(t *testing.T, d *quota.Disk, want int64) {
	t.Helper()
	if d.Used() != want || d.Free() != max(0, d.Size()-want) {
		t.Errorf("used %d, free %d of %d; want %d used", d.Used(), d.Free(), d.Size(), want)
	}
}

// disks are the real file system and one in memory that lists no folders.
func disks(t *testing.T) map[string]disk.FS {
	return map[string]disk.FS{"real": disk.At(t.TempDir()), "memory": crashdisk.New()}
}

func TestFull(t *testing.T) {
	for name, below := range disks(t) {
		t.Run(name, func(t *testing.T) {
			must(t, errors.Join(below.MkdirAll("var/log/old"), below.MkdirAll("var/data")))
			must(t, write(below, "var/log/there", 100))
			d := quota.New(below, "var/log", 1000)
			used(t, d, 100)
			must(t, d.MkdirAll("var/log/QM1/active"))
			must(t, write(d, "var/log/QM1/active/a", 600))
			must(t, write(d, "var/data/big", 5000)) // another file system
			used(t, d, 700)
			err := write(d, "var/log/QM1/b", 301)
			if !errors.Is(err, syscall.ENOSPC) {
				t.Fatalf("beyond the limit: %v", err)
			}
			used(t, d, 700) // nothing was written
			must(t, write(d, "var/log/QM1/b", 300))
			must(t, write(d, "var/log/QM1/active/a", 600)) // within the file
			if err := write(d, "var/log/c", 1); !errors.Is(err, syscall.ENOSPC) {
				t.Errorf("full to the last byte: %v", err)
			}
			must(t, d.Rename("var/log/QM1/b", "var/log/QM1/active/a"))
			used(t, d, 400)
			must(t, d.Remove("var/log/there"))
			used(t, d, 300)
			must(t, write(d, "var/log/c", 700))
			used(t, d, 1000)
			f, err := d.OpenWrite("var/log/c")
			must(t, err)
			if err := f.Truncate(701); !errors.Is(err, syscall.ENOSPC) {
				t.Errorf("made longer: %v", err)
			}
			must(t, errors.Join(f.Truncate(10), f.Close()))
			used(t, d, 310)
			d.Resize(0)
			must(t, write(d, "var/log/c", 5000))
			d.Resize(1000)
			used(t, d, 5300)
			if err := write(d, "var/log/e", 1); !errors.Is(err, syscall.ENOSPC) {
				t.Errorf("made smaller than what is used: %v", err)
			}
		})
	}
}

// What a person removes is free again, though nobody has told.
func TestRemovedByHand(t *testing.T) {
	root := t.TempDir()
	d := quota.New(disk.At(root), ".", 100)
	must(t, errors.Join(d.MkdirAll("x"), write(d, "x/a", 100)))
	must(t, os.Remove(filepath.Join(root, "x", "a")))
	must(t, write(d, "x/b", 100))
	used(t, d, 100)
}

func TestSpaceOfTwoFileSystems(t *testing.T) {
	d := crashdisk.New()
	logs := quota.New(d, "var/log", 500)
	all := quota.New(logs, "var/data", 300)
	must(t, errors.Join(write(all, "var/log/a", 50), write(all, "var/data/b", 20)))
	for name, want := range map[string][2]int64{"var/log/QM1": {500, 50}, "var/data": {300, 20}, "etc": {0, 0}} {
		size, used, limited := all.Space(name)
		if size != want[0] || used != want[1] || limited != (want[0] != 0) {
			t.Errorf("%s: %d of %d, limited %v; want %v", name, used, size, limited, want)
		}
		if left, limited := all.Left(name); left != want[0]-want[1] || limited != (want[0] != 0) {
			t.Errorf("%s: %d left, limited %v; want %v", name, left, limited, want)
		}
	}
	if err := write(all, "var/log/c", 451); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("the one below: %v", err)
	}
}

// What takes nothing is not counted, and never refused.
func TestExcepted(t *testing.T) {
	d := quota.New(disk.At(t.TempDir()), "var", 100)
	d.Except(func(name string) bool { return filepath.Ext(name) == ".sim" })
	must(t, errors.Join(d.MkdirAll("var/x"), write(d, "var/x/a", 60), write(d, "var/x/b.sim", 5000)))
	used(t, d, 60)
	d.Resize(0)
	d.Resize(100)
	must(t, write(d, "var/x/c", 40))
	used(t, d, 100)
	must(t, errors.Join(d.Rename("var/x/b.sim", "var/x/d.sim"), write(d, "var/x/e.sim", 1), d.Remove("var/x/d.sim")))
	used(t, d, 100)
}
