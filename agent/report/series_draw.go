package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mqhk/mqhk/agent/ledger"
)

// A series is drawn over time: what was measured, the forecast with the interval
// it is expected in, and the limits across all of it.
//
//	4000 |--------------------------::::--
//	     |                      ::::oooo::
//	2000 |         ** ** ***::oooo::::
//	     |   *** **  *  *   :::
//	   0 +--------------------------------
//	     2026-05-14        2026-05-28

// seriesRows is how many rows the values take.
const seriesRows = 11

// reading is a value of a series with its time.
type reading struct {
	at    time.Time
	value ledger.Value
}

// forecast gives the interval that a value is expected in; false when it was
// measured.
func (r reading) forecast() (low, high float64, ok bool) {
	if r.value.Low == nil || r.value.High == nil {
		return r.value.Value, r.value.Value, false
	}
	return min(*r.value.Low, *r.value.High), max(*r.value.Low, *r.value.High), true
}

// readings leaves out what has no time.
func readings(picture ledger.Picture) []reading {
	var list []reading
	for _, v := range picture.Values {
		if at, err := time.Parse(time.RFC3339, v.At); err == nil {
			list = append(list, reading{at, v})
		}
	}
	slices.SortStableFunc(list, func(a, b reading) int { return a.at.Compare(b.at) })
	return list
}

// plot is the field that a series is drawn on.
type plot struct {
	cells      [][]byte // by row, the highest first
	low, high  float64
	first      time.Time
	span       float64 // seconds
	columns    int
	labelWidth int
}

// drawSeries draws a picture of kind series in at most width columns; nil where
// none of its values has a time.
func drawSeries(picture ledger.Picture, width int) []string {
	list := readings(picture)
	if len(list) == 0 {
		return nil
	}
	p := newPlot(picture, list, width)
	for _, limit := range picture.Limits {
		for column := range p.columns {
			p.set(column, limit.Value, '-')
		}
	}
	p.band(list)
	for _, r := range list {
		if _, _, forecast := r.forecast(); forecast {
			p.set(p.column(r.at), r.value.Value, 'o')
		}
	}
	for _, r := range list {
		if _, _, forecast := r.forecast(); !forecast {
			p.set(p.column(r.at), r.value.Value, '*')
		}
	}
	lines := append(p.lines(), p.times(list)...)
	lines = append(lines, "")
	for _, note := range seriesNotes(picture, list) {
		lines = append(lines, strings.Split(wrap(note, width), "\n")...)
	}
	return trimRight(lines)
}

func newPlot(picture ledger.Picture, list []reading, width int) plot {
	p := plot{first: list[0].at, low: list[0].value.Value, high: list[0].value.Value}
	p.span = max(float64(list[len(list)-1].at.Unix()-p.first.Unix()), 1)
	include := func(v float64) { p.low, p.high = min(p.low, v), max(p.high, v) }
	include(0)
	for _, r := range list {
		low, high, _ := r.forecast()
		include(low)
		include(high)
	}
	for _, limit := range picture.Limits {
		include(limit.Value)
	}
	if !(p.high-p.low > 0) || math.IsInf(p.high-p.low, 0) {
		p.high = p.low + 1
	}
	p.labelWidth = max(len(amount(p.low)), len(amount(p.high)), len(amount(p.middle())))
	p.columns = max(width-p.labelWidth-2, 10)
	for range seriesRows {
		p.cells = append(p.cells, []byte(strings.Repeat(" ", p.columns)))
	}
	return p
}

func (p *plot) middle() float64 { return p.low + (p.high-p.low)/2 }

func (p *plot) column(at time.Time) int {
	share := float64(at.Unix()-p.first.Unix()) / p.span
	return min(max(int(share*float64(p.columns-1)+0.5), 0), p.columns-1)
}

func (p *plot) row(value float64) int {
	share := (value - p.low) / (p.high - p.low)
	if !(share >= 0) { // NaN too
		share = 0
	}
	return seriesRows - 1 - int(min(share, 1)*(seriesRows-1)+0.5)
}

func (p *plot) set(column int, value float64, char byte) { p.cells[p.row(value)][column] = char }

