package amqerr

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/core/errlog"
	"github.com/mqhk/mqhk/core/wal/crashdisk"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// marks reads all logs that are there as the reader of a run does.
func marks(tb testing.TB, d disk.FS, endings ...string) errlog.Marks {
	tb.Helper()
	var files []errlog.File
	for _, ending := range endings {
		for n := 1; n <= 3; n++ {
			name := fmt.Sprintf("AMQERR%02d%s", n, ending)
			files = append(files, errlog.File{Name: folder + "/" + name, Log: strings.NewReader(content(tb, d, name))})
		}
	}
	read, err := errlog.Watermarks("QM1", files...)
	if err != nil {
		tb.Fatal(err)
	}
	return read
}

// Over rotations: no file is longer than ErrorLogSize, every message of the
// three files is read, in order, and the points are the newest ones.
func TestRotation(t *testing.T) {
	for name, s := range layouts {
		t.Run(name, func(t *testing.T) {
			s.Size = smallestSize
			d := crashdisk.New()
			w := open(t, d, s)
			const pairs = 150
			for i := range pairs {
				when := at.Add(time.Duration(i) * time.Hour)
				write(t, w, point("AMQ7467", fmt.Sprintf("S%07d.LOG", i+20), when))
				write(t, w, point("AMQ7468", fmt.Sprintf("S%07d.LOG", i), when))
			}
			endings := []string{".LOG"}
			if s.JSON {
				endings = append(endings, ".json")
			}
			for _, ending := range endings {
				next := 0
				for n := 3; n >= 1; n-- {
					log := content(t, d, fmt.Sprintf("AMQERR%02d%s", n, ending))
					if len(log) > smallestSize || len(log) == 0 {
						t.Errorf("AMQERR%02d%s has %d bytes", n, ending, len(log))
					}
					next = inOrder(t, log, next)
				}
				if next != 2*pairs {
					t.Errorf("%s ends with message %d", ending, next)
				}
				m := marks(t, d, ending)
				if m.Restart == nil || m.Media == nil || m.Restart.Extent != "S0000169.LOG" || m.Media.Extent != "S0000149.LOG" {
					t.Errorf("%s: restart %+v, media %+v", ending, m.Restart, m.Media)
				}
				if m.Damages != 0 || m.Unfinished || len(m.Gaps) > 0 || m.Complete {
					t.Errorf("%s: %+v", ending, m)
				}
			}
		})
	}
}

// inOrder reads a log whose messages follow each other, and gives the number
// of the next.
func inOrder(tb testing.TB, log string, next int) int {
	tb.Helper()
	for r, err := range errlog.Scan(strings.NewReader(log)) {
		if err != nil {
			tb.Fatal(err)
		}
		extent, err := r.Extent()
		if err != nil {
			tb.Fatal(err)
		}
		var number int
		if _, err := fmt.Sscanf(extent, "S%07d.LOG", &number); err != nil {
			tb.Fatal(err)
		}
		number *= 2
		if r.ID == "AMQ7468" {
			number++
		} else {
			number -= 40
		}
		if next != 0 && number != next {
			tb.Fatalf("message %d behind %d", number, next-1)
		}
		next = number + 1
	}
	return next
}

// A queue manager of before 9.0.4 keeps 2 MB, one of today 32 MB; what is out of
// range is refused.
func TestSizes(t *testing.T) {
	if w := open(t, disk.At(t.TempDir()), settings("7.5")); w.set.Size != 2<<20 {
		t.Error(w.set.Size)
	}
	if w := open(t, disk.At(t.TempDir()), settings("9.4")); w.set.Size != 32<<20 {
		t.Error(w.set.Size)
	}
	s := settings("9.4")
	for _, s.Size = range []int64{1, 32767, 2147483649, -1} {
		if _, err := Open(disk.At(t.TempDir()), folder, s); !errors.Is(err, ErrSize) {
			t.Errorf("%d: %v", s.Size, err)
		}
	}
}

