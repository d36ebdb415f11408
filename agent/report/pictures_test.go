package report

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/agent/ledger"
)

// Whatever a picture holds, its drawing stays in its width and is plain ASCII
// without a character that acts.
func TestDrawingsKeepTheirWidth(t *testing.T) {
	text := rapid.SampledFrom([]string{"", "QMA1", "x\x1b[31m", "\u202eGNP", strings.Repeat("long name ", 30), "two\nlines"})
	at := rapid.SampledFrom([]string{"", "yesterday", "2026-05-28T02:00:00+02:00", "2026-05-28T02:00:01+02:00", "2026-06-01T00:00:00Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"})
	number := rapid.OneOf(rapid.Float64(), rapid.SampledFrom([]float64{0, 1, -12, 3600, math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64}))
	rapid.Check(t, func(t *rapid.T) {
		p := ledger.Picture{Unit: text.Draw(t, "unit"), From: at.Draw(t, "from"), To: at.Draw(t, "to")}
		for range rapid.IntRange(0, 20).Draw(t, "values") {
			v := ledger.Value{At: at.Draw(t, "at"), Value: number.Draw(t, "value")}
			if rapid.Bool().Draw(t, "forecast") {
				low, high := number.Draw(t, "low"), number.Draw(t, "high")
				v.Low, v.High = &low, &high
			}
			p.Values = append(p.Values, v)
		}
		for range rapid.IntRange(0, 3).Draw(t, "limits") {
			p.Limits = append(p.Limits, ledger.Limit{Name: text.Draw(t, "name"), Value: number.Draw(t, "limit")})
		}
		for range rapid.IntRange(0, 10).Draw(t, "rows") {
			row := ledger.Row{Kind: text.Draw(t, "kind"), Name: text.Draw(t, "name"), Text: text.Draw(t, "text")}
			for range rapid.IntRange(0, 5).Draw(t, "spans") {
				state := rapid.SampledFrom([]string{"needed", "image", "active", "archive", "expiring", "missing", "odd", ""}).Draw(t, "state")
				row.Spans = append(row.Spans, ledger.Span{From: at.Draw(t, "from"), To: at.Draw(t, "to"), State: state})
			}
			p.Rows = append(p.Rows, row)
		}
		width := rapid.IntRange(60, 160).Draw(t, "width")
		for _, line := range append(drawSeries(p, width), drawWindow(p, width)...) {
			if len(line) > width || line != ascii(line) {
				t.Fatalf("%d columns of %d: %q", len(line), width, line)
			}
		}
	})
}

// A row is drawn where its times are: the last third of a window of two hours.
func TestWindowIsInScale(t *testing.T) {
	picture := groupWindow()
	picture.Rows = picture.Rows[2:3] // the log of QMA1: archive, missing, active
	line := ""
	for _, l := range drawWindow(picture, 70) {
		if strings.HasPrefix(l, "log QMA1") {
			line = l
		}
	}
	bar := line[strings.IndexByte(line, '|')+1 : strings.LastIndexByte(line, '|')]
	if colons, bangs, hashes := strings.Count(bar, ":"), strings.Count(bar, "!"), strings.Count(bar, "#"); colons != len(bar)/2 || bangs < 1 || bangs > 4 || colons+bangs+hashes != len(bar) {
		t.Errorf("%q", bar)
	}
}

// What a report can't draw is listed or left out, never an empty heading.
func TestPicturesWithoutData(t *testing.T) {
	r := figure1()
	r.Targets[0].Pictures = []ledger.Picture{{Kind: "series", Title: "No values"}, {Kind: "window", Title: "No rows"}, {Kind: "chart", Title: "Nobody knows"}}
	if text := render(t, r, Options{}); strings.Contains(text, "No values") || strings.Contains(text, "No rows") || strings.Contains(text, "Nobody knows") {
		t.Error(text)
	}
}

func TestAmount(t *testing.T) {
	for want, v := range map[string]float64{"0": 0, "3600": 3600, "12.5": 12.5, "9999999": 9999999, "12M": 12e6, "4300M": 4.3e9, "-12": -12, "16T": 16e12} {
		if got := amount(v); got != want {
			t.Errorf("%v: %s, want %s", v, got, want)
		}
	}
}
