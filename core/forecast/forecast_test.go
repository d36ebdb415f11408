package forecast_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/core/forecast"
)

func TestTooLittle(t *testing.T) {
	day := func(h int) float64 { return float64(h) }
	cases := []struct {
		name    string
		history []forecast.Point
		enough  bool
	}{
		{"nothing", nil, false},
		{"one value", points([]float64{1}), false},
		{"an hour less than two days", points(series(48, day)), false},
		{"two days", points(series(49, day)), true},
		{"seven values in a week", daily(7), false},
		{"eight values in eight days", daily(8), true},
		{"values that are none", append(points([]float64{1, 2}), forecast.Point{At: start.AddDate(0, 0, 9), Value: math.NaN()}), false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := forecast.Make(c.history, ahead, forecast.Options{})
			var little *forecast.TooLittleError
			if c.enough != (err == nil) || err != nil && !errors.As(err, &little) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func daily(days int) []forecast.Point {
	var all []forecast.Point
	for d := range days {
		all = append(all, forecast.Point{At: start.AddDate(0, 0, d), Value: float64(d)})
	}
	return all
}

// What can be foretold exactly is.
func TestExact(t *testing.T) {
	cases := []struct {
		name, method string
		value        func(h int) float64
	}{
		{"constant", "last value", func(int) float64 { return 42 }},
		{"growth", "growth from day to day", func(h int) float64 { return 10 + float64(h)/24 }},
		{"wave", "daily wave", func(h int) float64 { return 40 + 20*math.Sin(2*math.Pi*float64(h)/24) }},
		{"wave with growth", "daily wave with growth", func(h int) float64 { return 40 + float64(h)/24 + 20*math.Sin(2*math.Pi*float64(h)/24) }},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f, err := forecast.Make(points(series(14*24, c.value)), ahead, forecast.Options{Ceiling: 100})
			if err != nil || f.Method != c.method {
				t.Fatalf("method %q, %v, want %q", f.Method, err, c.method)
			}
			for k, step := range f.Steps {
				want := c.value(14*24 - 1 + int(ahead[k].Hours()))
				if math.Abs(step.Middle-want) > 0.01 || step.High-step.Low > 0.1 || !step.At.Equal(f.From.At.Add(ahead[k])) {
					t.Errorf("%s ahead: %+v, want %.3f", ahead[k], step, want)
				}
			}
		})
	}
}

func TestReaches(t *testing.T) {
	f := forecast.Forecast{Steps: []forecast.Step{
		{At: start, Low: 10, Middle: 20, High: 30},
		{At: start.Add(time.Hour), Low: 20, Middle: 50, High: 91},
		{At: start.Add(2 * time.Hour), Low: 30, Middle: 90, High: 100},
	}}
	earliest, expected := f.Reaches(90)
	if !earliest.Equal(start.Add(time.Hour)) || !expected.Equal(start.Add(2*time.Hour)) {
		t.Errorf("reaches 90 at %s and %s", earliest, expected)
	}
	if earliest, expected = f.Reaches(101); !earliest.IsZero() || !expected.IsZero() {
		t.Errorf("reaches 101 at %s and %s", earliest, expected)
	}
}

// Any history gives ends in order, within the bounds, and the same forecast in
// whatever order it comes.
func TestAnyHistory(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var history []forecast.Point
		at := start
		for range rapid.IntRange(8, 80).Draw(t, "count") {
			at = at.Add(time.Duration(rapid.IntRange(1, 2000).Draw(t, "minutes")) * time.Minute)
			history = append(history, forecast.Point{At: at, Value: rapid.Float64Range(-1e6, 1e6).Draw(t, "value")})
		}
		steps := []time.Duration{48 * time.Hour, time.Hour, 24 * time.Hour}
		f, err := forecast.Make(history, steps, forecast.Options{Floor: 0, Ceiling: 100})
		if err != nil {
			return
		}
		for _, step := range f.Steps {
			if !(0 <= step.Low && step.Low <= step.Middle && step.Middle <= step.High && step.High <= 100) {
				t.Fatalf("%+v", step)
			}
		}
		rand.New(rand.NewPCG(1, 2)).Shuffle(len(history), func(i, j int) { history[i], history[j] = history[j], history[i] })
		again, err := forecast.Make(history, steps, forecast.Options{Floor: 0, Ceiling: 100})
		if err != nil || again.Method != f.Method || !slices.Equal(again.Steps, f.Steps) {
			t.Fatalf("%+v became %+v, %v", f, again, err)
		}
	})
}

// A series of 90 days as histories keep it: a group may have two thousand of them.
func BenchmarkMake(b *testing.B) {
	history := thinned(points(processes[4].make(rand.New(rand.NewPCG(1, 2)), 90*24)))
	for b.Loop() {
		if _, err := forecast.Make(history, ahead, forecast.Options{Ceiling: 100}); err != nil {
			b.Fatal(err)
		}
	}
}
