package errlog

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

// written is a log by its name.
type written map[string]string

func (w written) read(tb testing.TB, manager string) Marks {
	tb.Helper()
	marks, err := Watermarks(manager, w.files()...)
	if err != nil {
		tb.Fatal(err)
	}
	backwards := w.files()
	slices.Reverse(backwards)
	again, err := Watermarks(manager, backwards...)
	if err != nil || say(again.Restart) != say(marks.Restart) || say(again.Media) != say(marks.Media) {
		tb.Errorf("the order of the files matters: %s and %s, %s and %s, %v", say(marks.Restart), say(again.Restart), say(marks.Media), say(again.Media), err)
	}
	return marks
}

func (w written) files() []File {
	var names []string
	for name := range w {
		names = append(names, name)
	}
	slices.Sort(names)
	var files []File
	for _, name := range names {
		files = append(files, File{Name: name, Log: strings.NewReader(w[name]), Shared: strings.HasPrefix(name, "/var/mqm/errors/")})
	}
	return files
}

// say puts a mark in short: its extent, its rivals, and what is doubtful.
func say(m *Mark) string {
	if m == nil {
		return "missing"
	}
	text := m.Extent
	var rivals []string
	for _, r := range m.Rivals {
		rivals = append(rivals, r.Extent)
	}
	slices.Sort(rivals)
	for _, r := range rivals {
		text += " or " + r
	}
	if m.Damaged {
		text += ", damaged"
	}
	if m.Unread {
		text += ", unread"
	}
	return text
}

const (
	log1  = "/var/mqm/qmgrs/QM1/errors/AMQERR01.LOG"
	log2  = "/var/mqm/qmgrs/QM1/errors/AMQERR02.LOG"
	log3  = "/var/mqm/qmgrs/QM1/errors/AMQERR03.LOG"
	json1 = "/var/mqm/qmgrs/QM1/errors/AMQERR01.json"
)

