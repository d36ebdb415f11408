package errlog

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Each layout gives the same message.
func TestScanLayouts(t *testing.T) {
	m := message("AMQ9202", "QM1", "2021-03-17 06:40:30", "Remote host 'gua (10.1.1.36) (1480)' not available, retry later.",
		"gua (10.1.1.36) (1480)", "TCP/IP", "TO.GUA, [x]")
	m.severity, m.arith = "E", [2]string{"79", "80"}
	windows, old, oldest, crlf := modern, modern, modern, modern
	windows.indent, windows.date = 22, "02.01.2006 15:04:05"
	old.level, old.date = 75, "01/02/2006 03:04:05 PM"
	oldest.level, oldest.date = 70, "1/2/2006 15:04:05"
	crlf.eol = "\r\n"
	tests := map[string]struct {
		log  string
		want Record
	}{
		"9.1":                      {m.asText(modern), m.record(Text, modern)},
		"9.1, Windows":             {m.asText(windows), m.record(Text, windows)},
		"9.1, CRLF":                {m.asText(crlf), m.record(Text, crlf)},
		"7.5":                      {m.asText(old), m.record(Text, old)},
		"7.0":                      {m.asText(oldest), m.record(Text, oldest)},
		"JSON":                     {m.asJSON(false), m.record(JSON, modern)},
		"JSON, documented":         {m.asJSON(true), m.record(JSON, modern)},
		"console":                  {m.asConsole(false), m.record(Console, modern)},
		"console, collected":       {m.asConsole(true), m.record(Console, modern)},
		"JSON, collected":          {"2021-03-17T06:40:31Z stdout F " + m.asJSON(false), m.record(JSON, modern)},
		"dashes above":             {strings.Repeat("-", 79) + "\n" + m.asText(oldest), m.record(Text, oldest)},
		"byte order mark":          {"\ufeff" + m.asText(modern), m.record(Text, modern)},
		"trailer without its end":  {strings.TrimSuffix(m.asText(modern), "\n"), m.record(Text, modern)},
		"object without its end":   {strings.TrimSuffix(m.asJSON(false), "\n"), m.record(JSON, modern)},
		"inserts without line end": {strings.TrimSuffix(m.asConsole(true), "\n"), m.record(Console, modern)},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got := scan(t, test.log)
			if len(got.records) != 1 || len(got.damage) > 0 {
				t.Fatalf("%d records, damage %v", len(got.records), got.damage)
			}
			if diff := cmp.Diff(test.want, placeless(got.records[0])); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A file may hold all layouts, and the place of each record is told. It does
// not depend on how the bytes come.
func TestScanMixed(t *testing.T) {
	parts := []string{
		restart("QM1", "2026-05-01 10:00:00", "S0000128.LOG").asText(modern),
		media("QM1", "2026-05-01 10:00:01", "S0000104.LOG").asJSON(false),
		restart("QM1", "2026-05-01 10:00:02", "S0000129.LOG").asConsole(true),
		media("QM1", "2026-05-01 10:00:03", "S0000105.LOG").asText(modern),
	}
	log := strings.Join(parts, "")
	var got []string
	for r, err := range Scan(iotest.OneByteReader(strings.NewReader(log))) {
		if err != nil {
			t.Fatal(err)
		}
		extent, err := r.Extent()
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprint(r.Layout, " ", r.Line, " ", r.Offset, " ", extent))
	}
	var want []string
	offset, line := 0, 1
	for i, layout := range []Layout{Text, JSON, Console, Text} {
		want = append(want, fmt.Sprint(layout, " ", line, " ", offset, " ", []string{"S0000128.LOG", "S0000104.LOG", "S0000129.LOG", "S0000105.LOG"}[i]))
		offset, line = offset+len(parts[i]), line+strings.Count(parts[i], "\n")
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Case 27, as it was counted: in the text log 61 headers, 59 message lines and
// 2 torn records; in the JSON log 58 lines, of which 2 begin with a torn one.
func TestScanTorn(t *testing.T) {
	var text, object strings.Builder
	at := time.Date(2023, 3, 20, 18, 53, 38, 0, time.UTC)
	for i := range 61 {
		m := message("AMQ6206", "", at.Add(time.Duration(i)*time.Hour).Format(time.DateTime), "Command strmqm was issued.", "strmqm", "strmqm -x QM1")
		whole := m.asText(modern)
		if i == 13 || i == 40 { // stops within its header, behind 18 blanks
			header := strings.Join(m.header(modern), "\n")
			text.WriteString(header[:len(header)-1])
			continue
		}
		text.WriteString(whole)
	}
	lines := 0
	for i := range 60 {
		m := message("AMQ6206", "", at.Add(time.Duration(i)*time.Hour).Format(time.DateTime), "Command strmqm was issued.", "strmqm", "strmqm -x QM1")
		if i == 14 || i == 30 {
			m.id, m.severity = "AMQ6119", "S"
			object.WriteString(`{"ibm_messageId":"AMQ6119S","ibm_ar`)
			continue
		}
		object.WriteString(m.asJSON(false))
		lines++
	}
	if headers := strings.Count(text.String(), "- Process("); headers != 61 || strings.Count(text.String(), "\nAMQ") != 59 || lines != 58 {
		t.Fatalf("the logs are not as they were counted: %d headers, %d lines", headers, lines)
	}
	got := scan(t, text.String())
	if len(got.records) != 59 || len(got.damage) != 2 {
		t.Fatalf("text: %d records, damage %v", len(got.records), got.damage)
	}
	second := got.records[13]
	if first := got.damage[0]; first.Kind != Torn || second.Line != first.Line+6 || second.Clock != UTC || second.Date == "" {
		t.Errorf("torn at %v, then %+v", first, second)
	}
	got = scan(t, object.String())
	if len(got.records) != 58 || len(got.damage) != 2 {
		t.Fatalf("JSON: %d records, damage %v", len(got.records), got.damage)
	}
	if first := got.damage[0]; first.Kind != Torn || first.ID != "AMQ6119" || first.Line != 15 || got.records[14].Line != 15 {
		t.Errorf("torn at %v", first)
	}
}

// What is wrong in a log, and which of three records around it are read.
func TestScanDamage(t *testing.T) {
	a := restart("QM1", "2026-05-01 10:00:00", "S0000128.LOG").asText(modern)
	b := media("QM1", "2026-05-01 10:00:01", "S0000104.LOG").asText(modern)
	message := b[:strings.Index(b, "\n\nEXPLANATION")]
	object := media("QM1", "2026-05-01 10:00:01", "S0000104.LOG").asJSON(false)
	line := media("QM1", "2026-05-01 10:00:01", "S0000104.LOG")
	line.comment = [3]string{"QM1", "S0000104.LOG"}
	console := line.asConsole(true)
	tests := map[string]struct {
		log    string
		ids    string
		damage string
	}{
		"nothing":                        {"", "", ""},
		"blank":                          {"\n\r\n   \n", "", ""},
		"zeros alone":                    {strings.Repeat("\x00", 300_000), "", "zero bytes"},
		"zeros behind":                   {a + strings.Repeat("\x00", 3_000_000), "AMQ7467", "zero bytes"},
		"a lost block":                   {a[:len(a)/2] + strings.Repeat("\x00", 4096) + a[len(a)/2:] + b, "AMQ7468", "a torn record, zero bytes"},
		"a lost block within a message":  {a + message[:len(message)-6] + "\x00\x00\x00" + b + a, "AMQ7467 AMQ7468 AMQ7467", "a torn record (AMQ7468), zero bytes"},
		"zeros between":                  {a + "\x00\x00" + b, "AMQ7467 AMQ7468", "zero bytes"},
		"zeros in an object":             {object[:50] + "\x00" + object[50:], "", "a torn record (AMQ7468), zero bytes"},
		"text of none":                   {"hello\nworld\n" + a, "AMQ7467", "text that belongs to no record"},
		"the end of a record":            {a[len(a)/2:] + b, "AMQ7468", "text that belongs to no record"},
		"stops at the end of a line":     {a[:strings.Index(a, "EXPLANATION")] + b, "AMQ7468", "a torn record (AMQ7467)"},
		"stops in its trailer":           {strings.TrimSuffix(a, "--\n") + b, "AMQ7468", "a torn record (AMQ7467)"},
		"stops in its first line":        {"04/30/26 10:00:00 - Process(2272.1) Us" + b, "AMQ7468", "a torn record"},
		"stops twice in one line":        {"04/30/26 10:00:00 - Process(2272.1) Us04/30/26 10:00:00 - Process(1.1) P" + b, "AMQ7468", "a torn record, a torn record"},
		"stops in its date":              {"04/30/26 10:0" + b, "AMQ7468", "text that belongs to no record"},
		"still being written":            {a + message, "AMQ7467", "an unfinished record (AMQ7468)"},
		"header being written":           {a + b[:100], "AMQ7467", "an unfinished record"},
		"trailer being written":          {a + b[:len(b)-10], "AMQ7467", "an unfinished record (AMQ7468)"},
		"object being written":           {object + object[:200], "AMQ7468", "an unfinished record (AMQ7468)"},
		"console being written":          {console + console[:len(console)-2], "AMQ7468", "a torn record (AMQ7468)"},
		"no message":                     {"05/01/26 10:00:00 - Process(1.1) User(mqm) Program(x)\n" + strings.Repeat("-", 79) + "\n" + a, "AMQ7467", "a torn record"},
		"an object within a text record": {a[:len(a)-90] + "\n" + object, "AMQ7468", "a torn record (AMQ7467)"},
		"a console line within one":      {a[:len(a)-90] + "\n" + console, "AMQ7468", "a torn record (AMQ7467)"},
		"object behind object":           {strings.TrimSuffix(object, "\n") + object, "AMQ7468 AMQ7468", ""},
		"object torn behind a colon":     {`{"ibm_messageId":"AMQ7467I","ibm_arithInsert1":` + object, "AMQ7468", "a torn record (AMQ7467)"},
		"object torn behind a quote":     {`{"ibm_messageId":"AMQ7467I","message":"` + object, "AMQ7468", "a torn record (AMQ7467)"},
		"another id in the message":      {strings.Replace(object, "AMQ7468I: ", "AMQ7467I: ", 1), "", "a record that contradicts itself (AMQ7468)"},
		"two ids":                        {`{"ibm_messageId":"AMQ7467I",` + object[1:], "", "a record that contradicts itself (AMQ7468)"},
		"console torn":                   {console[:60] + console, "AMQ7468", "a torn record (AMQ7468)"},
		"console torn in its inserts":    {console[:len(console)-5] + "\n" + console, "AMQ7468", "a torn record (AMQ7468)"},
		"a line beyond measure":          {strings.Repeat("x", 3<<20) + "\n" + a, "AMQ7467", "a record that is too long"},
		"a record beyond measure":        {message + strings.Repeat("\nmore of it", 100_000) + "\n" + a, "AMQ7467", "a record that is too long (AMQ7468)"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got := scan(t, test.log)
			var ids, damage []string
			for _, r := range got.records {
				ids = append(ids, r.ID)
			}
			for _, d := range got.damage {
				text := d.Error()
				damage = append(damage, text[strings.Index(text, ": ")+2:])
			}
			if strings.Join(ids, " ") != test.ids || strings.Join(damage, ", ") != test.damage {
				t.Errorf("records %q, damage %q", ids, damage)
			}
		})
	}
}

// What a container prints beside messages of its queue manager is no damage,
// and inserts hold commas and brackets (case 30).
func TestScanConsole(t *testing.T) {
	log := `2025-10-27 14:19:41.830 | 2025-10-27T19:19:41.829Z Creating queue manager QM1
2025-10-27 14:19:42.542 | 2025-10-27T19:19:41.943Z AMQ6287I: IBM MQ V9.4.4.0 (p944). [CommentInsert1(Linux (MQ Linux (ARM 64-bit platform) 64-bit)), CommentInsert2(/opt/mqm (Installation1)), CommentInsert3(9.4.4.0 (p944, x))]
2025-10-27 14:19:42.542 | 2025-10-27T19:19:42.002Z AMQ7374I: Log replay has started at '<0:0:0:4820> 0x00000000000012d4'. [ArithInsert1(1), ArithInsert2(4820), CommentInsert1(<0:0:0:4820> 0x00000000000012d4), CommentInsert2(2025-10-27T19:19:41.951000), CommentInsert3(S0000000.LOG)]
2025-10-27 14:19:42.755 | 2025-10-27T19:19:42.336Z CWWKE0001I: The server mqweb has been launched.
a line of the web server without a stamp
2025-10-27 14:19:43.044 | 2025-10-27T19:19:42.652Z AMQ9410I: Repository manager started.
{"host":"h","level":"INFO","message":"Started web server","type":"mq_containerlog"}
`
	got := scan(t, log)
	if len(got.damage) > 0 || len(got.records) != 3 {
		t.Fatalf("%d records, damage %v", len(got.records), got.damage)
	}
	want := [3]string{"Linux (MQ Linux (ARM 64-bit platform) 64-bit)", "/opt/mqm (Installation1)", "9.4.4.0 (p944, x)"}
	if got.records[0].Comment != want {
		t.Errorf("%q", got.records[0].Comment)
	}
	if at := got.records[1].Time; !at.Equal(time.Date(2025, 10, 27, 19, 19, 42, 2e6, time.UTC)) {
		t.Errorf("the second stamp counts, not %v", at)
	}
	if got.records[2].Text != "AMQ9410I: Repository manager started." {
		t.Errorf("%q", got.records[2].Text)
	}
}

// Prose of any language and encoding does not matter: Chinese and Japanese in
// UTF-8, GBK and Shift-JIS, German in code pages 850 and 1252, and lines that
// are broken without a blank.
func TestScanLanguages(t *testing.T) {
	prose := map[string][2]string{
		"Chinese":            {"启动队列管理器“QM1”所需的最旧日志文件为", "。"},
		"Chinese, GBK":       {"\xc6\xf4\xb6\xaf\xb6\xd3\xc1\xd0 QM1 \xce\xaa", "\xa1\xa3"},
		"Japanese":           {"キュー・マネージャー QM1 の始動に必要な最も古いログ・ファイルは", "です。"},
		"Japanese, SJIS":     {"\x83\x4c\x83\x85\x81\x5b QM1 \x83\x4f\x83\x58", "\x82\xc5\x82\xb7"},
		"Japanese, EUC":      {"\xa5\xad\xa5\xe5 QM1 \xa5\xb0", "\xa4\xc7"},
		"German, page 850":   {"Die \x84lteste Protokolldatei f\x81r QM1 ist ", "."},
		"German, Latin":      {"Die \xe4lteste Protokolldatei f\xfcr QM1 ist ", "."},
		"no blank around it": {"QM1：", "。"},
	}
	for name, text := range prose {
		t.Run(name, func(t *testing.T) {
			m := message("AMQ7467", "", "2026-05-01 10:00:00", text[0]+"S0000128.LOG"+text[1])
			m.explanation = "ERKL\x8eRUNG: \xff\xfe { } -----"
			for _, log := range []string{m.asText(modern), m.asText(look{20, 22, "02.01.2006 15:04:05", 75, "\r\n"}), m.asConsole(true)} {
				got := scan(t, log)
				if len(got.records) != 1 || len(got.damage) > 0 {
					t.Fatalf("%d records, damage %v", len(got.records), got.damage)
				}
				r := got.records[0]
				extent, err := r.Extent()
				if err != nil || extent != "S0000128.LOG" || !r.Of("QM1") || r.Of("QM2") {
					t.Errorf("%q: %q, %v", r.Text, extent, err)
				}
			}
		})
	}
}

// An error of the source comes last, and what was read before it is given.
func TestScanError(t *testing.T) {
	whole := restart("QM1", "2026-05-01 10:00:00", "S0000128.LOG").asText(modern)
	source := errors.New("the disk is gone")
	var records, damages int
	var last error
	for _, err := range Scan(io.MultiReader(strings.NewReader(whole+whole[:80]), iotest.ErrReader(source))) {
		var d *Damage
		switch {
		case errors.As(err, &d):
			damages++
		case err == nil:
			records++
		default:
			last = err
		}
	}
	if records != 1 || damages != 1 || !errors.Is(last, source) {
		t.Errorf("%d records, %d damages, %v", records, damages, last)
	}
	for range Scan(strings.NewReader(whole + whole)) {
		break // whoever has seen enough is not asked again
	}
}
