package extents

import (
	"bytes"
	"errors"
	"io/fs"
	"syscall"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/wal"
	"github.com/mqhk/mqhk/core/wal/crashdisk"
)

func TestControlFileSurvives(t *testing.T) {
	set := line(Archive, 3, 2)
	set.Began = time.Date(2026, 1, 5, 6, 0, 0, 0, time.UTC)
	r := build(t, set)
	r.fill(t, 4)
	must(t, r.log.ArchivedUpTo("S0000001.LOG"))
	l, err := Open(r.disk, dir, set)
	must(t, err)
	if !bytes.Equal(l.c.encode(), r.log.c.encode()) {
		t.Errorf("read\n%+v, written\n%+v", l.c, r.log.c)
	}
	if s := l.Status(r.w.End()); !s.Started.Equal(set.Began) || s.StartedLSN != wal.First {
		t.Errorf("logging started at %v, %v", s.Started, s.StartedLSN)
	}
}

// A log without its control file is not opened, nor is one whose control file
// is torn or of another queue manager.
func TestControlFileIsNotThere(t *testing.T) {
	for name, c := range map[string]struct {
		harm func(t *testing.T, r *rig)
		want error
	}{
		"missing": {func(t *testing.T, r *rig) { must(t, r.disk.Remove(r.log.file.name)) }, fs.ErrNotExist},
		"empty":   {func(_ *testing.T, r *rig) { put(r, nil) }, ErrTorn},
		"zeros":   {func(_ *testing.T, r *rig) { put(r, make([]byte, 2*leastSlot)) }, ErrTorn},
		"both states are torn": {func(t *testing.T, r *rig) {
			b := contents(t, r)
			b[slotHead+20]++
			b[leastSlot+slotHead+20]++
			put(r, b)
		}, ErrTorn},
		"another's": {func(t *testing.T, r *rig) {
			other := build(t, r.set)
			other.fill(t, 2)
			put(r, contents(t, other))
		}, ErrForeign},
	} {
		t.Run(name, func(t *testing.T) {
			r := build(t, line(Manual, 3, 2))
			r.fill(t, 2)
			c.harm(t, r)
			_, err := Open(r.disk, dir, r.set)
			var control *ControlError
			if !errors.As(err, &control) || control.Name != dir+"/amqhlctl.lfh" || !errors.Is(err, c.want) {
				t.Errorf("%v, want %v", err, c.want)
			}
		})
	}
}

func put(r *rig, content []byte) { r.disk.(*crashdisk.Disk).Put(r.log.file.name, content) }

func contents(t *testing.T, r *rig) []byte {
	t.Helper()
	b, err := r.disk.(*crashdisk.Disk).Contents(r.log.file.name)
	must(t, err)
	return b
}

// One torn state leaves the one before it, which is enough: what it does not
// list joins it.
func TestOneStateIsTorn(t *testing.T) {
	r := build(t, line(Manual, 3, 2))
	r.fill(t, 3)
	b := contents(t, r)
	b[int64(r.log.file.newest)*r.log.file.slot+slotHead+3]++
	put(r, b)
	must(t, r.reopen())
	r.lists(t, "S0000000", "S0000001", "S0000002", "S0000003")
}

// Opening a log changes nothing on the disk.
func TestOpenOnlyReads(t *testing.T) {
	r := build(t, line(Automatic, 3, 2))
	r.fill(t, 3)
	d := r.disk.(*crashdisk.Disk)
	d.Fault(func(op crashdisk.Op) error {
		if op.Kind != crashdisk.Open && op.Kind != crashdisk.Read {
			t.Errorf("%s %s", op.Kind, op.Name)
		}
		return nil
	})
	_, err := Open(d, dir, line(Automatic, 5, 3))
	must(t, err)
}

func TestCreateOverALog(t *testing.T) {
	r := build(t, ring(3, 2))
	if _, err := Create(r.disk, dir, r.set); !errors.Is(err, fs.ErrExist) {
		t.Errorf("made twice: %v", err)
	}
}

// What a failure leaves of a new log is taken away again.
func TestCreateOnAFullDisk(t *testing.T) {
	d := crashdisk.New()
	d.Limit(20000)
	if _, err := Create(d, dir, ring(3, 2)); err == nil {
		t.Fatal("made on a disk that is full")
	}
	if names, err := d.List(dir + "/active"); err != nil || len(names) != 0 {
		t.Errorf("left: %v, %v", names, err)
	}
}

