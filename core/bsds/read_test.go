package bsds_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/mqhk/mqhk/core/bsds"
)

// unlined compares prints but for the lines in which entries stand.
var unlined = cmp.Options{
	cmpopts.IgnoreFields(bsds.Log{}, "Line"), cmpopts.EquateEmpty(),
	cmp.Comparer(func(a, b bsds.RBA) bool { return a == b }), cmp.Comparer(func(a, b bsds.LRSN) bool { return a == b }),
}

// Layouts that are known of this utility and of its sister of Db2: names before
// the values; two lines for a data set on pages with ASA control characters;
// three with LRSNs, in either order; and columns for LRSNs without any.
func TestReadLayouts(t *testing.T) {
	cases := map[string]bsds.Print{
		"labelled":  labelled(t),
		"twolines":  twoLines(t),
		"lrsn":      withLRSNs(t),
		"lrsnfirst": lrsnFirst(t),
		"nolrsn": {Active: [2][]bsds.Log{{
			log(t, "QMA1.LOGCOPY1.DS01", "000000049000", "000000055FFF", "2026-01-28 07:01:19.4", "2026-01-28 08:01:49.1", "2026-01-01 08:00", bsds.Reusable),
			log(t, "QMA1.LOGCOPY1.DS02", "000000056000", "000000062FFF", "2026-01-28 08:01:49.1", "2026-01-28 08:30:00.0", "2026-01-01 08:00", bsds.NotReusable),
		}}},
	}
	for name, want := range cases {
		t.Run(name, func(t *testing.T) {
			body, err := os.ReadFile(filepath.Join("testdata", name+".txt"))
			if err != nil {
				t.Fatal(err)
			}
			got, err := bsds.Read(body)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got, unlined); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestReadKeepsLines(t *testing.T) {
	body, err := os.ReadFile(filepath.Join("testdata", "twolines.txt"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := bsds.Read(body)
	if err != nil || got.Archive[0][1].Line != 27 {
		t.Errorf("the second archive stands in line %d, %v, want 27", got.Archive[0][1].Line, err)
	}
}

func labelled(t *testing.T) bsds.Print {
	truncated := log(t, "MQM2.LOGCOPY1.DS02", "000000056000", "000000062FFF", "", "", "", bsds.NotReusable)
	truncated.Truncated = true
	return bsds.Print{
		DataSet: "MQM2.BSDS01", System: at("2026-01-28 10:16:57.81"), Utility: at("2026-01-20 17:58:27.75"),
		HighestWritten: rbas(t, "000000062ABC")[0], HighestOffloaded: rbas(t, "000000055FFF")[0],
		Active: [2][]bsds.Log{{truncated,
			log(t, "MQM2.LOGCOPY1.DS01", "000000063000", "00000006FFFF", "", "", "", bsds.NotReusable),
			log(t, "MQM2.LOGCOPY1.DS03", "", "", "", "", "", bsds.New)}},
		Archive: [2][]bsds.Log{{archive(log(t, "MQM2.ARCLOG1.A0000007", "000000049000", "000000055FFF", "", "", "", ""), "ARC001", bsds.Yes)}},
	}
}

func twoLines(t *testing.T) bsds.Print {
	return bsds.Print{
		DataSet: "QMA1.BSDS01", System: at("2026-01-28 10:16:57.81"), Utility: at("2026-01-20 17:58:27.75"),
		HighestWritten: rbas(t, "000000062ABC")[0], WrittenAt: at("2026-01-28 09:16:57.4"), HighestOffloaded: rbas(t, "000000055FFF")[0],
		Active: [2][]bsds.Log{{
			log(t, "QMA1.LOGCOPY1.DS01", "000000049000", "000000055FFF", "2026-01-28 07:01:19.4", "2026-01-28 08:01:49.1", "2026-01-01 08:00", bsds.Reusable),
			log(t, "QMA1.LOGCOPY1.DS02", "000000056000", "000000062FFF", "2026-01-28 08:01:49.1", "", "2026-01-01 08:00", bsds.NotReusable)}},
		Archive: [2][]bsds.Log{{
			archive(log(t, "QMA1.ARCLOG1.A0000006", "00000003C000", "000000048FFF", "2026-01-28 06:00:10.0", "2026-01-28 07:01:19.4", "2026-01-28 08:02", ""), "ARC001", bsds.Yes),
			archive(log(t, "QMA1.ARCLOG1.A0000007", "000000049000", "000000055FFF", "2026-01-28 07:01:19.4", "2026-01-28 08:01:49.1", "2026-01-28 09:02", ""), "ARC002", bsds.No)}},
		Restarts: []bsds.Restart{{Active: bsds.No, EndRBA: rbas(t, "000000049000")[0], EndLRSN: lrsns(t, "000000000000")[0]}},
		Checkpoints: []bsds.Checkpoint{
			{Start: rbas(t, "000000061E2E")[0], End: rbas(t, "000000062878")[0], At: at("2026-01-28 08:12:24")},
			{Start: rbas(t, "000000055E2E")[0], End: rbas(t, "000000055878")[0], At: at("2026-01-28 07:42:24")}},
	}
}

func withLRSNs(t *testing.T) bsds.Print {
	return bsds.Print{
		DataSet: "QMA2.BSDS01", Version: 2, Raw: true, Group: "QSG1", Member: "QMA2", Number: 2, System: at("2026-01-28 10:16:57.81"),
		HighestWritten: rbas(t, "0000000000062ABC")[0], WrittenAt: at("2026-01-28 09:16:57.4"), HighestOffloaded: rbas(t, "0000000000055FFF")[0],
		Active: [2][]bsds.Log{{
			from(t, log(t, "QMA2.LOGCOPY1.DS01", "0000000000049000", "0000000000055FFF", "2026-01-28 07:01:19.4", "2026-01-28 08:01:49.1", "2026-01-01 08:00", bsds.Reusable), "00E4B1A000000000", "00E4B1B000000000"),
			from(t, log(t, "QMA2.LOGCOPY1.DS02", "0000000000056000", "0000000000062FFF", "2026-01-28 08:01:49.1", "", "2026-01-01 08:00", bsds.NotReusable), "00E4B1B000000000", "FFFFFFFFFFFFFFFF")}},
		Archive: [2][]bsds.Log{{
			from(t, archive(log(t, "QMA2.ARCLOG1.D2026028.T0802100.A0000006", "000000000003C000", "0000000000048FFF", "2026-01-28 06:00:10.0", "2026-01-28 07:01:19.4", "2026-01-28 08:02", ""), "ARC001", bsds.Yes), "00E4B19000000000", "00E4B1A000000000"),
			from(t, archive(log(t, "QMA2.ARCLOG1.D2026028.T0902100.A0000007", "0000000000049000", "0000000000055FFF", "2026-01-28 07:01:19.4", "2026-01-28 08:01:49.1", "2026-01-28 09:02", ""), "ARC002", bsds.No), "00E4B1A000000000", "00E4B1B000000000")}},
	}
}

func lrsnFirst(t *testing.T) bsds.Print {
	return bsds.Print{
		DataSet: "QMA2.BSDS01", Group: "QSG1", Member: "QMA2", HighestWritten: rbas(t, "000000062ABC")[0],
		Active: [2][]bsds.Log{{
			from(t, log(t, "QMA2.LOGCOPY1.DS02", "000000056000", "000000062FFF", "2026-01-28 08:01:49.1", "", "2026-01-01 08:00", bsds.NotReusable), "E4B1B0000000", "FFFFFFFFFFFF")}},
		Archive: [2][]bsds.Log{{
			from(t, archive(log(t, "QMA2.ARCLOG1.A0000006", "00000003C000", "000000048FFF", "2026-01-28 06:00:10.0", "2026-01-28 07:01:19.4", "2026-01-28 08:02", ""), "ARC001", bsds.Yes), "E4B190000000", "E4B1A0000000"),
			from(t, archive(log(t, "QMA2.ARCLOG1.A0000007", "000000049000", "000000055FFF", "2026-01-28 07:01:19.4", "2026-01-28 08:01:49.1", "2026-01-28 09:02", ""), "ARC002", bsds.No), "E4B1A0000000", "E4B1B0000000")}},
	}
}

// What is torn, of something else, or not to be understood is an error with its
// line, and gives nothing.
func TestReadRefuses(t *testing.T) {
	const active = "ACTIVE LOG COPY 1 DATA SETS\nSTARTRBA=000000001000 ENDRBA=000000001FFF DSN=A.DS01 STATUS=REUSABLE\n"
	const heading = "ARCHIVE LOG COPY 1 DATA SETS\n"
	const ending = "CHECKPOINT QUEUE\n"
	cases := []struct {
		name, text string
		line       int
	}{
		{"nothing", "", 1},
		{"a job that did not run", "IEF453I MQJOB - JOB FAILED - JCL ERROR\n", 2},
		{"no archive table", active + ending, 4},
		{"no active table", heading + ending, 3},
		{"breaks off below a heading", active + heading, 4},
		{"breaks off behind an entry", active + heading + "STARTRBA=000000000000 ENDRBA=000000000FFF DSN=A.A0000001\n", 5},
		{"breaks off within an entry", active + heading + "STARTRBA=000000000000\n" + ending, 4},
		{"no data set", active + heading + "000000000000 000000000FFF VOL=X\n" + ending, 4},
		{"an odd address", active + heading + "000000000000 DSN=A.A0000001\n" + ending, 4},
		{"a cut address", active + heading + "000000000000 000000000F DSN=A.A0000001\n" + ending, 4},
		{"a cut address with a name", active + heading + "STARTRBA=000000 ENDRBA=000000000FFF DSN=A.A0000001\n" + ending, 4},
		{"a cut name", active + heading + "000000000000 000000000FFF DSN=A.A00\n00001\n" + ending, 5},
		{"a name that is none", active + heading + "000000000000 000000000FFF DSN=A..B\n" + ending, 4},
		{"a name too long", active + heading + "000000000000 000000000FFF DSN=" + strings.Repeat("A.", 22) + "A\n" + ending, 4},
		{"ends before it begins", active + heading + "000000002000 000000000FFF DSN=A.A0000001\n" + ending, 4},
		{"LRSNs back to front", active + heading + "000000000000 000000000FFF E4B1A0000001 E4B1A0000000 DSN=A.A0000001\n" + ending, 4},
		{"RBAs of two widths in an entry", active + heading + "000000000000 0000000000000FFF DSN=A.A0000001\n" + ending, 4},
		{"RBAs of two widths in a print", active + heading + "0000000000000000 0000000000000FFF DSN=A.A0000001\n" + ending, 2},
		{"LRSNs of two widths", active + heading + "000000000000 000000000FFF E4B1A0000000 E4B1B0000000 DSN=A.A1\n000000001000 000000001FFF 00E4B1A000000000 00E4B1B000000000 DSN=A.A2\n" + ending, 5},
		{"two prints", active + heading + ending + active, 5},
		{"two BSDSs", "LOG MAP OF BSDS DATA SET COPY 1, DSN=A.BSDS01\nLOG MAP OF BSDS DATA SET COPY 1, DSN=B.BSDS01\n", 2},
		{"an entry outside the tables", active + heading + "SEE THE MANUAL FOR MORE\n000000000000 000000000FFF DSN=A.A1\n" + ending, 5},
		{"the utility failed", active + heading + ending + "CSQJ201I CSQJU004 PRINT LOG MAP UTILITY PROCESSING WAS UNSUCCESSFUL\n", 5},
		{"an error of the utility", "CSQJ220E CSQJU004 A PARAMETER IS WRONG\n" + active + heading + ending, 1},
		{"a state that is not known", strings.Replace(active, "REUSABLE", "REUSED", 1) + heading + ending, 2},
		{"an RBA of Db2", "HIGHEST RBA WRITTEN 00000000000000062ABC\n" + active + heading + ending, 1},
		{"a value twice", active + heading + "STARTRBA=000000000000 ENDRBA=000000000FFF ENDRBA=000000000FFF DSN=A.A1\n" + ending, 4},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := bsds.Read([]byte(c.text))
			var torn *bsds.Error
			if !errors.As(err, &torn) || torn.Line != c.line {
				t.Errorf("got %v, want an Error of line %d", err, c.line)
			}
			if diff := cmp.Diff(bsds.Print{}, got, unlined); diff != "" {
				t.Errorf("something was given with the error: %s", diff)
			}
		})
	}
	whole := active + heading + "STARTRBA=000000000000 ENDRBA=000000000FFF DSN=A.A0000001\n" + ending
	if _, err := bsds.Read([]byte(whole)); err != nil {
		t.Errorf("the print that the cases are cut from: %v", err)
	}
}

// A print that is cut anywhere before its last table of logs ends is refused.
func TestReadCut(t *testing.T) {
	body, err := os.ReadFile(filepath.Join("testdata", "twolines.txt"))
	if err != nil {
		t.Fatal(err)
	}
	end := strings.Index(string(body), "0    CONDITIONAL RESTART")
	for i := 0; i < end; i += stride() {
		if _, err := bsds.Read(body[:i]); err == nil {
			t.Fatalf("cut behind %q it was read", body[max(0, i-40):i])
		}
	}
}

func log(t *testing.T, name, start, end, startTime, endTime, created string, status bsds.Status) bsds.Log {
	t.Helper()
	ends := rbas(t, start, end)
	return bsds.Log{DataSet: name, Start: ends[0], End: ends[1], StartTime: at(startTime), EndTime: at(endTime), Created: at(created), Status: status}
}

func archive(log bsds.Log, volume string, catalogued bsds.Answer) bsds.Log {
	log.Volume, log.Unit, log.Catalogued = volume, "3390", catalogued
	return log
}

func from(t *testing.T, log bsds.Log, start, end string) bsds.Log {
	t.Helper()
	ends := lrsns(t, start, end)
	log.StartLRSN, log.EndLRSN = ends[0], ends[1]
	return log
}

func at(text string) time.Time {
	for _, layout := range []string{"2006-01-02 15:04:05", "2006-01-02 15:04"} {
		if at, err := time.Parse(layout, text); err == nil {
			return at
		}
	}
	return time.Time{}
}

// stride is how far apart cuts are: nothing of this runs at the same time as
// anything else, so the race detector learns nothing from all of them.
func stride() int {
	if testing.Short() {
		return 17
	}
	return 1
}
