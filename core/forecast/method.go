package forecast

import "math"

// method is a way to tell a value so many hours ahead of a measurement, from
// those up to it. False when they are not enough for it.
type method struct {
	name    string
	predict func(s *series, upTo int, ahead float64) (float64, bool)
}

// methods are those that compete, the plainest first: of two that are as good the
// plainer is taken.
var methods = []method{
	{"last value", func(s *series, upTo int, _ float64) (float64, bool) { return s.value[upTo], true }},
	{"usual level", usual},
	{"growth from day to day", growing},
	{"daily wave", waving},
	{"daily wave with growth", wavingAndGrowing},
	{"trend of the last hours", trending},
}

// usual is the median of the last two days: where a burst comes from and returns
// to.
func usual(s *series, upTo int, _ float64) (float64, bool) {
	level, ok := s.levels[upTo]
	if !ok {
		_, values := s.within(2*day, upTo)
		level = median(values)
		s.levels[upTo] = level
	}
	return level, s.at[upTo] >= day
}

// growth gives how much the series grows a day: the median of the differences
// between the values of the last days and those a day before. A wave is in both
// and falls out; a burst is in few.
func (s *series) growth(upTo int) (float64, bool) {
	if a, ok := s.growths[upTo]; ok {
		return a, !math.IsNaN(a)
	}
	differences := s.differences(2*day, upTo)
	if len(differences) < 6 { // thinned: a value a day
		differences = s.differences(7*day, upTo)
	}
	a := math.NaN() // too few
	if len(differences) >= 3 {
		a = median(differences)
	}
	s.growths[upTo] = a
	return a, !math.IsNaN(a)
}

// differences gives what the values of the last hours are more than those a day
// before.
func (s *series) differences(hours float64, upTo int) []float64 {
	at, values := s.within(hours, upTo)
	var differences []float64
	step := max(1, len(at)/24)
	for i := len(at) - 1; i >= 0; i -= step {
		if before, ok := s.near(at[i]-day, upTo); ok {
			differences = append(differences, values[i]-before)
		}
	}
	return differences
}

func growing(s *series, upTo int, ahead float64) (float64, bool) {
	a, ok := s.growth(upTo)
	return s.value[upTo] + a*ahead/day, ok
}

// waving is the value of the same time of the day, the median of up to five days.
func waving(s *series, upTo int, ahead float64) (float64, bool) {
	at := s.at[upTo] + ahead - day*math.Ceil(ahead/day)
	var values []float64
	for range 5 {
		if value, ok := s.near(at, upTo); ok {
			values = append(values, value)
		}
		at -= day
	}
	return median(values), len(values) > 0
}

// wavingAndGrowing is the value of the same time of the last day, and what the
// series grows until then.
func wavingAndGrowing(s *series, upTo int, ahead float64) (float64, bool) {
	days := math.Ceil(ahead / day)
	value, ok := s.near(s.at[upTo]+ahead-day*days, upTo)
	a, grows := s.growth(upTo)
	return value + a*days, ok && grows
}

// trending goes on as the last six hours went: how a backlog drains.
func trending(s *series, upTo int, ahead float64) (float64, bool) {
	at, values := s.within(6, upTo)
	if len(at) < 3 {
		return 0, false
	}
	var meanAt, mean, above, below float64
	for i := range at {
		meanAt += at[i] / float64(len(at))
		mean += values[i] / float64(len(at))
	}
	for i := range at {
		above += (at[i] - meanAt) * (values[i] - mean)
		below += (at[i] - meanAt) * (at[i] - meanAt)
	}
	return values[len(values)-1] + above/below*ahead, true
}
