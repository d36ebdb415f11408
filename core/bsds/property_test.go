package bsds_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/core/bsds"
)

// What is written is read back equal, also after it went through what prints go
// through on their way.
func TestWriteIsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := drawPrint(t)
		text := want.String()
		for _, way := range ways {
			if !rapid.Bool().Draw(t, way.name) {
				continue
			}
			if way.name == "wrapped" { // a name alone on its line says nothing of whose the addresses above are
				want.Active[0] = slices.DeleteFunc(want.Active[0], func(log bsds.Log) bool { return !log.Start.Known() })
				text = want.String()
			}
			text = way.change(t, text)
		}
		got, err := bsds.Read([]byte(text))
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		if diff := cmp.Diff(want, got, unlined); diff != "" {
			t.Fatalf("%s in\n%s", diff, text)
		}
	})
}

var ways = []struct {
	name   string
	change func(t *rapid.T, text string) string
}{
	{"wrapped", func(_ *rapid.T, text string) string {
		var b strings.Builder
		for line := range strings.Lines(text) {
			if cut := strings.LastIndexByte(line, ' '); len(line) > 72 && cut > 40 && strings.Contains(line, "DSN=") {
				line = line[:cut] + "\n      " + line[cut:]
			}
			b.WriteString(line)
		}
		return b.String()
	}},
	{"page headings", func(t *rapid.T, text string) string {
		lines := strings.SplitAfter(text, "\n")
		at := rapid.IntRange(0, len(lines)-1).Draw(t, "line")
		return strings.Join(lines[:at], "") + "1CSQJU004 PRINT LOG MAP UTILITY       2026.028 10:17   PAGE     2\n0\n" + strings.Join(lines[at:], "")
	}},
	{"without control characters", func(_ *rapid.T, text string) string {
		var b strings.Builder
		for line := range strings.Lines(text) {
			b.WriteString(line[min(1, len(strings.TrimRight(line, "\n"))):])
		}
		return b.String()
	}},
	{"mixed case", func(_ *rapid.T, text string) string { return strings.ToLower(text) }},
	{"CRLF", func(_ *rapid.T, text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }},
	{"indented", func(_ *rapid.T, text string) string {
		return "       " + strings.ReplaceAll(strings.ReplaceAll(text, "\n1", "\n "), "\n", "\n    ")
	}},
	{"messages of the job around it", func(_ *rapid.T, text string) string {
		return " 10.16.57 JOB00123  IEF403I MQJU004 - STARTED\n" + text + "IEF404I MQJU004 - ENDED\n"
	}},
}

// untimed leaves out times: where a print has the end of a log alone, it can't be
// told from a beginning.
var untimed = cmpopts.IgnoreFields(bsds.Log{}, "StartTime", "EndTime", "Created")

// FuzzRead: whatever is read is read back from what is written of it, with the
// same log data sets, and nothing is given with an error.
func FuzzRead(f *testing.F) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.txt"))
	if err != nil || len(files) == 0 {
		f.Fatal("no samples", err)
	}
	for _, file := range files {
		body, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		p, err := bsds.Read(body)
		if err != nil {
			if diff := cmp.Diff(bsds.Print{}, p, unlined); diff != "" {
				t.Fatal(diff)
			}
			return
		}
		for _, logs := range [][]bsds.Log{p.Active[0], p.Active[1], p.Archive[0], p.Archive[1]} {
			for _, log := range logs {
				if log.DataSet == "" || log.Start.Known() != log.End.Known() || log.End.Before(log.Start) || log.Line == 0 {
					t.Fatalf("%+v was read", log)
				}
			}
		}
		p.Newest()
		p.Find(p.HighestWritten)
		p.CoverLRSN(bsds.LRSN{})
		p.Inventory(1)
		text := p.String()
		again, err := bsds.Read([]byte(text))
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		if diff := cmp.Diff([2][2][]bsds.Log{p.Active, p.Archive}, [2][2][]bsds.Log{again.Active, again.Archive}, unlined, untimed); diff != "" {
			t.Fatalf("%s in\n%s", diff, text)
		}
	})
}

// FuzzParse: what is read as an address is written as it was.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"", "000000529193", "B713 3C72 22C5", "00de3f00a0000000", "FFFFFFFFFFFF"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		lrsn, err := bsds.ParseLRSN(text)
		if err != nil {
			return
		}
		if got, want := lrsn.String(), strings.ToUpper(strings.ReplaceAll(strings.TrimSpace(text), " ", "")); got != want {
			t.Fatalf("%q is %s, want %s", text, got, want)
		}
	})
}

// A print of a thousand archives in both copies is read in no time to speak of: a
// plan reads one of each of 32 members.
func BenchmarkRead(b *testing.B) {
	var p bsds.Print
	for side := range bsds.Copies {
		for i := range 1000 {
			start, _ := bsds.NewRBA(uint64(i)<<32, bsds.Eight)
			end, _ := start.Add(1<<32 - 1)
			lrsn, _ := bsds.NewLRSN(0xE4B100000000+uint64(i)<<24, bsds.Eight)
			p.Archive[side] = append(p.Archive[side], bsds.Log{DataSet: "QMA1.ARCLOG1.A0000001", Start: start, End: end,
				StartLRSN: lrsn, EndLRSN: lrsn, StartTime: base, EndTime: base, Created: base, Volume: "ARC001", Unit: "3390", Catalogued: bsds.Yes})
		}
	}
	text := []byte(p.String())
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := bsds.Read(text); err != nil {
			b.Fatal(err)
		}
	}
}
