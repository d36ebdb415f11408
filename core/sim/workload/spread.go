package workload

import (
	"math"
	"math/rand/v2"
)

// Spread is a distribution of whole numbers like the log-normal one, which
// message sizes have in practice: half of them are below Typical, half above,
// and one in a thousand or so is Min or Max.
type Spread struct {
	Min     int `json:"min"`
	Typical int `json:"typical"`
	Max     int `json:"max"`
}

// sigmas is how many standard deviations (of the logarithm) Min and Max are
// away from Typical.
const sigmas = 3

// at gives the number that is z standard deviations away from Typical.
func (s Spread) at(z float64) int {
	end := s.Max
	if z < 0 {
		end = s.Min
	}
	if end == s.Typical {
		return end
	}
	ratio := math.Log(float64(end) / float64(s.Typical))
	n := int(math.Round(float64(s.Typical) * math.Exp(ratio*math.Abs(z)/sigmas)))
	return min(max(n, s.Min), s.Max)
}

func (s Spread) draw(rng *rand.Rand) int {
	if s.Min == s.Max {
		return s.Min
	}
	return s.at(rng.NormFloat64())
}

// mean is the mean of what is drawn, to some tenths of a percent: by it a
// number of messages becomes one of units of work.
func (s Spread) mean() float64 {
	const points = 2000
	sum := 0
	for i := range points {
		p := (float64(i) + 0.5) / points
		sum += s.at(math.Sqrt2 * math.Erfinv(2*p-1))
	}
	return float64(sum) / points
}
