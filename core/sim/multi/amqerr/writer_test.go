package amqerr

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/core/errlog"
	"github.com/mqhk/mqhk/core/sim/multi/level"
	"github.com/mqhk/mqhk/core/wal/crashdisk"
	"github.com/mqhk/mqhk/core/wal/disk"
)

const folder = "var/mqm/qmgrs/QM1/errors"

var at = time.Date(2026, 5, 28, 2, 0, 0, 123_000_000, time.FixedZone("CEST", 7200))

func settings(release string) Settings {
	l, err := level.Parse(release)
	if err != nil {
		panic(err)
	}
	return Settings{
		Release: l, Host: "h1", Installation: "Installation1", InstallationPath: "/opt/mqm",
		QueueManager: "QM1", QMID: "QM1_2026-05-01_08.00.00", NoSync: true,
	}
}

func open(tb testing.TB, d disk.FS, s Settings) *Writer {
	tb.Helper()
	w, err := Open(d, folder, s)
	if err != nil {
		tb.Fatal(err)
	}
	return w
}

func write(tb testing.TB, w *Writer, m Message) {
	tb.Helper()
	if err := w.Write(m); err != nil {
		tb.Fatal(err)
	}
}

func content(tb testing.TB, d disk.FS, name string) string {
	tb.Helper()
	body, err := disk.ReadAll(d, folder+"/"+name)
	if err != nil {
		tb.Fatal(err)
	}
	return string(body)
}

func point(id, extent string, at time.Time) Message {
	return Message{ID: id, At: at, Inserts: Inserts{C1: "QM1", C2: extent}}
}

// The layout of 9.1 (reference, Multiplatforms 2.2 item 34), byte for byte.
func TestLayout91(t *testing.T) {
	d := disk.At(t.TempDir())
	w := open(t, d, settings("9.1.0.0"))
	m := point("AMQ7467", "S0000112.LOG", at)
	m.Module, m.Line, m.Program, m.Process = "amqzmuc0.c", 439, "amqzmuc0", 14223
	write(t, w, m)
	got := content(t, d, "AMQERR01.LOG")
	want := strings.Join([]string{
		"05/28/2026 02:00:00 AM - Process(14223.1) User(mqm) Program(amqzmuc0)",
		"                    Host(h1) Installation(Installation1)",
		"                    VRMF(9.1.0.0) QMgr(QM1)",
		"                    Time(2026-05-28T00:00:00.123Z)",
		"                    CommentInsert1(QM1)",
		"                    CommentInsert2(S0000112.LOG)",
		"                   ",
		"AMQ7467I: The oldest log file required to start queue manager QM1 is",
		"S0000112.LOG.",
		"",
		"EXPLANATION:", "",
	}, "\n")
	if head := got[:min(len(got), len(want))]; head != want {
		t.Error(cmp.Diff(want, head))
	}
	lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
	if last := lines[len(lines)-1]; last != "----- amqzmuc0.c : 439 "+strings.Repeat("-", 56) || len(last) != 79 {
		t.Error(last)
	}
}

// Where the extent stands: with a short name of the queue manager as the first
// token of the second line, with a long one as the third; in AMQ7468 as the
// fourth (reference, Multiplatforms 2.2 item 36).
func TestWrapping(t *testing.T) {
	l := level.Level{Version: 9, Release: 4}
	for _, test := range []struct {
		id, manager string
		token       int
	}{{"AMQ7467", "QM1", 1}, {"AMQ7467", "PROD.PAYMENTS.QM01", 3}, {"AMQ7468", "QM1", 4}, {"AMQ7468", "PROD.PAYMENTS.QM01", 4}} {
		lines := wrap(Say(l, test.id, Inserts{C1: test.manager, C2: "S0000112.LOG"}))
		if len(lines) != 2 {
			t.Errorf("%s %s: %q", test.id, test.manager, lines)
			continue
		}
		if tokens := strings.Fields(lines[1]); len(tokens) < test.token || tokens[test.token-1] != "S0000112.LOG." {
			t.Errorf("%s %s: %q", test.id, test.manager, lines)
		}
	}
}

// layouts are the ways in which a queue manager writes.
var layouts = map[string]Settings{"7.0": settings("7.0.1"), "7.5": settings("7.5.0.9"), "9.1": settings("9.1.0.0"), "9.4, JSON": json94()}

func json94() Settings {
	s := settings("9.4.2.0")
	s.JSON = true
	return s
}

