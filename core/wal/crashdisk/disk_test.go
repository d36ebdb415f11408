package crashdisk

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"slices"
	"syscall"
	"testing"

	"github.com/mqhk/mqhk/core/wal/disk"
)

var _ disk.FS = (*Disk)(nil)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func create(t *testing.T, d *Disk, name, text string) disk.File {
	t.Helper()
	f, err := d.Create(name)
	must(t, err)
	_, err = f.WriteAt([]byte(text), 0)
	must(t, err)
	return f
}

// holds compares a file with a text; "-" stands for no file.
func holds(t *testing.T, d *Disk, name, want string) {
	t.Helper()
	got, err := d.Contents(name)
	if errors.Is(err, fs.ErrNotExist) {
		got = []byte("-")
	}
	if string(got) != want {
		t.Errorf("%s holds %q, want %q", name, got, want)
	}
}

func TestCrashForgets(t *testing.T) {
	d := New()
	f := create(t, d, "log/a", "durable")
	must(t, f.Sync())
	must(t, d.SyncDir("log"))
	_, err := f.WriteAt([]byte("lost"), 3)
	must(t, err)
	g := create(t, d, "log/b", "synced, but without a name")
	must(t, g.Sync())
	create(t, d, "log/c", "")
	holds(t, d, "log/a", "durlost")
	d.Crash()
	holds(t, d, "log/a", "durable")
	holds(t, d, "log/b", "-")
	holds(t, d, "log/c", "-")
	if _, err := f.WriteAt(nil, 0); !errors.Is(err, ErrCrashed) {
		t.Errorf("a file of before the crash: %v", err)
	}
}

func TestNamesAreForgottenToo(t *testing.T) {
	d := New()
	d.Put("log/a", []byte("a"))
	d.Put("log/b", []byte("b"))
	must(t, d.Rename("log/a", "log/b"))
	must(t, d.Remove("log/b"))
	d.Crash()
	holds(t, d, "log/a", "a")
	holds(t, d, "log/b", "b")
	must(t, d.Rename("log/a", "log/b"))
	must(t, d.SyncDir("log"))
	d.Crash()
	holds(t, d, "log/a", "-")
	holds(t, d, "log/b", "a")
	names, err := d.List("log")
	if err != nil || !slices.Equal(names, []string{"b"}) {
		t.Errorf("%q, %v", names, err)
	}
}

func TestKillLosesNothing(t *testing.T) {
	d := New()
	f := create(t, d, "a", "text")
	d.Kill()
	holds(t, d, "a", "text")
	if _, err := f.ReadAt(make([]byte, 1), 0); !errors.Is(err, ErrCrashed) {
		t.Errorf("a file of the killed process: %v", err)
	}
	d.Crash()
	holds(t, d, "a", "-")
}

func TestCrashAfterTearsAtAnyByte(t *testing.T) {
	for keep, want := range []string{"....", "1...", "12..", "12a.", "12ab"} {
		d := New()
		d.Put("x", []byte("...."))
		f, err := d.OpenWrite("x")
		must(t, err)
		_, err = f.WriteAt([]byte("12"), 0)
		must(t, err)
		_, err = f.WriteAt([]byte("ab"), 2)
		must(t, err)
		if d.Unsynced() != 4 {
			t.Fatalf("%d bytes are not synced", d.Unsynced())
		}
		d.CrashAfter(int64(keep))
		holds(t, d, "x", want)
	}
}

// Of every sector a beginning of what was written is kept, and sectors are
// kept without those before them.
func TestCrashScatteredKeepsBeginnings(t *testing.T) {
	holes := 0
	for seed := range uint64(200) {
		d := New()
		d.Put("x", make([]byte, 4*sector))
		f, err := d.OpenWrite("x")
		must(t, err)
		for off := 0; off < 4*sector; off += 256 {
			_, err = f.WriteAt(bytes.Repeat([]byte{1}, 256), int64(off))
			must(t, err)
		}
		d.CrashScattered(rand.New(rand.NewPCG(seed, 0)))
		got, err := d.Contents("x")
		must(t, err)
		for i := 0; i < len(got); i += sector {
			part := got[i : i+sector]
			if n := bytes.IndexByte(part, 0); n >= 0 && bytes.Contains(part[n:], []byte{1}) {
				t.Fatalf("seed %d: a sector's end without its beginning", seed)
			}
		}
		if got[0] == 0 && bytes.Contains(got, []byte{1}) {
			holes++
		}
	}
	if holes == 0 {
		t.Error("never a sector without the one before it")
	}
}

func TestLimit(t *testing.T) {
	d := New()
	d.Limit(10)
	f := create(t, d, "a", "123456")
	n, err := f.WriteAt([]byte("7890ab"), 6)
	if n != 4 || !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("%d bytes, %v", n, err)
	}
	_, err = f.WriteAt([]byte("within"), 0)
	must(t, err)
	d.Limit(0)
	_, err = f.WriteAt([]byte("more"), 10)
	must(t, err)
	holds(t, d, "a", "within7890more")
}

