package forecast_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/forecast"
)

const (
	cuts     = 120 // of each process
	seed     = 2026
	days     = 40
	farthest = 48
)

var ahead = []time.Duration{6 * time.Hour, 24 * time.Hour, farthest * time.Hour}

// widest is how wide the median of the intervals may be at each distance, as a part
// of how far the series went so far, which is what one would say who knows nothing
// else. Where a process can be foretold it is a small part. When a backlog is next
// filled, or a level shifts, nobody can tell days ahead, and then it is all of it.
var widest = map[string][3]float64{
	"growth":          {0.3, 0.3, 0.3},
	"wave":            {0.4, 0.3, 0.3},
	"growth and wave": {0.4, 0.3, 0.3},
	"burst":           {0.9, 0.95, 0.95},
	"wave and bursts": {0.9, 0.95, 0.95},
	"drain":           {0.95, 1.15, 1.15},
	"level shifts":    {0.8, 1.05, 1.2},
	"random walk":     {0.5, 0.85, 1.1},
}

// The truth is within the interval at 80 of 100 cut points of series that the
// methods were not made with, for every process, as far ahead as is asked, with a
// history that is whole and with one that is thinned; and the interval is not wide
// for that.
func TestCoverage(t *testing.T) {
	if testing.Short() {
		t.Skip("thousands of forecasts, none at the same time as another")
	}
	for _, thin := range []bool{false, true} {
		for i, p := range processes {
			t.Run(fmt.Sprintf("%s, thinned %v", p.name, thin), func(t *testing.T) {
				inside, widths := measure(t, p, rand.New(rand.NewPCG(seed, uint64(i))), thin)
				for k, bound := range widest[p.name] {
					slices.Sort(widths[k])
					median := widths[k][cuts/2]
					t.Logf("%s ahead: %d of %d inside, median width %.2f of the spread", ahead[k], inside[k], cuts, median)
					if inside[k]*100 < 80*cuts {
						t.Errorf("%s ahead: %d of %d inside", ahead[k], inside[k], cuts)
					}
					if median > bound {
						t.Errorf("%s ahead: the median width is %.2f of the spread, more than %.2f", ahead[k], median, bound)
					}
				}
			})
		}
	}
}

// measure forecasts at cut points, each of a series of its own, and counts how
// often the truth was inside.
func measure(t *testing.T, p process, r *rand.Rand, thin bool) (inside [3]int, widths [3][]float64) {
	for range cuts {
		values := p.make(r, days*24)
		cut := 3*24 + r.IntN((days-3)*24-farthest)
		history := points(values[:cut])
		if thin {
			history = thinned(history)
		}
		f, err := forecast.Make(history, ahead, forecast.Options{Ceiling: 100})
		if err != nil {
			t.Fatal(err)
		}
		spread := slices.Max(values[:cut]) - slices.Min(values[:cut])
		for k, step := range f.Steps {
			truth := values[cut-1+int(ahead[k].Hours())]
			if step.Low <= truth && truth <= step.High {
				inside[k]++
			}
			widths[k] = append(widths[k], (step.High-step.Low)/spread)
		}
	}
	return inside, widths
}
