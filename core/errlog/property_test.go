package errlog

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// managers are names that a queue manager may have.
var managers = rapid.StringMatching(`[A-Za-z0-9._/%]{1,48}`)

// words are prose in which nothing looks like the frame of a record.
var words = rapid.SliceOfN(rapid.OneOf(
	rapid.StringMatching(`[a-zäöüßéñ0-9]{1,14}`),
	rapid.StringMatching(`[日志文件队列管理器のです]{1,10}`),
	rapid.SampledFrom([]string{"(a)", "'b'", "100%", "[c],", "{d}", "- Process", "-----", "AMQ9999E:", "S0000001.LOG", "\xe4\xf6\xfc", "\x84\x94", "Z", "2026-05-01"}),
), 1, 30)

// drawn draws a message.
func drawn(t *rapid.T) told {
	m := told{
		id:          "AMQ" + rapid.StringMatching(`[0-9]{4}`).Draw(t, "id"),
		severity:    rapid.SampledFrom([]string{"I", "W", "E", "S", "T"}).Draw(t, "severity"),
		at:          time.UnixMilli(rapid.Int64Range(1.5e12, 2e12).Draw(t, "at")).UTC(),
		manager:     managers.Draw(t, "manager"),
		text:        strings.Join(words.Draw(t, "words"), " "),
		explanation: strings.Join(words.Draw(t, "explanation"), " "),
	}
	for i := range m.arith {
		m.arith[i] = rapid.SampledFrom([]string{"", "7", "-1", "14.49", "276849014"}).Draw(t, "arith")
	}
	for i := range m.comment {
		m.comment[i] = rapid.SampledFrom([]string{"", m.manager, "S0000104.LOG", "gua (10.1.1.36) (1480)", "a, b (c, [d])", "日志", "/a/b"}).Draw(t, "comment")
	}
	return m
}

// The records of a log are exactly those that are whole, whatever layout each
// was written in, however wide the lines are and wherever the others are torn.
func TestScanGivesWholeRecords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var log strings.Builder
		var want []Record
		glued := make(map[int]bool) // those that begin right behind a torn one
		for range rapid.IntRange(0, 12).Draw(t, "records") {
			m := drawn(t)
			l := look{
				width:  rapid.IntRange(20, 120).Draw(t, "width"),
				indent: rapid.SampledFrom([]int{20, 22}).Draw(t, "indent"),
				date:   rapid.SampledFrom([]string{"01/02/06 15:04:05", "02.01.2006 15:04:05", "1/2/2006 03:04:05 PM", "2006年01月02日 15時04分05秒"}).Draw(t, "date"),
				level:  rapid.SampledFrom([]int{70, 75, 91}).Draw(t, "level"),
				eol:    rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "eol"),
			}
			layout := rapid.SampledFrom([]Layout{Text, JSON, Console}).Draw(t, "layout")
			if layout == JSON {
				m.text, m.manager = strings.ToValidUTF8(m.text, "?"), strings.ToValidUTF8(m.manager, "?")
			}
			text := m.in(layout, l)
			if rapid.IntRange(0, 3).Draw(t, "tear") == 0 {
				// Behind a torn record comes one of the same layout, in the same
				// line or the next.
				last := len(text) - 3
				if layout == Text { // a trailer that has begun closes the record
					last = strings.LastIndex(text, "\n-----") + shortestTrailer - 1
				}
				tear := rapid.IntRange(1, last).Draw(t, "where")
				if layout == Console { // one that is torn in its message without inserts can't be told
					tear = min(tear, strings.Index(text, "AMQ"))
				}
				log.WriteString(text[:tear])
				m = drawn(t)
				l.date = "01/02/06 15:04:05"
				if layout == JSON {
					m.text = strings.ToValidUTF8(m.text, "?")
				}
				text = m.in(layout, l)
				if rapid.Bool().Draw(t, "line") && layout != Console {
					log.WriteString("\n")
				} else {
					glued[len(want)] = true
				}
			}
			log.WriteString(text)
			want = append(want, m.record(layout, l))
		}
		got := scan(t, log.String())
		if len(got.records) != len(want) {
			t.Fatalf("%d records of %d, damage %v in\n%s", len(got.records), len(want), got.damage, log.String())
		}
		for i, r := range got.records {
			r = placeless(r)
			if r.Layout == Text && glued[i] { // its local date may run into what stands before it
				r.Date = want[i].Date
				if want[i].Clock != UTC {
					r.Time, r.Clock = want[i].Time, want[i].Clock
				}
			}
			if diff := cmp.Diff(want[i], r); diff != "" {
				t.Fatalf("%s\n%s", diff, log.String())
			}
		}
	})
}

// in writes the message in a layout.
func (m told) in(layout Layout, l look) string {
	switch layout {
	case JSON:
		return m.asJSON(l.indent == 22)
	case Console:
		return m.asConsole(l.indent == 22)
	default:
		return m.asText(l)
	}
}

// Of a log that runs on over its rotations the newest message of each kind
// counts, whatever numbers the extents have, and in whatever order the files
// are read.
func TestWatermarksGiveTheNewest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		manager := managers.Draw(t, "manager")
		at := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)
		var marks [2]string
		var logs [3]strings.Builder
		file := 2
		for range rapid.IntRange(1, 30).Draw(t, "messages") {
			at = at.Add(time.Duration(rapid.IntRange(1, 1e7).Draw(t, "ms")) * time.Millisecond)
			extent := fmt.Sprintf("S%07d.LOG", rapid.IntRange(0, 9999999).Draw(t, "extent"))
			stamp := at.Format(time.DateTime)
			m, kind := restart(manager, stamp, extent), 0
			if rapid.Bool().Draw(t, "media") {
				m, kind = media(manager, stamp, extent), 1
			}
			m.at = at
			l := modern
			l.level = rapid.SampledFrom([]int{75, 91}).Draw(t, "level")
			logs[file].WriteString(m.asText(l))
			if strings.Contains(manager, "S0") || strings.Contains(manager, "s0") {
				return // a name that looks like an extent is refused elsewhere
			}
			marks[kind] = extent
			file = max(0, file-rapid.SampledFrom([]int{0, 0, 0, 1}).Draw(t, "rotate"))
		}
		var files []File
		for _, i := range rapid.Permutation([]int{0, 1, 2}).Draw(t, "order") {
			files = append(files, File{Name: fmt.Sprintf("/q/AMQERR0%d.LOG", i+1), Log: strings.NewReader(logs[i].String())})
		}
		got, err := Watermarks(manager, files...)
		if err != nil {
			t.Fatal(err)
		}
		for i, mark := range []*Mark{got.Restart, got.Media} {
			want := marks[i]
			if want == "" {
				want = "missing"
			}
			if say(mark) != want {
				t.Fatalf("%s, want %s", say(mark), want)
			}
		}
	})
}
