package logsize

import (
	"errors"
	"fmt"
	"math"
	"time"
)

// ErrLoad is what is wrong with a load.
var ErrLoad = errors.New("the load can't be")

// Load is what the log of a queue manager has to bear. Rates are those of an
// ordinary busy hour; only persistent messages count.
type Load struct {
	Puts, Gets float64 // messages a second
	Units      float64 // units of work that are committed a second; 0: every put and get is one
	Backouts   float64 // units of work that are backed out a second
	Length     int64   // of a message in bytes, on average
	Burst      float64 // how much more the highest rate is than the ordinary one; 0: once
	// Longest is how long the longest unit of work lasts.
	Longest time.Duration
	// Active is how many units of work there are at a time; 0: those of a
	// second, and the longest.
	Active int64
	// Checkpoint is the time between two checkpoints. Zero: the queue manager's
	// own (reference, Multiplatforms 4.1 item 76).
	Checkpoint time.Duration

	// Of a linear log: how many messages are on the queues when images of them
	// are taken, how often that is (0: never), and how long extents are kept
	// that only an older image needs.
	Depth  int64
	Images time.Duration
	Keep   time.Duration

	Linear  bool
	Release string // "9.4.0"; empty: the newest
	Windows bool
	// Limits of the release; the zero value: those that Release and Windows
	// say.
	Limits Limits
}

// When a queue manager takes a checkpoint by itself: behind so many persistent
// puts and gets, and after this time (reference, Multiplatforms 4.1 item 76).
const (
	CheckpointOperations = 10_000
	CheckpointTime       = 30 * time.Minute
)

// normal fills in what was left out.
func (l Load) normal() (Load, error) {
	if err := l.check(); err != nil {
		return l, err
	}
	if l.Limits == (Limits{}) {
		l.Limits = LimitsOf(l.Release, l.Windows)
	}
	if l.Burst == 0 {
		l.Burst = 1
	}
	if l.Units == 0 {
		l.Units = l.Puts + l.Gets
	}
	if l.Active == 0 {
		l.Active = int64(math.Ceil(l.Units*l.Burst)) + 1
	}
	if l.Checkpoint == 0 {
		l.Checkpoint = min(CheckpointTime, seconds(CheckpointOperations/((l.Puts+l.Gets)*l.Burst)))
	}
	if !l.Linear {
		l.Depth, l.Images, l.Keep = 0, 0, 0 // a circular log has no images
	}
	return l, nil
}

// most keeps every product of a load within what can be counted.
const most = 1e9

func (l Load) check() error {
	for what, rate := range map[string]float64{"puts": l.Puts, "gets": l.Gets, "units of work": l.Units, "backouts": l.Backouts} {
		if !(rate >= 0 && rate <= most) {
			return fmt.Errorf("%w: %v %s a second", ErrLoad, rate, what)
		}
	}
	for what, d := range map[string]time.Duration{
		"longest unit of work": l.Longest, "time between checkpoints": l.Checkpoint, "time between images": l.Images, "time to keep extents": l.Keep,
	} {
		if d < 0 || d > 100*365*24*time.Hour {
			return fmt.Errorf("%w: the %s is %s", ErrLoad, what, d)
		}
	}
	switch {
	case l.Puts+l.Gets == 0:
		return fmt.Errorf("%w: nothing is put or got", ErrLoad)
	case l.Length < 0 || l.Length > most || l.Depth < 0 || l.Depth > most || l.Active < 0 || l.Active > most:
		return fmt.Errorf("%w: a length, a depth or a number of units of work is not in 0..%d", ErrLoad, int64(most))
	case l.Burst != 0 && !(l.Burst >= 1 && l.Burst <= most):
		return fmt.Errorf("%w: the highest rate is %v times the ordinary one", ErrLoad, l.Burst)
	}
	return nil
}

func seconds(s float64) time.Duration {
	return time.Duration(min(s, math.MaxInt64/float64(time.Second)/2) * float64(time.Second))
}
