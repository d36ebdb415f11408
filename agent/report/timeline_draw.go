package report

import (
	"fmt"
	"strings"
	"time"

	"github.com/mqhk/mqhk/agent/ledger"
)

// nameWidth is the most that a name takes in a drawing; of longer ones the
// end is shown.
const nameWidth = 19

// bandsAtMost is how many rows of log pieces a drawing has before the middles
// of long runs are left out.
const bandsAtMost = 2

// drawTimeline draws a picture of kind timeline in at most width columns.
func drawTimeline(picture ledger.Picture, segments []ledger.Segment, width int) []string {
	all := stations(picture, segments)
	step := stepOf(all)
	perBand := max((width-1)/step, 1)
	drawn := collapse(all, picture, bandsAtMost*perBand)
	var lines []string
	date := ""
	for from := 0; from < len(drawn); from += perBand {
		band := drawn[from:min(from+perBand, len(drawn))]
		if from > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, drawHeads(band, step, &date)...)
		lines = append(lines, drawAxis(band, picture, step))
		lines = append(lines, drawMarks(band, picture, step, width)...)
	}
	lines = append(lines, "")
	for _, note := range notes(picture, all, drawn) {
		lines = append(lines, strings.Split(wrap(note, width), "\n")...)
	}
	return trimRight(lines)
}

// stepOf gives the width of one station: its name or time and two more.
func stepOf(all []station) int {
	widest := len("99999 more")
	for _, s := range all {
		_, clock := stamp(s.dot.At)
		widest = max(widest, len(tail(ascii(s.dot.Name), nameWidth)), len(clock))
	}
	return widest + 2
}

// drawHeads gives the dates, where they change, the times and the names.
func drawHeads(band []station, step int, date *string) []string {
	var dates, clocks, names strings.Builder
	for i, s := range band {
		if s.hidden > 0 {
			fmt.Fprintf(&names, "%-*s", step, fmt.Sprintf("%d more", s.hidden))
			fmt.Fprintf(&dates, "%-*s", step, "")
			fmt.Fprintf(&clocks, "%-*s", step, "")
			continue
		}
		day, clock := stamp(s.dot.At)
		shown := ""
		if i == 0 || day != *date {
			shown, *date = day, day
		}
		fmt.Fprintf(&dates, "%-*s", step, shown)
		fmt.Fprintf(&clocks, "%-*s", step, clock)
		fmt.Fprintf(&names, "%-*s", step, tail(ascii(s.dot.Name), nameWidth))
	}
	heads := []string{clocks.String(), names.String()}
	if strings.TrimSpace(dates.String()) != "" {
		heads = append([]string{dates.String()}, heads...)
	}
	return heads
}

// drawAxis draws the line itself: | where a piece begins, # where the cut is.
func drawAxis(band []station, picture ledger.Picture, step int) string {
	var axis strings.Builder
	for _, s := range band {
		axis.WriteString(boundary(s, picture))
		body := strings.Repeat(strokeOf(s.dot.Verdict).char, step-1)
		if s.hidden > 0 {
			middle := (step - 1) / 2
			body = body[:middle-1] + "//" + body[middle+1:]
		}
		if isCurrent(s) {
			body = body[:step-2] + ">"
		}
		axis.WriteString(body)
	}
	if !isCurrent(band[len(band)-1]) {
		axis.WriteString("|")
	}
	return axis.String()
}

func boundary(s station, picture ledger.Picture) string {
	if picture.Cut > 0 && s.index == picture.Cut && s.hidden == 0 {
		return "#"
	}
	return "|"
}

// drawMarks gives one line for each mark in the band, in order of time, and
// one for the cut: a caret under the moment, and what it is.
func drawMarks(band []station, picture ledger.Picture, step, width int) []string {
	var lines []string
	for i, s := range band {
		if s.hidden > 0 {
			continue
		}
		if boundary(s, picture) == "#" {
			lines = append(lines, label(i*step, "#", "the cut: nothing right of it goes", width))
		}
		for _, mark := range picture.Marks {
			if mark.Point == s.index {
				column := i*step + 1 + int(share(s, mark.At)*float64(step-2))
				lines = append(lines, label(column, "^", markText(mark), width))
			}
		}
	}
	return lines
}

// label writes a sign in its column and the text beside it: to the right
// where there is room, else to the left.
func label(column int, sign, text string, width int) string {
	if column+2+len(text) <= width {
		return strings.Repeat(" ", column) + sign + " " + text
	}
	if start := column - 1 - len(text); start >= 0 {
		return strings.Repeat(" ", start) + text + " " + sign
	}
	return strings.Repeat(" ", column) + sign
}

func markText(mark ledger.Mark) string {
	day, clock := stamp(mark.At)
	return tail(strings.TrimSpace(ascii(mark.Kind)+" "+day), 40) + " " + clock
}

// share says where between the opening of a piece and that of the next one a
// moment lies, from 0 to 1; 1/2 where the times can't be compared.
func share(s station, at string) float64 {
	layout, from, ok := moment(s.dot.At)
	layoutTo, to, okTo := moment(s.next)
	layoutHere, here, okHere := moment(at)
	if !ok || !okTo || !okHere || layout != layoutTo || layout != layoutHere || !to.After(from) {
		return 0.5
	}
	return min(max(float64(here.Sub(from))/float64(to.Sub(from)), 0), 1)
}

// moment reads a time of day with or without a date, only to place a mark in
// a drawing: local stamps can repeat (case 3), so nothing is decided by it.
func moment(at string) (layout string, t time.Time, ok bool) {
	date, clock := stamp(at)
	clock = strings.ReplaceAll(clock, ".", ":")
	layout = time.TimeOnly
	if date != "" {
		layout, clock = time.DateTime, date+" "+clock
	}
	t, err := time.Parse(layout, clock)
	return layout, t, err == nil
}

// notes stand under the drawing: the strokes, what is left out, and marks
// that lie in no piece that is shown.
func notes(picture ledger.Picture, all, drawn []station) []string {
	result := []string{legend(drawn)}
	if hidden := picture.Hidden - leftOut(all) + leftOut(drawn); hidden > 0 {
		result = append(result, fmt.Sprintf("%d of %d are left out in the middle of long runs.", hidden, len(picture.Points)+picture.Hidden))
	}
	for _, mark := range picture.Marks {
		if mark.Point < 0 || mark.Point >= len(picture.Points) {
			result = append(result, "Not in this chain: "+markText(mark)+".")
		}
	}
	if picture.Cut == 0 {
		result = append(result, "There is no cut: nothing goes.")
	}
	return result
}

func leftOut(stations []station) int {
	n := 0
	for _, s := range stations {
		n += s.hidden
	}
	return n
}

func trimRight(lines []string) []string {
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return lines
}
