package smdsexpand

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe/qsg"
	"github.com/mqhk/mqhk/plugins"
)

var now = time.Date(2026, 5, 28, 2, 0, 0, 0, time.UTC)

// samples make the blocks in use of a data set of APPSTR1, a value an hour up to now.
func samples(owner string, hours int, value func(hour int) int64) []qsg.Sample {
	all := make([]qsg.Sample, 0, hours)
	for h := range hours {
		all = append(all, qsg.Sample{At: now.Add(time.Duration(h-hours+1) * time.Hour), Kind: qsg.UsedBlocks, Structure: "APPSTR1", Owner: owner, Value: qsg.Of(value(h))})
	}
	return all
}

// A data set that grows every day reaches its end, and the interval says when; of
// one that was watched for a day nothing is foretold.
func TestOutlook(t *testing.T) {
	g := &qsg.Group{History: samples("QMA1", 10*24, func(h int) int64 { return 1000 + int64(h)*10 })}
	g.History = append(g.History, samples("QMA2", 24, func(int) int64 { return 5 })...)
	history := seriesOf(g)
	grows := qsg.DataSet{Structure: "APPSTR1", Owner: "QMA1", Usage: qsg.SpaceUsage{Known: true, Used: qsg.Of(3390)}}
	look := history.look(grows, now, 2*day)
	last := look.forecast.Steps[len(look.forecast.Steps)-1]
	if truth := 3390.0 + 48*10; !look.made || truth < last.Low || truth > last.High || !last.At.Equal(now.Add(2*day)) {
		t.Errorf("%s", look)
	}
	if !strings.Contains(look.String(), look.forecast.Method) || !strings.Contains(look.String(), " to ") {
		t.Errorf("no interval or no method: %s", look)
	}
	if few := history.look(qsg.DataSet{Structure: "APPSTR1", Owner: "QMA2"}, now, day); few.made || !few.tooFew || !strings.Contains(few.String(), "too little history") {
		t.Errorf("%s", few)
	}
	if few := history.look(qsg.DataSet{Structure: "OTHER", Owner: "QMA1"}, now, day); few.made || few.highest() != 0 {
		t.Errorf("%s", few)
	}
}

// Few moments are forecast, and the last is as far ahead as the task says.
func TestSteps(t *testing.T) {
	for horizon, want := range map[time.Duration]string{
		6 * time.Hour: "[6h0m0s]", day: "[6h0m0s 24h0m0s]", 7 * day: "[6h0m0s 24h0m0s 48h0m0s 168h0m0s]",
	} {
		if got := fmt.Sprint(steps(horizon)); got != want {
			t.Errorf("%s: %s, want %s", horizon, got, want)
		}
	}
}

// history replaces the example's by one in which QMA1's data set grows by so many
// blocks a day, up to what it holds now.
func history(t *testing.T, kind, owner string, current, daily int64, days int) string {
	t.Helper()
	text := example(t)
	from := strings.Index(text, ">>> HISTORY")
	to := from + strings.Index(text[from:], ">>> NOTE")
	var b strings.Builder
	b.WriteString(">>> HISTORY QSG1: segments\nAT,KIND,LIBRARY,SEGMENT,POSITION\n")
	for h := days * 24; h > 0; h -= 4 {
		fmt.Fprintf(&b, "%s,%s,APPSTR1,%s,%d\n", now.Add(-time.Duration(h+2)*time.Hour).Format(time.RFC3339), kind, owner, current-daily*int64(h)/24)
	}
	return text[:from] + b.String() + text[to:]
}

