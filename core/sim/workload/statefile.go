package workload

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
)

// ErrState says that a state is not one that this package writes.
var ErrState = errors.New("malformed workload state")

// source is the generator of the random numbers, with its state as base64.
type source struct{ rand.PCG }

// MarshalText writes the state of the generator.
func (s *source) MarshalText() ([]byte, error) {
	b, err := s.MarshalBinary()
	if err != nil {
		return nil, fmt.Errorf("writing the state of the random numbers: %w", err)
	}
	return base64.StdEncoding.AppendEncode(nil, b), nil
}

// UnmarshalText reads what MarshalText writes.
func (s *source) UnmarshalText(text []byte) error {
	b, err := base64.StdEncoding.DecodeString(string(text))
	if err == nil {
		err = s.UnmarshalBinary(b)
	}
	if err != nil {
		return fmt.Errorf("reading the state of the random numbers: %w", err)
	}
	return nil
}

// MarshalJSON writes the state.
func (s *State) MarshalJSON() ([]byte, error) { return json.Marshal(&s.at) }

// UnmarshalJSON reads a state; what can't be one is an error that wraps
// [ErrState].
func (s *State) UnmarshalJSON(content []byte) error {
	var p progress
	err := json.Unmarshal(content, &p)
	if err == nil {
		err = p.check()
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrState, err)
	}
	slices.SortFunc(p.Due, due.compare) // sorted is a heap too
	slices.SortFunc(p.Long, longUnit.compare)
	*s = State{at: p}
	return nil
}

// check holds what running the state relies on.
func (p *progress) check() error {
	if err := p.Profile.Validate(); err != nil {
		return fmt.Errorf("profile: %w", err)
	}
	until := momentOf(p.Until)
	if p.From.Year() < 1970 || p.Until.Year() > 9999 || p.Until.Before(p.From) {
		return fmt.Errorf("it is from %s until %s", p.From, p.Until)
	}
	if p.Border < until || p.Border > until+minute {
		return fmt.Errorf("border: %d is not within a minute of %d", p.Border, until)
	}
	for _, m := range append(p.Streams[:], p.BurstEnd) {
		if m < 0 {
			return fmt.Errorf("moment %d is before 1970", m)
		}
	}
	return p.checkWork()
}

// checkWork looks at the work to come.
func (p *progress) checkWork() error {
	if len(p.Behind) != len(p.Profile.Queues) {
		return fmt.Errorf("behind: %d numbers for %d queues", len(p.Behind), len(p.Profile.Queues))
	}
	for i, n := range p.Behind {
		if n < 0 {
			return fmt.Errorf("behind[%d]: %d is below 0", i, n)
		}
	}
	for i, d := range p.Due {
		if d.At < 0 || d.Queue < 0 || d.Queue >= len(p.Behind) || d.Count < 1 || d.Count > 2*maxUnit {
			return fmt.Errorf("due[%d]: at %d, queue %d, count %d", i, d.At, d.Queue, d.Count)
		}
	}
	for i, l := range p.Long {
		known := l.Phase == longOpen || l.Phase == longPrepared || l.Phase == longStuck
		if l.At < 0 || l.Queue < 0 || l.Queue >= len(p.Behind) || l.Count < 0 || l.Count > 2*maxUnit || !known {
			return fmt.Errorf("long[%d]: at %d, queue %d, count %d, phase %q", i, l.At, l.Queue, l.Count, l.Phase)
		}
		if l.InDoubt < 0 || l.InDoubt > 2*maxSpan {
			return fmt.Errorf("long[%d].in_doubt: out of range", i)
		}
	}
	return nil
}
