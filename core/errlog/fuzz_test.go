package errlog

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
)

func seeds(f *testing.F) {
	f.Helper()
	a, b := restart("QM1", "2026-05-01 10:00:00", "S0000128.LOG"), media("QM1", "2026-05-01 10:00:01", "S0000104.LOG")
	a.comment, a.arith = [3]string{"QM1", "a (b, c)", "S0000128.LOG"}, [2]string{"7", "14.49"}
	for _, layout := range []Layout{Text, JSON, Console} {
		text := a.in(layout, modern)
		f.Add([]byte(text))
		f.Add([]byte(text[:len(text)/3] + b.in(layout, modern)))
		f.Add([]byte(text[:len(text)/2] + "\x00\x00" + text))
	}
	f.Add([]byte(a.asText(look{30, 22, "02.01.2006 15:04:05", 70, "\r\n"})))
	f.Add([]byte("\ufeff{\"ibm_messageId\":\"AMQ7467I\",\"message\":\"\\u00e4\\\\\"}"))
	f.Add([]byte("\xff\xfea\x00\n\x00\x00\xd8"))
	f.Add([]byte(strings.Repeat(`{"host":`, 50)))
}

// Whatever the bytes: reading ends, records lie within the log, in order and
// apart, each is found again when it stands alone behind others, and no record
// comes of bytes that were none.
func FuzzScan(f *testing.F) {
	seeds(f)
	sound := restart("QM9", "2026-05-01 10:00:00", "S0000128.LOG").asText(modern)
	f.Fuzz(func(t *testing.T, log []byte) {
		last := int64(-1)
		var ids []string
		for r, err := range Scan(bytes.NewReader(log)) {
			var d *Damage
			if errors.As(err, &d) {
				if d.Error() == "" || d.Line < 1 || d.Offset < 0 {
					t.Errorf("%+v", d)
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if r.Offset < last || r.Line < 1 || r.ID == "" || !strings.Contains(r.Text+r.ID, "AMQ") || len(r.Text) > maxLine {
				t.Errorf("%+v behind %d", r, last)
			}
			if (r.Clock == UTC || r.Clock == Local) == r.Time.IsZero() && r.Time.Year() != 1 {
				t.Errorf("time %v by clock %d", r.Time, r.Clock)
			}
			last = r.Offset
			ids = append(ids, r.ID)
			_, _ = r.Extent()
		}
		if len(log) > 1 && (log[0] >= 0xfe || log[0] == 0xef) {
			return // what a byte order mark says is true of the whole log
		}
		// A whole record in front takes nothing from what follows, and one
		// behind is read whatever stands before it.
		var again []string
		for r, err := range Scan(io.MultiReader(strings.NewReader(sound), bytes.NewReader(log), strings.NewReader("\n"+sound))) {
			if err == nil {
				again = append(again, r.ID)
			}
		}
		n := len(again)
		if n < 2 || again[0] != "AMQ7467" || again[n-1] != "AMQ7467" {
			t.Fatalf("%q around %q", again, ids)
		}
		if len(log) > 0 && log[len(log)-1] == '\n' && !slices.Equal(again[1:n-1], ids) {
			t.Errorf("%q alone, %q between two", ids, again[1:n-1])
		}
	})
}

// Whatever the logs: a mark is the extent of a message of the queue manager
// that stands in one of them, and the newest of the kind by its own series.
func FuzzWatermarks(f *testing.F) {
	f.Add([]byte(restart("QM1", "2026-05-01 10:00:00", "S0000128.LOG").asText(modern)), []byte(media("QM1", "2026-05-01 10:00:01", "S0000104.LOG").asJSON(false)))
	f.Add([]byte(restart("QM1", "2026-05-01 10:00:00", "S0000128.LOG").asConsole(true)), []byte("\x00"))
	f.Fuzz(func(t *testing.T, first, second []byte) {
		marks, err := Watermarks("QM1", File{Name: "AMQERR01.LOG", Log: bytes.NewReader(first)}, File{Name: "AMQERR02.LOG", Log: bytes.NewReader(second)})
		if err != nil {
			t.Fatal(err)
		}
		for id, mark := range map[string]*Mark{"AMQ7467": marks.Restart, "AMQ7468": marks.Media} {
			if mark == nil {
				continue
			}
			if extent, err := mark.Seen.Extent(); err != nil || extent != mark.Extent || !mark.Seen.Is(id) || !mark.Seen.Of("QM1") {
				t.Errorf("%s: %+v, %v", id, mark, err)
			}
			for _, rival := range mark.Rivals {
				if extent, err := rival.Seen.Extent(); err != nil || extent != rival.Extent || extent == mark.Extent {
					t.Errorf("%s: rival %+v, %v", id, rival, err)
				}
			}
		}
		if marks.Records > 0 && marks.Newest == nil {
			t.Error("records, and no newest")
		}
	})
}