// A crash of the system tears the last records and takes others. What was
// written behind it is read, and the reader says where the damage is.
func TestTornByACrash(t *testing.T) {
	for name, s := range layouts {
		t.Run(name, func(t *testing.T) {
			for cut := 1; cut < 400; cut += 7 {
				d := crashdisk.New()
				write(t, open(t, d, s), point("AMQ7467", "S0000001.LOG", at))
				truncate(t, d, "AMQERR01.LOG", cut)
				if s.JSON {
					truncate(t, d, "AMQERR01.json", cut)
				}
				w := open(t, d, s)
				write(t, w, point("AMQ7467", "S0000002.LOG", at.Add(time.Hour)))
				write(t, w, point("AMQ7468", "S0000001.LOG", at.Add(time.Hour)))
				m := marks(t, d, ".LOG")
				if m.Restart == nil || m.Restart.Extent != "S0000002.LOG" || m.Media == nil || m.Restart.Damaged || m.Unfinished {
					t.Fatalf("cut by %d: %+v", cut, m)
				}
				if s.JSON {
					if m := marks(t, d, ".json"); m.Restart == nil || m.Restart.Extent != "S0000002.LOG" || m.Media == nil {
						t.Fatalf("cut by %d: %+v", cut, m)
					}
				}
			}
		})
	}
}

// truncate cuts bytes off the end of a log, but never all of them.
func truncate(tb testing.TB, d disk.FS, name string, cut int) {
	tb.Helper()
	f, err := d.OpenWrite(folder + "/" + name)
	if err != nil {
		tb.Fatal(err)
	}
	size, err := f.Size()
	if err == nil {
		err = f.Truncate(max(1, size-int64(cut)))
	}
	if err := errors.Join(err, f.Close()); err != nil {
		tb.Fatal(err)
	}
}

// Whenever the system crashes, the next start has all three files, and a
// reader has no complaint but damage.
func TestCrashWhileRotating(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := crashdisk.New()
		s := json94()
		s.Size, s.NoSync = smallestSize, false
		for round := range 3 {
			w, err := Open(d, folder, s)
			if err != nil {
				t.Fatal(err)
			}
			for i := range rapid.IntRange(0, 80).Draw(t, "messages") {
				if err := w.Write(point("AMQ7467", "S0000001.LOG", at.Add(time.Duration(round*100+i)*time.Minute))); err != nil {
					t.Fatal(err)
				}
			}
			if rapid.Bool().Draw(t, "scattered") {
				d.CrashScattered(rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1)))
			} else {
				d.CrashAfter(rapid.Int64Range(0, 1<<17).Draw(t, "kept"))
			}
		}
		w, err := Open(d, folder, s)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(point("AMQ7467", "S0000777.LOG", at.Add(1000*time.Minute))); err != nil {
			t.Fatal(err)
		}
		var files []errlog.File
		for n := 1; n <= 3; n++ {
			name := fmt.Sprintf("%s/AMQERR%02d.LOG", folder, n)
			body, err := disk.ReadAll(d, name)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, errlog.File{Name: name, Log: bytes.NewReader(body)})
		}
		m, err := errlog.Watermarks("QM1", files...)
		if err != nil || m.Restart == nil || m.Restart.Extent != "S0000777.LOG" {
			t.Fatalf("%v, %+v", err, m.Restart)
		}
	})
}

// A log that somebody took away is made anew.
func TestRemovedByHand(t *testing.T) {
	d := disk.At(t.TempDir())
	w := open(t, d, settings("9.4"))
	write(t, w, point("AMQ7467", "S0000001.LOG", at))
	if err := d.Remove(folder + "/AMQERR01.LOG"); err != nil {
		t.Fatal(err)
	}
	write(t, w, point("AMQ7467", "S0000002.LOG", at))
	if m := marks(t, d, ".LOG"); m.Restart.Extent != "S0000002.LOG" || m.Records != 1 {
		t.Errorf("%+v", m)
	}
}