func TestFaults(t *testing.T) {
	broken := errors.New("broken")
	fault := func(d *Disk, kind Kind, err error) {
		d.Fault(func(op Op) error {
			if op.Kind == kind {
				return err
			}
			return nil
		})
	}
	d := New()
	f := create(t, d, "a", "old")
	must(t, f.Sync())
	must(t, d.SyncDir("."))

	fault(d, Write, &Short{2, broken})
	if n, err := f.WriteAt([]byte("new"), 0); n != 2 || !errors.Is(err, broken) {
		t.Errorf("a short write: %d, %v", n, err)
	}
	fault(d, Sync, broken)
	if err := f.Sync(); !errors.Is(err, broken) {
		t.Errorf("a failed sync: %v", err)
	}
	d.Fault(nil)
	holds(t, d, "a", "ned")
	must(t, f.Sync()) // says yes, and has nothing to do
	d.Crash()
	holds(t, d, "a", "old")

	f, err := d.OpenWrite("a")
	must(t, err)
	_, err = f.WriteAt([]byte("new"), 0)
	must(t, err)
	fault(d, Sync, ErrNotDone)
	must(t, f.Sync())
	d.Crash()
	holds(t, d, "a", "old")

	for kind, do := range map[Kind]func() error{
		Create:  func() error { _, err := d.Create("n"); return err },
		Open:    func() error { _, err := d.Open("a"); return err },
		Rename:  func() error { return d.Rename("a", "b") },
		Remove:  func() error { return d.Remove("a") },
		SyncDir: func() error { return d.SyncDir(".") },
	} {
		fault(d, kind, broken)
		if err := do(); !errors.Is(err, broken) {
			t.Errorf("%s: %v", kind, err)
		}
	}
	holds(t, d, "a", "old")
	fault(d, SyncDir, ErrNotDone)
	create(t, d, "lied", "")
	must(t, d.SyncDir("."))
	d.Crash()
	holds(t, d, "lied", "-")
}

func TestFileManners(t *testing.T) {
	d := New()
	f := create(t, d, "a", "0123456789")
	if _, err := d.Create("a"); !errors.Is(err, fs.ErrExist) {
		t.Errorf("made twice: %v", err)
	}
	must(t, f.Truncate(4))
	must(t, f.Truncate(6))
	holds(t, d, "a", "0123\x00\x00")
	b := make([]byte, 8)
	if n, err := f.ReadAt(b, 2); n != 4 || !errors.Is(err, io.EOF) {
		t.Errorf("reading over the end: %d, %v", n, err)
	}
	if n, err := f.ReadAt(b, 20); n != 0 || !errors.Is(err, io.EOF) {
		t.Errorf("reading behind the end: %d, %v", n, err)
	}
	if size, err := f.Size(); size != 6 || err != nil {
		t.Errorf("size %d, %v", size, err)
	}
	r, err := d.Open("a")
	must(t, err)
	if _, err := r.WriteAt(b, 0); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("writing a file that is open for reading: %v", err)
	}
	must(t, f.Close())
	if err := f.Sync(); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("a closed file: %v", err)
	}
	for _, err := range []error{d.Remove("none"), d.Rename("none", "b")} {
		if !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("got %v", err)
		}
	}
	if _, err := d.OpenWrite("none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

// A sync that fails makes the system forget what was written; one that the
// power ends does not, the crash may keep it.
func TestPowerFailsInASync(t *testing.T) {
	for cause, want := range map[error]string{ErrPower: "new", syscall.EIO: "old"} {
		d := New()
		d.Put("a", []byte("old"))
		f, err := d.OpenWrite("a")
		must(t, err)
		d.Fault(FailAfter(1, cause))
		_, err = f.WriteAt([]byte("new"), 0)
		must(t, err)
		if err := f.Sync(); !errors.Is(err, cause) {
			t.Errorf("sync: %v, want %v", err, cause)
		}
		d.Fault(nil)
		d.CrashAfter(d.Unsynced())
		holds(t, d, "a", want)
	}
}

// Names that nobody has made durable are kept in any choice.
func TestCrashScatteredKeepsAnyNames(t *testing.T) {
	seen := map[string]bool{}
	for seed := range uint64(50) {
		d := New()
		create(t, d, "a", "")
		create(t, d, "b", "")
		d.CrashScattered(rand.New(rand.NewPCG(seed, 0)))
		names, err := d.List(".")
		must(t, err)
		seen[fmt.Sprint(names)] = true
	}
	if len(seen) != 4 {
		t.Errorf("kept: %v", seen)
	}
}