// Every message of the table is read back in every layout.
func TestReadBack(t *testing.T) {
	for name, s := range layouts {
		t.Run(name, func(t *testing.T) {
			d := disk.At(t.TempDir())
			w := open(t, d, s)
			var sent []Message
			for i, row := range Table {
				m := Message{ID: row.ID, At: at.Add(time.Duration(i) * time.Minute), Inserts: Inserts{
					A1: int64(i), A2: 8, C1: "QM1", C2: "S0000112.LOG", C3: "a long text (with brackets) that takes more than a line of the log, and more",
				}}
				sent = append(sent, m)
				write(t, w, m)
			}
			check(t, s, sent, content(t, d, "AMQERR01.LOG"), errlog.Text)
			if s.JSON {
				check(t, s, sent, content(t, d, "AMQERR01.json"), errlog.JSON)
			}
		})
	}
}

// check holds what is read against what was sent.
func check(t interface {
	Fatalf(string, ...any)
	Fatal(...any)
}, s Settings, sent []Message, log string, layout errlog.Layout) {
	i := 0
	for r, err := range errlog.Scan(strings.NewReader(log)) {
		if err != nil {
			t.Fatal(err)
		}
		if i == len(sent) {
			t.Fatalf("more than was sent: %+v", r)
		}
		want := expected(s, sent[i], r, layout)
		if diff := cmp.Diff(want, r); diff != "" {
			t.Fatal(diff)
		}
		i++
	}
	if i != len(sent) {
		t.Fatalf("%d of %d messages", i, len(sent))
	}
}

// expected is what a reader must make of a message; where it stands is taken
// from what was read.
func expected(s Settings, m Message, got errlog.Record, layout errlog.Layout) errlog.Record {
	m.fillIn()
	said := strings.Join(strings.Fields(Say(s.Release, m.ID, m.Inserts)), " ")
	row := Of(m.ID)
	want := errlog.Record{
		ID: m.ID, Severity: errlog.Severity(row.Severity), Time: m.At.UTC().Truncate(time.Millisecond), Clock: errlog.UTC,
		QueueManager: "QM1", Host: "h1", Process: fmt.Sprint(m.Process), Program: m.Program, Version: s.Release.String(),
		Arith: m.arith(), Comment: m.comment(), Text: said, Layout: layout, Line: got.Line, Offset: got.Offset,
	}
	if layout == errlog.JSON {
		want.Module = fmt.Sprintf("%s:%d", m.Module, m.Line)
		want.Text = row.ID + string(rune(row.Severity)) + ": " + fill(row.Text, s.Release, m.Inserts)
		return want
	}
	want.Date = m.At.Format("01/02/2006 03:04:05 PM")
	if !s.Release.Severity() {
		want.Severity = 0
	}
	form := layoutOf(s.Release)
	if form < Layout91 {
		// The local time alone: whether day or month comes first is not told.
		want.Arith, want.Comment, want.Time, want.Clock = [2]string{}, [3]string{}, got.Time, got.Clock
		if want.Clock == errlog.Local && !got.Time.Equal(wall(m.At)) {
			want.Time = wall(m.At)
		}
	}
	if form == Layout70 {
		want.Host, want.Version, want.QueueManager = "", "", ""
	}
	return want
}

// wall is what the system's clock shows, as a reader keeps it.
func wall(at time.Time) time.Time {
	return time.Date(at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(), at.Second(), 0, time.UTC)
}

// Whatever stands in the inserts, the message is read back.
func TestAnyInserts(t *testing.T) {
	s, _ := json94().withDefaults()
	ids := []string{"AMQ7467", "AMQ7472", "AMQ6767", "AMQ7490", "AMQ8003"}
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.StringMatching(`[!-'*-~äöü日本 ]{0,90}`)
		m := Message{ID: rapid.SampledFrom(ids).Draw(t, "id"), At: at, Inserts: Inserts{
			A1: rapid.Int64Range(0, 1<<40).Draw(t, "A1"), A2: rapid.Int64Range(0, 9).Draw(t, "A2"),
			C1: strings.TrimSpace(value.Draw(t, "C1")), C2: strings.TrimSpace(value.Draw(t, "C2")), C3: strings.TrimSpace(value.Draw(t, "C3")),
		}}
		m.fillIn()
		check(t, s, []Message{m}, string(s.text(m)), errlog.Text)
		check(t, s, []Message{m}, string(s.object(m, m.At)), errlog.JSON)
	})
}

// A text with the ends of lines in it, and what is no text, stay in one record.
func TestControlCharacters(t *testing.T) {
	s, _ := json94().withDefaults()
	m := Message{ID: "AMQ7472", At: at, Inserts: Inserts{C1: "A\n05/28/2026 - Process(1.1)\x00\xff", C2: "q\r\nlocal\u2028"}}
	m.fillIn()
	check(t, s, []Message{m}, string(s.text(m)), errlog.Text)
	check(t, s, []Message{m}, string(s.object(m, m.At)), errlog.JSON)
}

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
			d := disk.At(t.TempDir())
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
				d := disk.At(t.TempDir())
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
			files = append(files, errlog.File{Name: name, Log: io.Reader(bytes.NewReader(body))})
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