func TestSettingsThatCantBe(t *testing.T) {
	for _, s := range []Settings{
		{}, {Kind: "REPLICATED"}, {Kind: Linear, Management: "Some"}, {Kind: Circular, Primary: 1}, {Kind: Circular, Primary: 510, Secondary: 2},
	} {
		if _, err := Create(crashdisk.New(), dir, s); !errors.Is(err, ErrSettings) {
			t.Errorf("%+v: %v", s, err)
		}
	}
	// Kind and size are what the log is, whatever qm.ini says later.
	r := build(t, ring(3, 2))
	l, err := Open(r.disk, dir, Settings{Kind: Linear, FilePages: 77, Limits: small})
	must(t, err)
	if s := l.Settings(); s.Kind != Circular || s.FilePages != 1 {
		t.Errorf("%+v", s)
	}
}

// The length of a file is two pages more than LogFilePages (reference,
// Multiplatforms 1.4 item 19).
func TestFileLength(t *testing.T) {
	for pages, want := range map[int]int{64: 270336, 1024: 4202496} {
		d := crashdisk.New()
		_, err := Create(d, dir, Settings{Kind: Circular, Primary: 2, Secondary: 1, FilePages: pages})
		must(t, err)
		b, err := d.Contents(dir + "/active/S0000001.LOG")
		if err != nil || len(b) != want {
			t.Errorf("%d pages: %d bytes, %v; want %d", pages, len(b), err, want)
		}
	}
}

// FuzzControlFile: whatever the file holds, it is read as a whole state or
// refused, and a state that is read is written the same.
func FuzzControlFile(f *testing.F) {
	r := build(f, line(Archive, 3, 2))
	r.fill(f, 3)
	whole, err := r.disk.(*crashdisk.Disk).Contents(r.log.file.name)
	must(f, err)
	f.Add(whole)
	f.Add(whole[:5000])
	f.Add(make([]byte, 2*leastSlot))
	f.Fuzz(func(t *testing.T, b []byte) {
		var file controlFile
		c, err := file.decode(b)
		if err != nil {
			if !errors.Is(err, ErrTorn) {
				t.Errorf("unclassed: %v", err)
			}
			return
		}
		if state := c.encode(); !bytes.Contains(b, state) {
			t.Errorf("read %+v, which is not what was there", c)
		}
	})
}

// FuzzControl is the same for a state alone.
func FuzzControl(f *testing.F) {
	r := build(f, line(Archive, 3, 2))
	r.fill(f, 3)
	f.Add(r.log.c.encode())
	f.Fuzz(func(t *testing.T, b []byte) {
		if c, err := decodeControl(b); err == nil && !bytes.Equal(c.encode(), b) {
			t.Errorf("read %+v of % x", c, b)
		}
	})
}

// A sync of the control file that fails is an error and no more: the state
// before it holds, the next write goes to the same place again.
func TestControlFileCantBeForced(t *testing.T) {
	r := build(t, line(Automatic, 3, 9))
	r.fill(t, 2)
	d := r.disk.(*crashdisk.Disk)
	for range 3 {
		failed := false
		d.Fault(func(op crashdisk.Op) error {
			if op.Kind == crashdisk.Sync && op.Name == r.log.file.name && !failed {
				failed = true
				return syscall.EIO
			}
			return nil
		})
		if err := r.rotate(); !errors.Is(err, syscall.EIO) {
			t.Fatalf("a failed sync: %v", err)
		}
		d.Fault(nil)
		must(t, r.rotate())
		must(t, r.put(100))
	}
	d.Crash()
	must(t, r.reopen())
	whole(t, r.log)
}

func TestExtentOfAPosition(t *testing.T) {
	r := build(t, line(Manual, 3, 2))
	if r.log.Oldest() != "S0000000.LOG" || r.log.Current() != "S0000000.LOG" {
		t.Errorf("oldest %s, current %s", r.log.Oldest(), r.log.Current())
	}
	r.fill(t, 2)
	segments := r.log.Segments()
	for _, c := range []struct {
		at   wal.LSN
		want string
		ok   bool
	}{
		{0, "", false},
		{segments[0].Start, "S0000000.LOG", true},
		{segments[1].Start - wal.Align, "S0000000.LOG", true},
		{segments[1].Start, "S0000001.LOG", true},
		{r.w.End(), "S0000002.LOG", true},
	} {
		if got, ok := r.log.Extent(c.at); got != c.want || ok != c.ok {
			t.Errorf("%s: %s, %v; want %s, %v", c.at, got, ok, c.want, c.ok)
		}
	}
}