// A forecast that a data set can't hold is a warning, one that it can is a note with
// the number of expansions.
func TestDemand(t *testing.T) {
	grows := history(t, qsg.UsedBlocks, "QMA1", 6634, 300, 10)
	plan := planWith(t, grows, nil)
	ahead := said(plan, finding.ExpansionAhead)
	if len(ahead) != 1 || !strings.HasPrefix(ahead[0], "APPSTR1/QMA1: the forecast goes up to ") || !strings.Contains(ahead[0], "for which it needs ") {
		t.Errorf("%q", ahead)
	}
	if o := object(t, plan, "data-set", "APPSTR1", "QMA1"); o.Verdict != "expands" {
		t.Errorf("%s %s", o.Verdict, o.Reason)
	}
	// With 16 extents in all one expansion of five is for certain, which is not enough.
	plan = planWith(t, grows, map[string]any{"extents": int64(16)})
	if got := said(plan, finding.RoomShort); len(got) != 1 || !strings.Contains(got[0], "it has room for 1 expansion (16 in total without extent constraint removal); copy it") {
		t.Errorf("%q", got)
	}
	if o := object(t, plan, "data-set", "APPSTR1", "QMA1"); o.Verdict != "runs-out" {
		t.Errorf("%s %s", o.Verdict, o.Reason)
	}
	// What is too large without extended addressability says so.
	plan = planWith(t, edit(t, example(t), "EXTENDED     EXT-ADDR", "EXTENDED"), map[string]any{"expect": int64(5 << 30)})
	if got := said(plan, finding.RoomShort); len(got) != 6 || !strings.Contains(got[0], "its entry does not say EXT-ADDR") {
		t.Errorf("%q", got)
	}
}

// A structure that fills reaches its next offload rule, and the forecast says when.
func TestStructureOutlook(t *testing.T) {
	plan := planWith(t, history(t, qsg.StructureUsed, "", 43, 4, 8), nil)
	got := said(plan, finding.OffloadRules)
	if len(got) != 1 || !strings.HasPrefix(got[0], "APPSTR1: it is 43% full; next: OFFLD1SZ(32K) OFFLD1TH(70), in 27 per cent more; the forecast reaches that by 2026-06-0") {
		t.Errorf("%q", got)
	}
}

// Pictures show what was, what is and what may be, with the limits across; those in
// most need come first, and no more than the task says.
func TestPictures(t *testing.T) {
	plan := planWith(t, example(t), map[string]any{"pictures": int64(1)})
	if len(plan.Pictures) != 2 {
		t.Fatalf("%d pictures", len(plan.Pictures))
	}
	p := plan.Pictures[0]
	if p.Kind != plugins.PictureSeries || !strings.HasPrefix(p.Title, "APPSTR1/QMA1: blocks in use, forecast by ") || p.Unit != "blocks" {
		t.Errorf("%+v", p)
	}
	forecasts := 0
	for i, v := range p.Values {
		if i > 0 && v.At.Before(p.Values[i-1].At) {
			t.Errorf("%s comes after %s", v.At, p.Values[i-1].At)
		}
		if v.Forecast {
			forecasts++
			if v.Low > v.Value || v.Value > v.High {
				t.Errorf("%+v", v)
			}
		}
	}
	if forecasts != 4 || p.Values[len(p.Values)-5].Value != 6634 {
		t.Errorf("%d forecasts behind %+v", forecasts, p.Values[len(p.Values)-5])
	}
	if len(p.Limits) != 2 || p.Limits[0] != (plugins.PictureLimit{Name: "expands", Value: 6561}) || p.Limits[1].Value != 7291 {
		t.Errorf("%+v", p.Limits)
	}
	rows := "2026-05-27T02:00:00+02:00,smds-extents,APPSTR1,QMA1,10\n"
	plan = planWith(t, edit(t, example(t), "AT,KIND,LIBRARY,SEGMENT,POSITION\n", "AT,KIND,LIBRARY,SEGMENT,POSITION\n"+rows), map[string]any{"pictures": int64(1)})
	if len(plan.Pictures) != 2 || plan.Pictures[1].Unit != "extents" || len(plan.Pictures[1].Values) != 6 || plan.Pictures[1].Limits[0].Value != 123 {
		t.Errorf("%+v", plan.Pictures[1:])
	}
	// 8284 to 9051 blocks in a week: 3 or 4 expansions, of one extent or of five.
	if week := plan.Pictures[1].Values[5]; !week.Forecast || week.Low != 14 || week.Value != 14 || week.High != 31 {
		t.Errorf("%+v", week)
	}
	if plan = planWith(t, example(t), map[string]any{"pictures": int64(0)}); len(plan.Pictures) != 0 {
		t.Error("drawn")
	}
}