func TestWatermarks(t *testing.T) {
	r := func(at, extent string) string { return restart("QM1", "2026-05-01 "+at, extent).asText(modern) }
	m := func(at, extent string) string { return media("QM1", "2026-05-01 "+at, extent).asText(modern) }
	old := look{79, 20, "01/02/2006 03:04:05 PM", 70, "\n"}
	other := func(at string) string {
		return message("AMQ6206", "QM1", "2026-05-01 "+at, "Command strmqm was issued.").asText(modern)
	}
	tests := map[string]struct {
		logs           written
		restart, media string
	}{
		"nothing":                    {written{log1: ""}, "missing", "missing"},
		"a pair":                     {written{log1: r("10:00:00", "S0000128.LOG") + m("10:00:00", "S0000104.LOG")}, "S0000128.LOG", "S0000104.LOG"},
		"media rotated away":         {written{log1: r("10:00:00", "S0000128.LOG"), log2: "", log3: ""}, "S0000128.LOG", "missing"},
		"restart rotated away":       {written{log1: m("10:00:00", "S0000104.LOG")}, "missing", "S0000104.LOG"},
		"rotated, nothing yet in 01": {written{log1: "", log2: r("10:00:00", "S0000128.LOG") + m("10:00:00", "S0000104.LOG")}, "S0000128.LOG", "S0000104.LOG"},
		"the newest, not the largest": {written{
			log1: r("12:00:00", "S0000001.LOG") + m("12:00:00", "S9999998.LOG"),
			log2: r("11:00:00", "S9999999.LOG") + m("11:00:00", "S9999990.LOG"),
		}, "S0000001.LOG", "S9999998.LOG"},
		"restored to an older state": {written{
			log1: r("10:00:00", "S0000900.LOG") + m("10:00:00", "S0000800.LOG") + r("12:00:00", "S0000500.LOG") + m("12:00:00", "S0000400.LOG"),
		}, "S0000500.LOG", "S0000400.LOG"},
		"one of the pair is newer": {written{log1: m("10:00:00", "S0000104.LOG") + r("11:00:00", "S0000130.LOG")}, "S0000130.LOG", "S0000104.LOG"},
		"a clock that went back": {written{log1: r("12:00:00", "S0000128.LOG") + r("11:30:00", "S0000129.LOG") + m("11:30:00", "S0000104.LOG")},
			"S0000128.LOG or S0000129.LOG", "S0000104.LOG"},
		"a clock that went back, the same extent": {written{log1: r("12:00:00", "S0000128.LOG") + r("11:30:00", "S0000128.LOG")}, "S0000128.LOG", "missing"},
		"the same second":                         {written{log1: r("12:00:00", "S0000128.LOG") + r("12:00:00", "S0000129.LOG")}, "S0000129.LOG", "missing"},
		"the same record in 01 and 02":            {written{log1: r("12:00:00", "S0000128.LOG"), log2: r("12:00:00", "S0000128.LOG")}, "S0000128.LOG", "missing"},
		"as text and as JSON":                     {written{log1: r("12:00:00", "S0000128.LOG"), json1: restart("QM1", "2026-05-01 12:00:01", "S0000128.LOG").asJSON(false)}, "S0000128.LOG", "missing"},
		"JSON is ahead":                           {written{log1: r("12:00:00", "S0000128.LOG"), json1: restart("QM1", "2026-05-01 13:00:00", "S0000129.LOG").asJSON(false)}, "S0000129.LOG", "missing"},
		"text and JSON at once disagree":          {written{log1: r("12:00:00", "S0000128.LOG"), json1: restart("QM1", "2026-05-01 12:00:00", "S0000129.LOG").asJSON(false)}, "S0000129.LOG or S0000128.LOG", "missing"},
		"replay start is no watermark":            {written{"console": message("AMQ7374", "", "2026-05-01 12:00:00", "Log replay.", "x", "y", "S0000000.LOG").asConsole(true)}, "missing", "missing"},
		"console":                                 {written{"console": media("QM1", "2026-05-01 12:00:01", "S0000105.LOG").asConsole(true) + media("QM1", "2026-05-01 12:00:00", "S0000104.LOG").asConsole(true)}, "missing", "S0000105.LOG or S0000104.LOG"},
		"torn behind the mark":                    {written{log1: r("10:00:00", "S0000128.LOG") + m("10:00:00", "S0000104.LOG")[:200] + other("11:00:00")}, "S0000128.LOG, damaged", "missing"},
		"torn before the mark":                    {written{log1: r("09:00:00", "S0000127.LOG")[:200] + r("10:00:00", "S0000128.LOG")}, "S0000128.LOG", "missing"},
		"torn in the older file":                  {written{log1: r("10:00:00", "S0000128.LOG"), log2: r("09:00:00", "S0000127.LOG") + other("09:30:00")[:99]}, "S0000128.LOG", "missing"},
		"an older file ends within one":           {written{log1: other("10:00:00"), log2: r("09:00:00", "S0000127.LOG") + r("09:30:00", "S0000128.LOG")[:199]}, "S0000127.LOG, damaged", "missing"},
		"the last is being written":               {written{log1: r("10:00:00", "S0000128.LOG") + r("11:00:00", "S0000129.LOG")[:300]}, "S0000128.LOG", "missing"},
		"the newest names two":                    {written{log1: r("10:00:00", "S0000128.LOG") + r("11:00:00", "S0000129.LOG S0000130.LOG")}, "S0000128.LOG, unread", "missing"},
		"an older one names none":                 {written{log1: r("10:00:00", "R0000128.LOG") + r("11:00:00", "S0000129.LOG")}, "S0000129.LOG", "missing"},
		"the only one names none":                 {written{log1: r("10:00:00", "R0000128.LOG")}, "missing", "missing"},
		"of another queue manager":                {written{log1: r("10:00:00", "S0000128.LOG") + restart("QM2", "2026-05-01 11:00:00", "S0000999.LOG").asText(modern)}, "S0000128.LOG", "missing"},
		"of another in a shared log":              {written{"/var/mqm/errors/AMQERR01.LOG": restart("QM1", "2026-05-01 10:00:00", "S0000128.LOG").asText(old) + restart("QM2", "2026-05-01 11:00:00", "S0000999.LOG").asText(old)}, "S0000128.LOG", "missing"},
		"7.0 does not name the manager":           {written{log1: restart("QM1", "2026-05-01 10:00:00", "S0000128.LOG").asText(old) + restart("QM2", "2026-05-01 11:00:00", "S0000999.LOG").asText(old)}, "S0000128.LOG, unread", "missing"},
		"7.0, ambiguous dates, by place":          {written{log1: restart("QM1", "2026-03-04 10:00:00", "S0000128.LOG").asText(old), log2: restart("QM1", "2026-02-09 10:00:00", "S0000120.LOG").asText(old)}, "S0000128.LOG", "missing"},
		"7.0, two files without a number":         {written{"a.txt": restart("QM1", "2026-05-01 10:00:00", "S0000128.LOG").asText(old), "b.txt": restart("QM1", "2026-04-09 10:00:00", "S0000120.LOG").asText(old)}, "S0000120.LOG or S0000128.LOG", "missing"},
		"the same, and other dates tell": {written{
			"a.txt": restart("QM1", "2026-04-30 10:00:00", "S0000127.LOG").asText(old) + restart("QM1", "2026-05-01 10:00:00", "S0000128.LOG").asText(old),
			"b.txt": restart("QM1", "2026-03-31 10:00:00", "S0000119.LOG").asText(old) + restart("QM1", "2026-04-09 10:00:00", "S0000120.LOG").asText(old)}, "S0000128.LOG", "missing"},
		"from 7.0 to 9.1": {written{log1: restart("QM1", "2026-05-01 10:00:00", "S0000128.LOG").asText(modern), log2: restart("QM1", "2026-04-09 10:00:00", "S0000120.LOG").asText(old)}, "S0000128.LOG", "missing"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			marks := test.logs.read(t, "QM1")
			got := [2]string{say(marks.Restart), say(marks.Media)}
			want := [2]string{test.restart, test.media}
			// Which of two is taken where nothing tells is not part of the promise.
			if sorted(got) != sorted(want) {
				t.Errorf("got %q, want %q", got, want)
			}
			if (len(marks.Missing()) > 0) != (test.restart == "missing" || test.media == "missing") {
				t.Errorf("missing: %v", marks.Missing())
			}
		})
	}
}

