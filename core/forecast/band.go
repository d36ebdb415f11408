package forecast

import (
	"cmp"
	"math"
	"slices"
	"time"
)

const (
	mostTrials = 90   // moments of the history on which a method is tried
	fewTrials  = 6    // below which its errors say nothing
	unsure     = 2.5  // how much wider an interval is made for one stretch of history, and by so much less for more
	outside    = 0.06 // how often the value may be outside of the interval; new ones are so somewhat more often
)

// band is how far a method went wrong so far ahead: between these errors of it nine
// in ten were.
type band struct {
	low, high float64
	middle    float64 // half of the errors were lower
	tried     int
	span      float64 // hours between the first and the last trial
}

// around gives the interval about what the method says, and what is expected: the
// method put right by what it was usually wrong by.
func (b band) around(predicted float64) (low, middle, high float64) {
	return predicted + b.low, predicted + b.middle, predicted + b.high
}

// width is how much the band takes, with the method's own word in it: one that is
// always wrong by the same is not better for that.
func (b band) width() float64 { return max(b.high, 0) - min(b.low, 0) }

// candidate is a method with its bands.
type candidate struct {
	method method
	bands  []band
	score  float64
}

// choose gives the method whose intervals are the narrowest, of those that could
// be tried as far ahead as any.
func (s *series) choose(ahead []time.Duration) candidate {
	var best, plainest candidate
	for i, m := range methods {
		if _, ok := m.predict(s, len(s.at)-1, day); !ok && i > 0 {
			continue
		}
		c := s.candidate(m, ahead)
		if i == 0 {
			plainest = c
		}
		if i == 0 || c.score < best.score*0.97 && c.seasoned(plainest, ahead) {
			best = c
		}
	}
	return best
}

// seasoned tells whether a method was tried over as much of the history as the
// plainest can be. Of a history that was thinned one that needs whole days knows the
// last two alone, and would look good for those being quiet.
func (c candidate) seasoned(plainest candidate, ahead []time.Duration) bool {
	for i, b := range plainest.bands {
		if ahead[i].Hours() >= day && b.tried >= fewTrials && c.bands[i].span < b.span/2 {
			return false
		}
	}
	return true
}

// candidate tries a method as far ahead as is asked. Its score is how wide its
// intervals are on the average; farther than it could be tried they are those of
// the farthest trial, grown with the time.
func (s *series) candidate(m method, ahead []time.Duration) candidate {
	c := candidate{method: m, bands: make([]band, len(ahead))}
	order := make([]int, len(ahead))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(ahead[a], ahead[b]) })
	var known band
	reach := 0.0
	for _, i := range order {
		hours := ahead[i].Hours()
		b := s.try(m, hours)
		switch {
		case b.tried >= fewTrials:
			known, reach = b, hours
		case reach > 0:
			factor := hours / reach
			b = band{low: known.low * factor, high: known.high * factor, middle: known.middle * factor}
		default:
			b = s.widest()
		}
		c.bands[i] = b
		c.score += b.width() / float64(len(ahead))
	}
	return c
}

// widest is the band of what could never be tried: as far as the series ever went.
func (s *series) widest() band {
	spread := slices.Max(s.value) - slices.Min(s.value)
	return band{low: -spread, high: spread}
}

// try gives the band of a method so many hours ahead. The fewer stretches of that
// length the history has, the less its trials say of each other, and the wider it
// is made.
func (s *series) try(m method, hours float64) band {
	var errors []float64
	first, last := math.Inf(1), 0.0
	for _, upTo := range s.trials(hours) {
		actual, ok := s.near(s.at[upTo]+hours, len(s.at)-1)
		if !ok {
			continue
		}
		predicted, ok := m.predict(s, upTo, hours)
		if !ok {
			continue
		}
		errors = append(errors, actual-predicted)
		first, last = min(first, s.at[upTo]), max(last, s.at[upTo])
	}
	if len(errors) < fewTrials {
		return band{}
	}
	slices.Sort(errors)
	rank := int(math.Floor(outside / 2 * float64(len(errors)+1)))
	low, high := errors[max(0, rank-1)], errors[min(len(errors)-1, len(errors)-rank)]
	stretches := max(1, (last-first)/max(hours, 6))
	wider := 1 + unsure/stretches
	middle := median(errors)
	return band{middle - (middle-low)*wider, middle + (high-middle)*wider, middle, len(errors), last - first}
}

// trials gives the moments to try at: as many as are wanted, spread evenly over
// all from which the value so many hours later is known.
func (s *series) trials(hours float64) []int {
	end, _ := slices.BinarySearch(s.at, s.last()-hours+s.tolerance/2)
	count := min(end, mostTrials)
	trials := make([]int, 0, count)
	for i := range count {
		trials = append(trials, i*end/count)
	}
	return trials
}
