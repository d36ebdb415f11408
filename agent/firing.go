package agent

import (
	"context"
	"slices"
	"time"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/agent/schedule"
)

// Firing is one run that is due.
type Firing struct {
	Task Task
	Key  string    // the time that it is written for (schedule.Firing): what it is claimed by
	At   time.Time // its moment, in the schedule's zone, before any jitter
	// Late is how long after its start it begins; 0: it is on time.
	Late time.Duration
	// MadeUp is the number of earlier missed firings that it stands for too.
	MadeUp int
}

// Runner does one run: Firing.Task on its targets, in its mode. It claims the
// firing in the ledger for each target under [Task.Name] and Firing.Key; what
// others have is in Run.Skipped of the record, and is no error.
//
// When ctx ends it finishes the action it is at, records the run, and returns.
// A claim that it leaves behind, as it died, lasts [Lease].
type Runner func(ctx context.Context, firing Firing) (ledger.Record, error)

// Lease is how long a claim lasts without a sign of life of who has it.
const Lease = 2 * time.Minute

// Ledger is what the agent needs of the ledger.
type Ledger interface {
	// Firings gives the newest firings of a task on a target, newest first.
	Firings(ctx context.Context, target, task string, limit int) ([]ledger.Fired, error)
	// Missed records a firing that nobody ran; one that is known already
	// stays as it is.
	Missed(ctx context.Context, firing ledger.Firing, why string) error
}

// onTime is how late a run may begin and still be on time: the loop reads the
// clock once a minute.
const onTime = 2 * time.Minute

// firing gives what is due as a firing of the task, at a moment.
func (t Task) firing(due schedule.Due, now time.Time) Firing {
	f := Firing{Task: t, Key: due.Firing.Key, At: due.Firing.At, MadeUp: due.MadeUp}
	if late := now.Sub(due.Start); late > onTime {
		f.Late = late.Round(time.Second)
	}
	return f
}

// busy gives what a run left to others who were not at this very firing, or
// have not ended it.
func busy(record ledger.Record) []ledger.Skipped {
	return slices.DeleteFunc(slices.Clone(record.Run.Skipped), func(s ledger.Skipped) bool { return s.Fired })
}
