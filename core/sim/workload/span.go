package workload

import (
	"fmt"
	"math/rand/v2"
	"time"
)

// Span is a length of time, "1h30m" or "45s" in JSON.
type Span time.Duration

// MarshalText writes it with its units.
func (s Span) MarshalText() ([]byte, error) { return []byte(time.Duration(s).String()), nil }

// UnmarshalText reads what [time.ParseDuration] reads.
func (s *Span) UnmarshalText(text []byte) error {
	d, err := time.ParseDuration(string(text))
	if err != nil {
		return fmt.Errorf("%q is no length of time such as 90s or 1h30m", text)
	}
	*s = Span(d)
	return nil
}

// around draws a length between half of it and one and a half.
func (s Span) around(rng *rand.Rand) time.Duration {
	return time.Duration((0.5 + rng.Float64()) * float64(s))
}

// exponential draws a length of which short ones are the most likely, and this
// is the mean.
func (s Span) exponential(rng *rand.Rand) time.Duration {
	return time.Duration(rng.ExpFloat64() * float64(s))
}
