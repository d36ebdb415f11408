package cfbackup

import (
	"time"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/observe/qsg"
	"github.com/mqhk/mqhk/plugins"
)

// view is a group as it was read, what the task says, and what follows of each
// structure that can be backed up, or of which that is not known.
type view struct {
	group   *qsg.Group
	request plugins.Request
	clock   clock
	ready   map[string]readiness
}

func newView(group *qsg.Group, request plugins.Request) view {
	v := view{group: group, request: request, clock: newClock(group.Observed, request.Target.Zone), ready: map[string]readiness{}}
	judge := newJudge(group, v.clock, limits{
		interval: request.Config.Duration("interval"),
		rate:     request.Config.Int("recovery_rate"),
	})
	for _, s := range group.Structures {
		if can, known := s.Recoverable(); can || !known {
			v.ready[s.Name] = judge.structure(s)
		}
	}
	return v
}

// clock is the time of an observation, and how local stamps are read by it. The
// members of a group share a sysplex and its time.
type clock struct {
	now  time.Time      // zero: not known
	zone *time.Location // of local stamps
}

// newClock reads stamps in the target's zone, else with the offset that the
// observation's own time has.
func newClock(now time.Time, zone string) clock {
	c := clock{now, now.Location()}
	if zone != "" {
		if found, err := time.LoadLocation(zone); err == nil {
			c.zone = found
		}
	}
	return c
}

// moment gives when a local stamp was. In the hour that comes twice when summer
// time ends it is the first of the two: a backup is rather taken for older.
func (c clock) moment(s observe.Stamp) time.Time {
	if s.IsZero() || c.now.IsZero() {
		return time.Time{}
	}
	y, m, d := s.Date()
	at := time.Date(y, m, d, s.Hour(), s.Minute(), s.Second().Time.Second(), 0, c.zone)
	for _, near := range []time.Duration{-day, day} {
		_, offset := at.Add(near).Zone()
		other := s.Second().Add(-time.Duration(offset) * time.Second).In(c.zone)
		if observe.LocalStamp(other).Equal(s.Second().Time) && other.Before(at) {
			at = other
		}
	}
	return at
}

// slack is by how much the clocks of a system and of who looked at it may differ.
const slack = 2 * time.Minute

// age gives how long ago a local stamp was; false when no clock is known, or the
// stamp lies in the future.
func (c clock) age(s observe.Stamp) (time.Duration, bool) {
	at := c.moment(s)
	if at.IsZero() {
		return 0, false
	}
	age := c.now.Sub(at)
	return max(age, 0), age >= -slack
}

// wall gives a time as the group's wall clock shows it.
func (c clock) wall(at time.Time) observe.Stamp { return observe.LocalStamp(at.In(c.zone)) }
