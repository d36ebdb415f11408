package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/plugins"
)

// A window shows what the recovery of each structure would read, from its backup
// to now, and below it where the logs of the members lie.
//
//	                    2026-05-28 01:30       2026-05-28 02:00
//	structure APPSTR1   |        @@=====================|
//	log QMA1            |::::::::::::::#################|

// mostWindowRows is how many rows are drawn: a group has at most 63 structures
// and 32 members.
const mostWindowRows = 128

// spanSign is how a span is drawn, with its meaning. Of two that lie in one column
// the one that stands later in signsOfSpans is seen.
type spanSign struct {
	state   plugins.SpanState
	char    byte
	meaning string
}

var signsOfSpans = []spanSign{
	{"", '-', "something else"},
	{plugins.SpanArchive, ':', "archived log"},
	{plugins.SpanActive, '#', "active log"},
	{plugins.SpanNeeded, '=', "a recovery reads the log of this time"},
	{plugins.SpanImage, '@', "a backup was written"},
	{plugins.SpanExpiring, '?', "log that goes before it is needed no more"},
	{plugins.SpanMissing, '!', "log that was not found"},
}

// signOf gives the place of a state in signsOfSpans; 0 for one that is not known.
func signOf(state string) int {
	for i, s := range signsOfSpans {
		if i > 0 && string(s.state) == state {
			return i
		}
	}
	return 0
}

// window is the span of time that is drawn.
type window struct {
	from, to time.Time
	columns  int
}

// drawWindow draws a picture of kind window in at most width columns; nil when it
// has no rows.
func drawWindow(picture ledger.Picture, width int) []string {
	rows := picture.Rows[:min(len(picture.Rows), mostWindowRows)]
	if len(rows) == 0 {
		return nil
	}
	names := make([]string, len(rows))
	widest := 0
	for i, row := range rows {
		names[i] = strings.TrimSpace(tail(ascii(row.Kind), 9) + " " + tail(ascii(row.Name), nameWidth))
		widest = max(widest, len(names[i]))
	}
	w, known := windowOf(picture, max(width-widest-3, 10))
	var lines []string
	if known {
		lines = append(lines, w.head(widest)...)
	}
	used := make([]bool, len(signsOfSpans))
	for i, row := range rows {
		line := fmt.Sprintf("%-*s", widest, names[i])
		if known {
			line += " |" + w.spans(row, used) + "|"
		}
		lines = append(lines, line)
		if row.Text != "" {
			for _, part := range strings.Split(wrap(ascii(row.Text), width-4), "\n") {
				lines = append(lines, "    "+part)
			}
		}
	}
	lines = append(lines, "")
	for _, note := range windowNotes(picture, used, known) {
		lines = append(lines, strings.Split(wrap(note, width), "\n")...)
	}
	return trimRight(lines)
}

// windowOf gives the time that is drawn: what the picture says, else from the
// oldest to the newest end of its spans.
func windowOf(picture ledger.Picture, columns int) (window, bool) {
	var ends []time.Time
	for _, row := range picture.Rows {
		for _, span := range row.Spans {
			for _, text := range []string{span.From, span.To} {
				if at, err := time.Parse(time.RFC3339, text); err == nil {
					ends = append(ends, at)
				}
			}
		}
	}
	slices.SortFunc(ends, time.Time.Compare)
	w := window{columns: columns}
	var errFrom, errTo error
	w.from, errFrom = time.Parse(time.RFC3339, picture.From)
	w.to, errTo = time.Parse(time.RFC3339, picture.To)
	if errFrom != nil && len(ends) > 0 {
		w.from, errFrom = ends[0], nil
	}
	if errTo != nil && len(ends) > 0 {
		w.to, errTo = ends[len(ends)-1], nil
	}
	return w, errFrom == nil && errTo == nil && w.to.After(w.from)
}

// head writes both ends of the window above it.
func (w window) head(names int) []string {
	left := strings.Repeat(" ", names+1)
	from, to := minute(w.from), minute(w.to)
	if gap := w.columns + 2 - len(from) - len(to); gap > 0 {
		return []string{left + from + strings.Repeat(" ", gap) + to}
	}
	return []string{left + "from " + from, left + "to   " + to}
}

// spans draws a row, each span at least one column wide.
func (w window) spans(row ledger.Row, used []bool) string {
	top := make([]int, w.columns)
	for i := range top {
		top[i] = -1
	}
	for _, span := range row.Spans {
		from, to := w.column(span.From, 0), w.column(span.To, w.columns)
		from = min(from, w.columns-1)
		sign := signOf(span.State)
		for column := from; column < min(max(to, from+1), w.columns); column++ {
			top[column] = max(top[column], sign)
		}
	}
	line := []byte(strings.Repeat(" ", w.columns))
	for i, sign := range top {
		if sign >= 0 {
			line[i] = signsOfSpans[sign].char
			used[sign] = true
		}
	}
	return string(line)
}

// column gives where a time lies; of one that is not known what is given.
func (w window) column(text string, unknown int) int {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return unknown
	}
	share := float64(at.Unix()-w.from.Unix()) / max(float64(w.to.Unix()-w.from.Unix()), 1)
	return int(min(max(share, 0), 1) * float64(w.columns))
}

func windowNotes(picture ledger.Picture, used []bool, known bool) []string {
	var signs, notes []string
	for i, sign := range signsOfSpans {
		if used[i] {
			signs = append(signs, string(sign.char)+" "+sign.meaning)
		}
	}
	if len(signs) > 0 {
		notes = append(notes, strings.Join(signs, ";  "))
	}
	if !known {
		notes = append(notes, "The times are not known, so nothing is drawn.")
	}
	if more := len(picture.Rows) - mostWindowRows; more > 0 {
		notes = append(notes, fmt.Sprintf("%d more rows are not drawn.", more))
	}
	return notes
}
