// Package due says when a simulated queue manager takes a checkpoint by itself.
// The figures are the same on every platform with queue files (reference, IBM i
// 3.2; Multiplatforms 4.1 item 76), what is counted towards them is not.
package due

import (
	"time"

	"github.com/mqhk/mqhk/core/logsize"
)

// The figures.
const (
	// Operations are taken without a checkpoint at most.
	Operations = logsize.CheckpointOperations
	// Interval is the time after which one is taken, if there were
	// IntervalOperations.
	Interval           = logsize.CheckpointTime
	IntervalOperations = 100
)

// Occasion is why a checkpoint is due.
type Occasion string

// The occasions.
const (
	Never   Occasion = "" // it is not
	Counted Occasion = "operations"
	Interim Occasion = "interval"
)

// Checkpoint tells whether a checkpoint is due by what was done since the last
// one, and when that was. A clock that went back by the interval counts as one
// that went on.
func Checkpoint(operations uint64, last, now time.Time) Occasion {
	switch {
	case operations >= Operations:
		return Counted
	case operations >= IntervalOperations && now.Sub(last).Abs() >= Interval:
		return Interim
	}
	return Never
}
