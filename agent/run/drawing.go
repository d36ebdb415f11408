package run

import (
	"time"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/plugins"
)

// drawing writes down a picture that a plugin gave.
func drawing(p plugins.Picture) ledger.Picture {
	picture := ledger.Picture{
		Kind: string(p.Kind), Title: p.Title, Points: []ledger.Dot{}, Marks: []ledger.Mark{},
		Cut: p.Cut, Hidden: p.Hidden, Unit: p.Unit, From: instant(p.From), To: instant(p.To),
	}
	for _, point := range p.Points {
		picture.Points = append(picture.Points, ledger.Dot(point))
	}
	for _, mark := range p.Marks {
		picture.Marks = append(picture.Marks, ledger.Mark(mark))
	}
	for _, v := range p.Values {
		value := ledger.Value{At: instant(v.At), Value: v.Value}
		if v.Forecast {
			value.Low, value.High = &v.Low, &v.High
		}
		picture.Values = append(picture.Values, value)
	}
	for _, limit := range p.Limits {
		picture.Limits = append(picture.Limits, ledger.Limit(limit))
	}
	for _, r := range p.Rows {
		row := ledger.Row{Kind: r.Kind, Name: r.Name, Text: r.Text, Spans: []ledger.Span{}}
		for _, s := range r.Spans {
			row.Spans = append(row.Spans, ledger.Span{From: instant(s.From), To: instant(s.To), State: string(s.State), Text: s.Text})
		}
		picture.Rows = append(picture.Rows, row)
	}
	return picture
}

// instant writes a time with its offset; nothing for one that is not known.
func instant(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339)
}
