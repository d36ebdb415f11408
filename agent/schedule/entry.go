package schedule

import "time"

// Overlap says what becomes of a firing that is due while the entry's last run
// still goes on.
type Overlap int

// Skip leaves the new firing out. Queue starts it when the run has ended; of
// several that wait the newest is run, so a run that is always too slow does
// not pile up work.
const (
	Skip Overlap = iota
	Queue
)

// Entry is a schedule that [Loop] waits for.
type Entry struct {
	Name     string // as [Name] makes it; the jitter follows from it
	Schedule Schedule
	// Jitter is how much later than its moment a firing may start, but always
	// before the moment of the next one: firings keep their order.
	Jitter  time.Duration
	Overlap Overlap
	// CatchUp is how late a run that was missed may still start; 0: missed
	// runs are not made up for.
	CatchUp time.Duration
	// Last is the At of the last firing that is known to have been dealt with.
	// Later ones that are past are missed. Zero: nothing was missed.
	Last time.Time
}

// Due is a firing whose time has come.
type Due struct {
	Entry  string // its name
	Firing Firing
	Start  time.Time // when it was to start: Firing.At and the jitter
	// MadeUp is the number of earlier missed firings, reported as [Left] just
	// before, that this run stands for as well.
	MadeUp int
}

// due gives the start of a firing.
func (e Entry) due(f Firing) Due {
	within := e.Jitter
	if within > 0 {
		if next, ok := e.Schedule.Next(f.At); ok {
			within = min(within, next.At.Sub(f.At)-time.Second)
		}
	}
	return Due{Entry: e.Name, Firing: f, Start: f.At.Add(Jitter(e.Name, f.Key, within))}
}

// From gives up to count firings, in the order of the schedule, that start at
// a moment or later. With a jitter the first may be one whose At lies before.
func (e Entry) From(moment time.Time, count int) []Due {
	var list []Due
	// A firing at the moment itself counts.
	from := moment.Add(-e.Jitter - 1)
	for len(list) < count {
		f, ok := e.Schedule.Next(from)
		if !ok {
			break
		}
		if due := e.due(f); !due.Start.Before(moment) {
			list = append(list, due)
		}
		from = f.At
	}
	return list
}

// Why says why a firing did not become a run.
type Why string

// The reasons.
const (
	// Missed: nothing was running at the time, or the clock jumped over it.
	Missed Why = "missed"
	// Overlapped: the entry's last run still went on.
	Overlapped Why = "overlapped"
)

// Left are firings of one entry that did not become a run of their own.
type Left struct {
	Entry   string
	Firings []Firing // oldest first, at least one
	More    bool     // others before them, too many to be listed
	Why     Why
}

// makeUp chooses among due firings, which are in order. One that is due now
// is run. Of those that come too late the newest is run, if it may still
// start: it makes up for the others (a plan made twice in a row would be the
// same plan). The rest is left.
func (e Entry) makeUp(due []Due, now time.Time) (run *Due, left []Firing) {
	if len(due) == 0 {
		return nil, nil
	}
	newest := due[len(due)-1]
	late := now.Sub(newest.Start)
	if late > slack && late > e.CatchUp {
		return nil, firings(due)
	}
	newest.MadeUp = len(due) - 1
	return &newest, firings(due[:len(due)-1])
}

func firings(due []Due) []Firing {
	var list []Firing
	for _, d := range due {
		list = append(list, d.Firing)
	}
	return list
}
