package smdsexpand

import (
	"cmp"
	"slices"
	"time"

	"github.com/mqhk/mqhk/core/observe/qsg"
	"github.com/mqhk/mqhk/plugins"
)

// mostValues is how many values of the past a picture has: of a longer history
// the last ones.
const mostValues = 200

// pictures draws fill and extents of the data sets in most need, by their
// findings.
func pictures(g *qsg.Group, v view, c config) []plugins.Picture {
	inNeed := slices.Clone(v.dataSets)
	slices.SortStableFunc(inNeed, func(a, b *state) int {
		return cmp.Or(cmp.Compare(b.need(), a.need()), cmp.Compare(b.part.Value, a.part.Value))
	})
	var list []plugins.Picture
	for _, s := range inNeed[:min(len(inNeed), int(c.pictures))] {
		if p := s.fillPicture(v.history, g.Observed); len(p.Values) > 1 {
			list = append(list, p)
		}
		if p := s.extentsPicture(v.history, g.Observed, c.limits); moves(p.Values) {
			list = append(list, p)
		}
	}
	return list
}

// need orders data sets for the eye: by the worst that was said of them.
func (s *state) need() int {
	if !s.noted {
		return -1
	}
	return int(s.worst)
}

func (s *state) fillPicture(history series, now time.Time) plugins.Picture {
	p := plugins.Picture{Kind: plugins.PictureSeries, Title: key(s.DataSet) + ": blocks in use", Unit: "blocks"}
	p.Values = past(history.of(qsg.UsedBlocks, s.DataSet), s.Usage.Used, now)
	for _, step := range s.look.forecast.Steps {
		p.Values = append(p.Values, plugins.PictureValue{At: step.At, Value: step.Middle, Forecast: true, Low: step.Low, High: step.High})
	}
	if s.look.made {
		p.Title += ", forecast by " + s.look.forecast.Method
	}
	if data := s.Usage.Data; data.Known {
		p.Limits = []plugins.PictureLimit{{Name: "expands", Value: float64(data.Value * expandsAt / 100)}, {Name: "full", Value: float64(data.Value)}}
	}
	return p
}

func (s *state) extentsPicture(history series, now time.Time, l limits) plugins.Picture {
	p := plugins.Picture{Kind: plugins.PictureSeries, Title: key(s.DataSet) + ": extents", Unit: "extents"}
	p.Values = past(history.of(qsg.ExtentCount, s.DataSet), qsg.Number{Value: s.room.extents, Known: s.room.known}, now)
	for _, step := range s.look.forecast.Steps {
		if s.room.known && s.steps && s.size.Known && s.block.Known {
			p.Values = append(p.Values, plugins.PictureValue{
				At: step.At, Value: s.extentsFor(step.Middle, 1), Forecast: true, Low: s.extentsFor(step.Low, 1), High: s.extentsFor(step.High, l.atOnce),
			})
		}
	}
	if s.room.known {
		p.Limits = []plugins.PictureLimit{{Name: "limit", Value: float64(s.room.most)}}
	}
	return p
}

// extentsFor gives how many extents the data set has once it holds so many blocks
// and each expansion took so many extents.
func (s *state) extentsFor(blocks float64, each int64) float64 {
	wanted := min(holds(sane(int64(blocks), s.block.Value).Value), s.room.bytes)
	return float64(s.room.extents + each*s.growth.passes(s.size.Value, wanted-1))
}

// moves tells whether there is anything to see.
func moves(values []plugins.PictureValue) bool {
	return slices.ContainsFunc(values, func(v plugins.PictureValue) bool {
		return v.Value != values[0].Value || v.Forecast && v.High != values[0].Value
	})
}

// past gives what earlier runs saw, and what is so now.
func past(samples []qsg.Sample, current qsg.Number, now time.Time) []plugins.PictureValue {
	if len(samples) > mostValues {
		samples = samples[len(samples)-mostValues:]
	}
	var values []plugins.PictureValue
	for _, sample := range samples {
		if now.IsZero() || sample.At.Before(now) {
			values = append(values, plugins.PictureValue{At: sample.At, Value: float64(sample.Value.Value)})
		}
	}
	if current.Known && !now.IsZero() {
		values = append(values, plugins.PictureValue{At: now, Value: float64(current.Value)})
	}
	return values
}
