package amqerr

import (
	"fmt"
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
	m.from, m.Process = origin{program: "amqzmuc0", line: 439}, 14223
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
			d := crashdisk.New()
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
		QueueManager: "QM1", Host: "h1", Process: fmt.Sprint(m.Process), Program: m.from.program, Version: s.Release.String(),
		Arith: m.arith(), Comment: m.comment(), Text: said, Layout: layout, Line: got.Line, Offset: got.Offset,
	}
	if layout == errlog.JSON {
		want.Module = fmt.Sprintf("%s:%d", m.from.module(), m.from.line)
		want.Text = row.ID + string(rune(row.Severity)) + ": " + fill(row.Text, s.Release, m.Inserts)
		return want
	}
	want.Date = m.At.Format("01/02/2006 03:04:05 PM")
	if !s.Release.Severity() {
		want.Severity = 0
	}
	form := layoutOf(s.Release)
	if form < layout91 {
		// The local time alone: whether day or month comes first is not told.
		want.Arith, want.Comment, want.Time, want.Clock = [2]string{}, [3]string{}, got.Time, got.Clock
		if want.Clock == errlog.Local && !got.Time.Equal(wall(m.At)) {
			want.Time = wall(m.At)
		}
	}
	if form == layout70 {
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

// A log that is of the system, and not of a queue manager, names none: such a
// record is nobody's, but for one whose message has the name.
func TestSystemLog(t *testing.T) {
	d := crashdisk.New()
	s := json94()
	s.QueueManager, s.QMID = "", ""
	w := open(t, d, s)
	write(t, w, point("AMQ7017", "", at))
	write(t, w, point("AMQ7467", "S0000112.LOG", at))
	for _, ending := range []string{".LOG", ".json"} {
		log := content(t, d, "AMQERR01"+ending)
		if strings.Contains(log, "QMgr(") || strings.Contains(log, "ibm_serverName") {
			t.Error(log)
		}
		m, err := errlog.Watermarks("QM1", errlog.File{Name: "AMQERR01" + ending, Log: strings.NewReader(log), Shared: true})
		if err != nil || m.Restart == nil || m.Restart.Extent != "S0000112.LOG" {
			t.Errorf("%v, %+v", err, m)
		}
	}
}