// band fills the interval of the forecast, from the last value measured on.
func (p *plot) band(list []reading) {
	for i := 1; i < len(list); i++ {
		if _, _, forecast := list[i].forecast(); !forecast {
			continue
		}
		lowFrom, highFrom, _ := list[i-1].forecast()
		lowTo, highTo, _ := list[i].forecast()
		from, to := p.column(list[i-1].at), p.column(list[i].at)
		for column := from; column <= to; column++ {
			share := 1.0
			if to > from {
				share = float64(column-from) / float64(to-from)
			}
			bottom, top := p.row(lowFrom+share*(lowTo-lowFrom)), p.row(highFrom+share*(highTo-highFrom))
			for row := top; row <= bottom; row++ {
				p.cells[row][column] = ':'
			}
		}
	}
}

func (p *plot) lines() []string {
	var lines []string
	for row, cells := range p.cells {
		label, edge := "", "|"
		switch row {
		case 0:
			label = amount(p.high)
		case seriesRows / 2:
			label = amount(p.middle())
		case seriesRows - 1:
			label, edge = amount(p.low), "+"
		}
		lines = append(lines, fmt.Sprintf("%*s %s%s", p.labelWidth, label, edge, cells))
	}
	return lines
}

// times stand below: where the series begins and ends, and the last moment that
// was measured, where a forecast follows.
func (p *plot) times(list []reading) []string {
	left := strings.Repeat(" ", p.labelWidth+1)
	first, last := minute(list[0].at), minute(list[len(list)-1].at)
	if len(first)+len(last)+2 > p.columns+1 {
		return []string{left + first}
	}
	ends := left + first + strings.Repeat(" ", p.columns+1-len(first)-len(last)) + last
	now, ok := lastMeasured(list)
	if !ok || now.at.Equal(list[len(list)-1].at) {
		return []string{ends}
	}
	width := p.labelWidth + 2 + p.columns
	return []string{label(p.labelWidth+2+p.column(now.at), "^", "measured up to here", width), ends}
}

func lastMeasured(list []reading) (reading, bool) {
	for _, r := range slices.Backward(list) {
		if _, _, forecast := r.forecast(); !forecast {
			return r, true
		}
	}
	return reading{}, false
}

// seriesNotes say what the signs are, and the last values in words.
func seriesNotes(picture ledger.Picture, list []reading) []string {
	unit := strings.TrimSpace(" " + tail(ascii(picture.Unit), nameWidth))
	with := func(v float64) string { return strings.TrimSpace(amount(v) + " " + unit) }
	signs := []string{"* measured"}
	last := list[len(list)-1]
	low, high, forecast := last.forecast()
	if forecast {
		signs = append(signs, "o forecast", ": where it is expected")
	}
	for _, limit := range picture.Limits {
		signs = append(signs, "- "+cmp.Or(ascii(limit.Name), "limit")+" at "+with(limit.Value))
	}
	notes := []string{strings.Join(signs, ";  ")}
	if now, ok := lastMeasured(list); ok {
		notes = append(notes, fmt.Sprintf("Last measured: %s at %s.", with(now.value.Value), minute(now.at)))
	}
	if forecast {
		notes = append(notes, fmt.Sprintf("Forecast for %s: %s, between %s and %s.", minute(last.at), with(last.value.Value), with(low), with(high)))
	}
	return notes
}

// minute writes a time as a picture has room for.
func minute(t time.Time) string { return t.Format("2006-01-02 15:04") }

// amount writes a number in few characters: whole below ten million, else in
// millions, or more of them.
func amount(v float64) string {
	letter := ""
	if math.Abs(v) >= 1e7 {
		v, letter = v/1e6, "M"
		for _, next := range []string{"G", "T", "P", "E"} {
			if math.Abs(v) < 1e4 {
				break
			}
			v, letter = v/1e3, next
		}
	}
	switch size := math.Abs(v); {
	case size >= 1e7:
		return strconv.FormatFloat(v, 'e', 2, 64) + letter
	case size >= 100:
		return strconv.FormatFloat(v, 'f', 0, 64) + letter
	default:
		return strconv.FormatFloat(v, 'g', 4, 64) + letter
	}
}
