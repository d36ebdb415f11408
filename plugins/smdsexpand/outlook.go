package smdsexpand

import (
	"errors"
	"fmt"
	"time"

	"github.com/mqhk/mqhk/core/forecast"
	"github.com/mqhk/mqhk/core/observe/qsg"
)

// mostForecasts is how many data sets are forecast in one plan, those first that were ever
// the fullest: a group may have two thousand, and of most of them a glance tells
// that nothing will happen.
const mostForecasts = 100

// outlook is where the fill of a data set goes.
type outlook struct {
	made     bool
	forecast forecast.Forecast
	why      string // not made: why
	tooFew   bool   // not made for there being too little history
}

// series are the samples of earlier runs, by what they are of.
type series map[sampled][]qsg.Sample

// sampled is what tells series apart.
type sampled struct{ kind, structure, owner string }

// seriesOf puts the history of a group in order, once for all data sets.
func seriesOf(g *qsg.Group) series {
	all := series{}
	for _, s := range g.History {
		if s.Value.Known {
			k := sampled{s.Kind, s.Structure, s.Owner}
			all[k] = append(all[k], s)
		}
	}
	return all
}

func (s series) of(kind string, d qsg.DataSet) []qsg.Sample {
	return s[sampled{kind, d.Structure, d.Owner}]
}

// peak is the largest value that a data set ever had, with that of now.
func (s series) peak(d qsg.DataSet) int64 {
	largest := d.Usage.Used.Value
	for _, sample := range s.of(qsg.UsedBlocks, d) {
		largest = max(largest, sample.Value.Value)
	}
	return largest
}

// before gives the last sample before the observation.
func (s series) before(kind string, d qsg.DataSet, now time.Time) (qsg.Sample, bool) {
	samples := s.of(kind, d)
	for i := len(samples) - 1; i >= 0; i-- {
		if samples[i].At.Before(now) {
			return samples[i], true
		}
	}
	return qsg.Sample{}, false
}

// pointsOf gives samples with what is so now.
func pointsOf(samples []qsg.Sample, current qsg.Number, now time.Time) []forecast.Point {
	points := make([]forecast.Point, 0, len(samples)+1)
	for _, sample := range samples {
		points = append(points, forecast.Point{At: sample.At, Value: float64(sample.Value.Value)})
	}
	if current.Known && !now.IsZero() {
		points = append(points, forecast.Point{At: now, Value: float64(current.Value)})
	}
	return points
}

// look forecasts a data set, which may hold any number of blocks once it has grown.
func (s series) look(d qsg.DataSet, now time.Time, horizon time.Duration) outlook {
	samples := s.of(qsg.UsedBlocks, d)
	if len(samples) == 0 {
		return outlook{why: "too little history: no earlier run saw it", tooFew: true}
	}
	return ahead(pointsOf(samples, d.Usage.Used, now), horizon, forecast.Options{})
}

// structure forecasts how full a structure is, in per cent.
func (s series) structure(of qsg.Structure, now time.Time, horizon time.Duration) outlook {
	samples := s[sampled{qsg.StructureUsed, of.Name, ""}]
	if len(samples) == 0 {
		return outlook{why: "no earlier run saw it"}
	}
	return ahead(pointsOf(samples, of.SizeUsed, now), horizon, forecast.Options{Ceiling: 100})
}

func ahead(history []forecast.Point, horizon time.Duration, options forecast.Options) outlook {
	made, err := forecast.Make(history, steps(horizon), options)
	if little := new(forecast.TooLittleError); errors.As(err, &little) {
		return outlook{why: err.Error(), tooFew: true}
	}
	if err != nil {
		return outlook{why: err.Error()}
	}
	return outlook{made: true, forecast: made}
}

// steps are the moments that are forecast: each takes time.
func steps(horizon time.Duration) []time.Duration {
	var list []time.Duration
	for _, ahead := range []time.Duration{6 * time.Hour, day, 2 * day} {
		if ahead < horizon {
			list = append(list, ahead)
		}
	}
	return append(list, horizon)
}

// highest is the most blocks that the interval reaches; 0: no forecast.
func (o outlook) highest() int64 {
	high := 0.0
	for _, step := range o.forecast.Steps {
		high = max(high, step.High)
	}
	return int64(high)
}

// String says the farthest step for people.
func (o outlook) String() string {
	if !o.made {
		return o.why
	}
	last := o.forecast.Steps[len(o.forecast.Steps)-1]
	text := fmt.Sprintf("%.0f to %.0f blocks at %s (%s; nine in ten times", last.Low, last.High, last.At.Format(time.RFC3339), o.forecast.Method)
	if last.Tried == 0 {
		text += ", and the history is too short to try so far ahead"
	}
	return text + ")"
}
