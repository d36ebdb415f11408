package forecast_test

import (
	"math"
	"math/rand/v2"
	"time"

	"github.com/mqhk/mqhk/core/forecast"
)

// process makes a series that nobody has seen: how full a data set is, in per
// cent, once an hour.
type process struct {
	name string
	make func(r *rand.Rand, hours int) []float64
}

var processes = []process{
	{"growth", func(r *rand.Rand, hours int) []float64 {
		rate, noise := between(r, 0.01, 0.06), between(r, 0.1, 0.8)
		return series(hours, func(h int) float64 { return 10 + rate*float64(h) + noise*r.NormFloat64() })
	}},
	{"wave", func(r *rand.Rand, hours int) []float64 {
		wave := waves(r, 10, 30)
		return series(hours, func(h int) float64 { return 40 + wave(h) })
	}},
	{"burst", func(r *rand.Rand, hours int) []float64 { return bursts(r, hours, 8) }},
	{"drain", drains},
	{"growth and wave", func(r *rand.Rand, hours int) []float64 {
		rate, wave := between(r, 0.01, 0.05), waves(r, 5, 15)
		return series(hours, func(h int) float64 { return 25 + rate*float64(h) + wave(h) })
	}},
	{"wave and bursts", func(r *rand.Rand, hours int) []float64 {
		wave, burst := waves(r, 5, 15), bursts(r, hours, 0)
		return series(hours, func(h int) float64 { return 30 + wave(h) + burst[h] })
	}},
	{"level shifts", func(r *rand.Rand, hours int) []float64 {
		level, noise := between(r, 20, 40), between(r, 0.3, 1)
		return series(hours, func(int) float64 {
			if r.Float64() < 1.0/72 {
				level = min(max(level+between(r, -15, 15), 5), 90)
			}
			return level + noise*r.NormFloat64()
		})
	}},
	{"random walk", func(r *rand.Rand, hours int) []float64 {
		level, step := between(r, 30, 60), between(r, 0.3, 1)
		return series(hours, func(int) float64 {
			level += step * r.NormFloat64()
			return level
		})
	}},
}

func between(r *rand.Rand, low, high float64) float64 { return low + (high-low)*r.Float64() }

func series(hours int, value func(h int) float64) []float64 {
	values := make([]float64, hours)
	for h := range values {
		values[h] = math.Min(math.Max(value(h), 0), 100)
	}
	return values
}

// waves is a day's business: a wave whose height differs from day to day.
func waves(r *rand.Rand, low, high float64) func(h int) float64 {
	height, phase, noise := between(r, low, high), between(r, 0, 24), between(r, 0.3, 1.5)
	today := 1.0
	return func(h int) float64 {
		if h%24 == 0 {
			today = between(r, 0.85, 1.15)
		}
		return today*height*math.Sin(2*math.Pi*(float64(h)+phase)/24) + noise*r.NormFloat64()
	}
}

// bursts come by chance, about twice in three days, and are worked off.
func bursts(r *rand.Rand, hours int, base float64) []float64 {
	noise, keeps := between(r, 0.2, 0.8), between(r, 0.6, 0.9)
	above := 0.0
	return series(hours, func(int) float64 {
		above *= keeps
		if r.Float64() < 1.0/36 {
			above += between(r, 10, 50)
		}
		return base + above + noise*math.Abs(r.NormFloat64())
	})
}

// drains are backlogs that are filled in an hour and drain evenly for days.
func drains(r *rand.Rand, hours int) []float64 {
	rate, noise := between(r, 0.4, 1.2), between(r, 0.1, 0.5)
	level := between(r, 40, 80)
	return series(hours, func(int) float64 {
		level = max(0, level-rate)
		if level == 0 && r.Float64() < 0.1 {
			level = between(r, 40, 90)
		}
		return level + noise*math.Abs(r.NormFloat64())
	})
}

var start = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)

func points(values []float64) []forecast.Point {
	all := make([]forecast.Point, len(values))
	for h, value := range values {
		all[h] = forecast.Point{At: start.Add(time.Duration(h) * time.Hour), Value: value}
	}
	return all
}

// thinned is what a history keeps: all of the last two days, one a day before.
func thinned(all []forecast.Point) []forecast.Point {
	var kept []forecast.Point
	recent := all[len(all)-1].At.Add(-forecast.Least)
	for i, p := range all {
		if !p.At.Before(recent) || i%24 == 12 {
			kept = append(kept, p)
		}
	}
	return kept
}
