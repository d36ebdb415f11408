package wire

import (
	"math"
	"testing"

	"github.com/mqhk/mqhk/plugins"
)

// JSON has no word for a value that is no number, and a report has to hold all
// that a plan shows.
func TestDecoderRefusesPictures(t *testing.T) {
	several := func(n int) []*Picture {
		pictures := make([]*Picture, n)
		for i := range pictures {
			pictures[i] = &Picture{}
		}
		return pictures
	}
	tests := []struct {
		name  string
		parts []*PlanPart
	}{
		{"too many", []*PlanPart{{Pictures: several(plugins.MostPictures + 1), Last: true}}},
		{"too many in two parts", []*PlanPart{{Pictures: several(plugins.MostPictures)}, {Pictures: several(1), Last: true}}},
		{"too many values", []*PlanPart{{Pictures: []*Picture{{Values: make([]*PictureValue, plugins.MostPictureItems+1)}}, Last: true}}},
		{"too many spans", []*PlanPart{{Pictures: []*Picture{{Rows: []*PictureRow{{Spans: make([]*PictureSpan, plugins.MostPictureItems)}}}}, Last: true}}},
		{"not a number", []*PlanPart{{Pictures: []*Picture{{Values: []*PictureValue{{Value: math.NaN()}}}}, Last: true}}},
		{"an end without end", []*PlanPart{{Pictures: []*Picture{{Values: []*PictureValue{{High: math.Inf(1)}}}}, Last: true}}},
		{"a limit that is none", []*PlanPart{{Pictures: []*Picture{{Limits: []*PictureLimit{{Value: math.Inf(-1)}}}}, Last: true}}},
		{"a title that is not there", []*PlanPart{{Pictures: []*Picture{{Title: 1}}, Last: true}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if plan, err := decodeParts(test.parts); err == nil {
				t.Errorf("got a plan with %d pictures", len(plan.Pictures))
			}
		})
	}
	if _, err := decodeParts([]*PlanPart{{Pictures: several(plugins.MostPictures), Last: true}}); err != nil {
		t.Error(err)
	}
}
