package observe

import "time"

// wallClock reads local stamps of a system whose clock may have gone back:
// by daylight saving, by hand, by a move. A stamp then stands for more than
// one moment, and an entry may lie in more than one receiver.
type wallClock struct {
	zone *time.Location // nil: not known
}

// clockStep is the most by which summer time ends: an hour nearly everywhere,
// two at one place.
const clockStep = 2 * time.Hour

// repeats tells whether a stamp may have come twice because summer time ended,
// where the zone is not known: clocks go back between 22:00 and 04:00 (from
// 24:00 to 23:00 in Chile and Egypt, from 03:00 to 02:00 in Europe).
func repeats(s Stamp) bool { return s.Hour() < 4 || s.Hour() >= 22 }

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
type life struct {
	start, end Stamp
	// turned: its own times show that the clock went back, though the end, which
	// is that of a later piece, does not.
	turned bool
}

// wentBack tells whether the clock visibly went back during the life.
func (l life) wentBack() bool {
	return l.turned || !l.end.IsZero() && l.end.Second().Before(l.start.Second().Time)
}

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
	// Up to which time the clock ran before it went back nothing tells.
	return c.unexplained(l) && !entry.Before(l.start.Second().Time)
}

// unexplained tells whether the clock went back during the life by more than
// the zone says it did.
func (c wallClock) unexplained(l life) bool {
	if l.turned || l.end.IsZero() {
		return l.turned
	}
	earliest, _ := c.moments(l.start.Second())
	_, latest := c.moments(l.end.Second())
	return latest.Before(earliest)
}

// may tells whether an entry with the stamp may lie in this very piece.
func (c wallClock) may(l life, entry Stamp) bool {
	earliest, _ := c.moments(l.start.Second())
	_, latest := c.moments(entry.Second())
	started := !earliest.After(latest) || c.unexplained(l)
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
// nothing tells the zone and the entry alone tells the place: in the hours in
// which summer time ends it may belong to the second pass of an hour whose
// first pass no attach time shows. A chain that shows the step itself needs no
// such guess.
func (c wallClock) doubtful(lives []life, entry Stamp) (Stamp, bool) {
	if c.zone != nil || !repeats(entry) {
		return entry, false
	}
	for _, l := range lives {
		if l.wentBack() && entry.Sub(l.start.Time).Abs() < 24*time.Hour {
			return entry, false
		}
	}
	return Stamp{entry.Add(-clockStep)}, true
}

// mayFollow tells whether what was stamped second may have happened at or
// after what was stamped first, read in every way the clock allows. Without a
// zone the hours in which summer time ends are read as if they came twice.
func (c wallClock) mayFollow(second, first Stamp) bool {
	earliest, _ := c.moments(first)
	_, latest := c.moments(second)
	if c.zone == nil && repeats(first) {
		earliest = earliest.Add(-clockStep)
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