// sorted puts the alternatives of two marks in order.
func sorted(marks [2]string) string {
	for i, mark := range marks {
		head, doubts, _ := strings.Cut(mark, ",")
		parts := strings.Split(head, " or ")
		slices.Sort(parts)
		marks[i] = strings.Join(parts, " or ") + doubts
	}
	return fmt.Sprint(marks)
}

// What a caller needs to judge the marks, and what a person should know.
func TestWatermarksFacts(t *testing.T) {
	say := func(at, id, text string, comments ...string) string {
		return message(id, "QM1", "2026-05-01 "+at, text, comments...).asText(modern)
	}
	log := say("09:00:00", "AMQ8003", "IBM MQ queue manager 'QM1' started using V9.1.0.0.", "9.1.0.0", "", "QM1") +
		restart("QM1", "2026-05-01 10:00:00", "S0000128.LOG").asText(modern) +
		say("10:00:00", "AMQ7490", "Log extent statistics: 55 created. 3 reused. 12 deleted.") +
		say("10:01:00", "AMQ7472", "Object QL.A, type queue damaged.") +
		say("10:02:00", "AMQ7472", "Object QL.B, type queue damaged.") +
		say("10:03:00", "AMQ7472", "Object QL.A, type queue damaged.") +
		say("10:04:00", "AMQ7463", "The log for queue manager QM1 is full.") +
		say("10:04:00", "AMQ5782", "File system containing '/var/mqm/log/QM1' is 81% used, 9MB free.") +
		say("10:05:00", "AMQ5782", "File system containing '/var/mqm/log/QM1' is 83% used, 8MB free.") +
		say("10:05:00", "AMQ5782", "File system containing '/var/mqm/qmgrs/QM1' is 12% used, 8MB free.") +
		say("10:06:00", "AMQ8004", "IBM MQ queue manager 'QM1' ended.") +
		say("10:07:00", "AMQ6206", "Command strmqm was issued.") +
		"04/30/26 10:0"
	marks := written{log1: log, log2: "", log3: "", "/var/mqm/errors/AMQERR01.LOG": message("AMQ8001", "", "2026-05-01 08:00:00", "IBM MQ queue manager 'QM1' created.", "", "", "QM1").asText(modern) +
		message("AMQ6206", "", "2026-05-01 12:00:00", "Command endmqm was issued.").asText(modern)}.read(t, "QM1")
	at := func(s *Sighting) string {
		if s == nil {
			return ""
		}
		return s.Time.Format(time.TimeOnly)
	}
	if at(marks.Newest) != "10:07:00" || at(marks.Started) != "09:00:00" || at(marks.Ended) != "10:06:00" || at(marks.Created) != "08:00:00" {
		t.Errorf("newest %s, started %s, ended %s, created %s", at(marks.Newest), at(marks.Started), at(marks.Ended), at(marks.Created))
	}
	if s := marks.Statistics; s == nil || s.Created != 55 || s.Reused != 3 || s.Deleted != 12 {
		t.Errorf("%+v", s)
	}
	var notices, systems []string
	for _, n := range marks.Notices {
		notices = append(notices, fmt.Sprint(n.Newest.ID, " ", n.Count, " ", n.Newest.Time.Format(time.TimeOnly)))
	}
	if got := strings.Join(notices, ", "); got != "AMQ7463 1 10:04:00, AMQ7472 2 10:03:00, AMQ7472 1 10:02:00" {
		t.Error(got)
	}
	for _, f := range marks.FileSystems {
		systems = append(systems, fmt.Sprint(f.Path, " ", f.Percent))
	}
	if got := strings.Join(systems, ", "); got != "/var/mqm/log/QM1 83, /var/mqm/qmgrs/QM1 12" {
		t.Error(got)
	}
	if marks.Foreign != 1 || marks.Damages != 1 || marks.Damage[0].File != log1 || !marks.Complete || len(marks.Gaps) > 0 || marks.Unfinished {
		t.Errorf("foreign %d, damage %v, oldest %v, gaps %v, unfinished %v", marks.Foreign, marks.Damage, marks.Complete, marks.Gaps, marks.Unfinished)
	}
	if text := marks.Restart.Seen.String(); text != "AMQ7467 in "+log1+", line 15" {
		t.Error(text)
	}
}

