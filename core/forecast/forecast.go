package forecast

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// Least is how long a history must be. Below two days a wave of the day can't be
// told from growth.
const Least = 48 * time.Hour

// fewest is how many values a history must have.
const fewest = 8

// Point is a measurement.
type Point struct {
	At    time.Time
	Value float64
}

// Options bound a forecast. The zero value is a part of a hundred.
type Options struct {
	Floor   float64 // no value is lower
	Ceiling float64 // no value is higher; 0: there is none
}

// Step is a forecast of one moment. Nine in ten times the value is expected
// between Low and High.
type Step struct {
	At                time.Time
	Low, Middle, High float64
	// Tried is on how many moments of the history the method was tried as far
	// ahead as this. Zero: none was long enough, and the interval is that of the
	// farthest one, grown with the time.
	Tried int
}

// Forecast is where a series goes from its last measurement on.
type Forecast struct {
	From   Point
	Method string // in words for people
	Steps  []Step
}

// TooLittleError says that a history is too short for any forecast.
type TooLittleError struct {
	Span   time.Duration
	Points int
}

// Error says how much there is.
func (e *TooLittleError) Error() string {
	return fmt.Sprintf("too little history: %d values over %s, fewer than %d or less than %s", e.Points, e.Span.Round(time.Minute), fewest, Least)
}

// Make forecasts a series so far ahead of its last measurement. The history may
// be in any order and irregular: dense in the last days and a value a day before.
// Values that are no numbers are left out, and of two at one moment the last holds.
// The error is a [*TooLittleError].
func Make(history []Point, ahead []time.Duration, options Options) (Forecast, error) {
	s := newSeries(history)
	if len(s.at) < fewest || s.span() < Least.Hours() {
		return Forecast{}, &TooLittleError{time.Duration(s.span() * float64(time.Hour)), len(s.at)}
	}
	best := s.choose(ahead)
	forecast := Forecast{From: Point{s.time(len(s.at) - 1), s.value[len(s.at)-1]}, Method: best.method.name}
	for i, duration := range ahead {
		predicted, _ := best.method.predict(s, len(s.at)-1, duration.Hours())
		low, middle, high := best.bands[i].around(predicted)
		forecast.Steps = append(forecast.Steps, Step{
			At: forecast.From.At.Add(duration), Low: options.bound(low), Middle: options.bound(middle), High: options.bound(high), Tried: best.bands[i].tried,
		})
	}
	return forecast, nil
}

func (o Options) bound(value float64) float64 {
	value = max(value, o.Floor)
	if o.Ceiling > 0 {
		value = min(value, o.Ceiling)
	}
	return value
}

// Reaches gives when the series may reach a limit, by the upper end of its
// interval, and when it is expected to; zero where no step does.
func (f Forecast) Reaches(limit float64) (earliest, expected time.Time) {
	for _, step := range f.Steps {
		if earliest.IsZero() && step.High >= limit {
			earliest = step.At
		}
		if expected.IsZero() && step.Middle >= limit {
			expected = step.At
		}
	}
	return earliest, expected
}

// series is a history in hours since its first measurement.
type series struct {
	first     time.Time
	at, value []float64
	tolerance float64 // how near a measurement must be to stand for a moment

	levels, growths map[int]float64 // what was calculated before, by measurement
}

// day is the length of the wave, in hours.
const day = 24

func newSeries(history []Point) *series {
	points := slices.DeleteFunc(slices.Clone(history), func(p Point) bool { return math.IsNaN(p.Value) || math.IsInf(p.Value, 0) })
	slices.SortStableFunc(points, func(a, b Point) int { return a.At.Compare(b.At) })
	s := &series{levels: map[int]float64{}, growths: map[int]float64{}}
	for _, p := range points {
		if len(s.at) == 0 {
			s.first = p.At
		}
		at := p.At.Sub(s.first).Hours()
		if n := len(s.at); n > 0 && s.at[n-1] == at {
			s.value[n-1] = p.Value
			continue
		}
		s.at, s.value = append(s.at, at), append(s.value, p.Value)
	}
	s.tolerance = min(max(1.5, s.gap()), 6)
	return s
}

// gap is what is usual between two measurements of the last two days.
func (s *series) gap() float64 {
	var gaps []float64
	for i := len(s.at) - 1; i > 0 && s.at[i] > s.last()-2*day; i-- {
		gaps = append(gaps, s.at[i]-s.at[i-1])
	}
	return median(gaps)
}

func (s *series) last() float64 {
	if len(s.at) == 0 {
		return 0
	}
	return s.at[len(s.at)-1]
}

func (s *series) span() float64 { return s.last() }

func (s *series) time(i int) time.Time {
	return s.first.Add(time.Duration(s.at[i] * float64(time.Hour)))
}

// near gives the measurement that stands for a moment, between two of them what is
// between their values; of those up to one.
func (s *series) near(at float64, upTo int) (float64, bool) {
	i, exact := slices.BinarySearch(s.at[:upTo+1], at)
	switch {
	case exact:
		return s.value[i], true
	case i == 0:
		return s.value[0], s.at[0]-at <= s.tolerance
	case i > upTo:
		return s.value[upTo], at-s.at[upTo] <= s.tolerance
	}
	before, after := at-s.at[i-1], s.at[i]-at
	if before+after <= 2*s.tolerance {
		return (s.value[i-1]*after + s.value[i]*before) / (before + after), true
	}
	if before < after {
		return s.value[i-1], before <= s.tolerance
	}
	return s.value[i], after <= s.tolerance
}

// within gives the measurements of the last hours up to one.
func (s *series) within(hours float64, upTo int) (at, value []float64) {
	from, _ := slices.BinarySearch(s.at[:upTo+1], s.at[upTo]-hours)
	return s.at[from : upTo+1], s.value[from : upTo+1]
}

func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}
