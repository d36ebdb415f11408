package policies

import (
	"time"

	"github.com/mqhk/mqhk/core/recovery"
)

// Policy says what is done with which targets, and when.
type Policy struct {
	Name        string
	Description string    // one or a few sentences; may be empty
	Schedule    *Schedule // nil: it runs by hand only
	Tasks       []Task    // in the order of the file; at least one
	Bundled     bool      // one of the three that are built in
	At          Place
}

// Task is one plugin at work on the targets that its patterns match.
type Task struct {
	Plugin     string
	Name       string            // unique within its policy
	Targets    []string          // patterns platform/name
	Strategy   recovery.Strategy // never NoStrategy
	Store      string            // name of a store; empty: none
	Margin     int               // segments kept beyond what is needed
	KeepNewest int               // newest segments kept whatever is needed
	MinAge     time.Duration     // how long a segment has not been needed before it goes
	Unsaved    recovery.Unsaved
	// TrustErrorLog lets recovery points count that only an error log tells.
	TrustErrorLog bool
	Limits        Limits
	Schedule      *Schedule // nil: the policy's; else in place of it, as a whole
	Config        Settings  // the plugin's own, to be read with DecodeConfig
	// Allow is what the plugin may plan, and nothing else: as it is written, else
	// what its plugin may usually do.
	Allow Capabilities
	At    Place

	usual  Capabilities     // what Allow is where it is not written
	places map[string]Place // of the arguments, for Complain
}

// Limits bound what one run lets go.
type Limits struct {
	MaxDeletes int // segments; 0: no limit
	MaxPercent int // per cent of the segments on the system; 0: no limit
}

// Promise is what the task promises to keep, as core/recovery takes it.
func (t Task) Promise() recovery.Promise {
	return recovery.Promise{
		Strategy:   t.Strategy,
		Margin:     t.Margin,
		KeepNewest: t.KeepNewest,
		MinAge:     t.MinAge,
		Unsaved:    t.Unsaved,
		MaxDeletes: t.Limits.MaxDeletes,
		MaxPercent: t.Limits.MaxPercent,

		TrustErrorLog: t.TrustErrorLog,
	}
}

// OwnAllow gives what the task allows where that is not what is usual for its
// plugin; else nothing.
func (t Task) OwnAllow() Capabilities {
	if t.Allow.means(t.usual) {
		return nil
	}
	return t.Allow
}

// ScheduleOf gives the schedule of one of the policy's tasks: its own, else
// the policy's, else nil.
func (p Policy) ScheduleOf(t Task) *Schedule {
	if t.Schedule != nil {
		return t.Schedule
	}
	return p.Schedule
}

// Mode says whether a scheduled run changes anything.
type Mode string

// Apply has to be written; everything else is a Plan.
const (
	Plan  Mode = "plan"
	Apply Mode = "apply"
)

// CatchUp says what happens to runs that were missed.
type CatchUp string

// Once makes up for all missed runs with one, Skip with none.
const (
	Once CatchUp = "once"
	Skip CatchUp = "skip"
)

// Overlap says what happens when a run is due while the last one still goes
// on.
type Overlap string

// SkipRun drops the new run, QueueRun starts it after the last one.
const (
	SkipRun  Overlap = "skip"
	QueueRun Overlap = "queue"
)

// Schedule says when a policy or a task runs.
type Schedule struct {
	Cron          string // checked by the caller's Checks.Cron
	Timezone      string // Area/City or UTC
	Mode          Mode
	CatchUp       CatchUp
	CatchUpWithin time.Duration // how late a missed run may still start; 0 with Skip
	Overlap       Overlap
	Jitter        time.Duration // a run starts up to so much later
	Timeout       time.Duration // of one run
	At            Place
}

// DefaultTimeout bounds a run where the policy says nothing, by hand too.
const DefaultTimeout = 2 * time.Hour

// defaultCatchUp is how late a missed run may still start.
const defaultCatchUp = 6 * time.Hour