// Whether files are missing, and whether the oldest records are still there.
func TestWatermarksFiles(t *testing.T) {
	whole := restart("QM1", "2026-05-01 10:00:00", "S0000128.LOG").asText(modern)
	tests := map[string]struct {
		logs       written
		gaps       string
		oldest     bool
		unfinished bool
	}{
		"none":               {written{}, "", false, false},
		"one":                {written{log1: whole}, "", true, false},
		"three, two empty":   {written{log1: whole, log2: "", log3: ""}, "", true, false},
		"three":              {written{log1: whole, log2: whole, log3: whole}, "", false, false},
		"three, one damaged": {written{log1: whole, log2: whole, log3: "\x00"}, "", false, false},
		"the newest is gone": {written{log2: whole, log3: whole}, log1, false, false},
		"the middle is gone": {written{log1: whole, log3: whole}, log2, false, false},
		"only the oldest":    {written{log3: whole}, log1 + " " + log2, false, false},
		"a name with signs":  {written{"/q/QM%1d/errors/AMQERR03.LOG": whole, "/q/QM%1d/errors/AMQERR01.LOG": whole}, "/q/QM%1d/errors/AMQERR02.LOG", false, false},
		"without a number":   {written{"console.txt": whole}, "", false, false},
		"being written":      {written{log1: whole[:200], log2: whole}, "", true, true},
		"an older one torn":  {written{log1: whole, log2: whole[:200]}, "", true, false},
		"Windows":            {written{`C:\MQ\errors\AMQERR02.LOG`: whole, `C:\MQ\errors\AMQERR01.LOG`: whole}, "", true, false},
	}
	for name, test := range tests {
		marks := test.logs.read(t, "QM1")
		if got := strings.Join(marks.Gaps, " "); got != test.gaps || marks.Complete != test.oldest || marks.Unfinished != test.unfinished {
			t.Errorf("%s: gaps %q, oldest %v, unfinished %v", name, got, marks.Complete, marks.Unfinished)
		}
	}
}

func TestWatermarksErrors(t *testing.T) {
	if _, err := Watermarks(""); err == nil {
		t.Error("no name, and no error")
	}
	source := errors.New("the disk is gone")
	_, err := Watermarks("QM1", File{Name: log1, Log: iotest.ErrReader(source)})
	if !errors.Is(err, source) || !strings.Contains(err.Error(), log1) {
		t.Error(err)
	}
	marks := written{log1: strings.Repeat(restart("QM1", "2026-05-01 10:00:00", "R0000128.LOG").asText(modern)+strings.Repeat("\x00", 3), 300)}.read(t, "QM1")
	if marks.Rejects != 300 || len(marks.Rejected) != maxListed || marks.Damages != 300 || len(marks.Damage) != maxListed {
		t.Errorf("%d and %d rejected, %d and %d damages", marks.Rejects, len(marks.Rejected), marks.Damages, len(marks.Damage))
	}
	if err := marks.Rejected[0].Err; err == nil || !strings.Contains(err.Error(), "names no extent") {
		t.Error(err)
	}
}
