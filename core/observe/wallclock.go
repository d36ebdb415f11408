package observe

import "time"

// wallClock reads local stamps of a system whose clock may have gone back:
// by daylight saving, by hand, by a move. A stamp then stands for more than
// one moment, and an entry may lie in more than one receiver.
type wallClock struct {
	zone *time.Location // nil: not known
}

// clockStep is how far back a clock is taken to have gone where the chain
// shows that it did, beyond what it shows: a summer time hour, or two hours
// when the stamps do not tell (reference, IBM i 4.3).
const (
	summerHour = time.Hour
	clockStep  = 2 * time.Hour
)

// smallHours is the hour of the day before which summer time ends, wherever
// there is any.
const smallHours = 4

// moments gives the earliest and the latest moment that a stamp can stand
// for. Without a zone they are the stamp itself.
func (c wallClock) moments(s Stamp) (earliest, latest time.Time) {
	if c.zone == nil {
		return s.Time, s.Time
	}
	y, m, d := s.Date()
	local := time.Date(y, m, d, s.Hour(), s.Minute(), s.Second().Time.Second(), s.Nanosecond(), c.zone)
	earliest, latest = local, local
	for _, near := range []time.Duration{-24 * time.Hour, 24 * time.Hour} {
		_, offset := local.Add(near).Zone()
		other := s.Time.Add(-time.Duration(offset) * time.Second)
		if LocalStamp(other.In(c.zone)).Equal(s.Time) {
			earliest, latest = minTime(earliest, other), maxTime(latest, other)
		}
	}
	return earliest, latest
}

// life is the time during which a piece of the chain was attached, by the
// wall clock. A zero end is open: still attached.
type life struct{ start, end Stamp }

// wentBack tells whether the clock visibly went back during the life.
func (l life) wentBack() bool { return !l.end.IsZero() && l.end.Second().Before(l.start.Second().Time) }

// mayEndAfter tells whether an entry with the stamp may have been written
// before the life ended: then it lies in this piece or an older one. A tie
// within the second counts as before (case 2: never the other way).
func (c wallClock) mayEndAfter(l life, entry Stamp) bool {
	if l.end.IsZero() {
		return true
	}
	earliest, _ := c.moments(entry.Second())
	_, latest := c.moments(l.end.Second())
	if !earliest.After(latest) {
		return true
	}
	if !l.wentBack() {
		return false
	}
	peak := maxTime(l.end.Add(clockStep), l.start.Add(summerHour))
	return !entry.Before(l.start.Second().Time) && !entry.After(peak)
}

// may tells whether an entry with the stamp may lie in this very piece.
func (c wallClock) may(l life, entry Stamp) bool {
	earliest, _ := c.moments(l.start.Second())
	_, latest := c.moments(entry.Second())
	started := !earliest.After(latest) || l.wentBack()
	return started && c.mayEndAfter(l, entry)
}

// lowest gives the oldest piece in which an entry with the stamp may lie,
// read in every way the clock allows; -1 when it may be older than all of
// them. The lives are in chain order; the last one is open.
//
// This is the rule of the published jrnmaint program (the newest receiver
// attached strictly before the entry) wherever attach times rise, and the
// oldest of all readings where they do not (case 3).
func (c wallClock) lowest(lives []life, entry Stamp) int {
	for i, l := range lives {
		if !c.mayEndAfter(l, entry) {
			continue
		}
		earliest, _ := c.moments(entry.Second())
		_, started := c.moments(l.start.Second())
		if i == 0 && earliest.Before(started) {
			return -1
		}
		return i
	}
	return len(lives) - 1
}

// doubtful gives a second stamp at which the entry must be looked for when
// nothing tells the zone and the entry alone tells the place: in the small
// hours, where summer time ends everywhere, it may belong to the second pass
// of an hour whose first pass no attach time shows. A chain that shows the
// step itself needs no such guess.
func (c wallClock) doubtful(lives []life, entry Stamp) (Stamp, bool) {
	if c.zone != nil || entry.Hour() >= smallHours {
		return entry, false
	}
	for _, l := range lives {
		if l.wentBack() && entry.Sub(l.start.Time).Abs() < 24*time.Hour {
			return entry, false
		}
	}
	return Stamp{entry.Add(-summerHour)}, true
}

// mayFollow tells whether what was stamped second may have happened at or
// after what was stamped first, read in every way the clock allows. Without a
// zone the small hours, in which summer time ends, are read as if they came
// twice.
func (c wallClock) mayFollow(second, first Stamp) bool {
	earliest, _ := c.moments(first)
	_, latest := c.moments(second)
	if c.zone == nil && first.Hour() < smallHours {
		earliest = earliest.Add(-summerHour)
	}
	return !latest.Before(earliest)
}

func minTime(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

func maxTime(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
