package run

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/plugins"
)

// A picture of a plugin comes into the record whole, with times as people read
// them; what is not known is left out.
func TestPicturesOfPlugins(t *testing.T) {
	at := time.Date(2026, 5, 28, 2, 0, 0, 0, time.FixedZone("", 7200))
	low, high := 1.0, 3.0
	tests := map[string]struct {
		picture plugins.Picture
		want    ledger.Picture
	}{
		"series": {
			plugins.Picture{Kind: plugins.PictureSeries, Title: "used", Unit: "blocks",
				Values: []plugins.PictureValue{{At: at, Value: 1}, {At: at.Add(time.Hour), Value: 2, Forecast: true, Low: 1, High: 3}},
				Limits: []plugins.PictureLimit{{Name: "full", Value: 4}}},
			ledger.Picture{Kind: "series", Title: "used", Unit: "blocks",
				Values: []ledger.Value{{At: "2026-05-28T02:00:00+02:00", Value: 1}, {At: "2026-05-28T03:00:00+02:00", Value: 2, Low: &low, High: &high}},
				Limits: []ledger.Limit{{Name: "full", Value: 4}}},
		},
		"window": {
			plugins.Picture{Kind: plugins.PictureWindow, To: at, Rows: []plugins.PictureRow{{Kind: "log", Name: "QMA1", Text: "yes",
				Spans: []plugins.PictureSpan{{To: at, State: plugins.SpanArchive, Text: "A"}}}, {Kind: "log", Name: "QMA2"}}},
			ledger.Picture{Kind: "window", To: "2026-05-28T02:00:00+02:00", Rows: []ledger.Row{{Kind: "log", Name: "QMA1", Text: "yes",
				Spans: []ledger.Span{{To: "2026-05-28T02:00:00+02:00", State: "archive", Text: "A"}}}, {Kind: "log", Name: "QMA2", Spans: []ledger.Span{}}}},
		},
		"timeline": {
			plugins.Picture{Kind: plugins.PictureTimeline, Points: []plugins.PicturePoint{{Name: "A", At: "01", Verdict: "keep", State: "saved"}},
				Marks: []plugins.PictureMark{{Kind: "restart", Point: 0, At: "02"}}, Cut: 1, Hidden: 2},
			ledger.Picture{Kind: "timeline", Points: []ledger.Dot{{Name: "A", At: "01", Verdict: "keep", State: "saved"}},
				Marks: []ledger.Mark{{Kind: "restart", Point: 0, At: "02"}}, Cut: 1, Hidden: 2},
		},
	}
	for name, test := range tests {
		if test.want.Points == nil {
			test.want.Points, test.want.Marks = []ledger.Dot{}, []ledger.Mark{}
		}
		if diff := cmp.Diff(test.want, drawing(test.picture)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
