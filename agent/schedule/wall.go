package schedule

import "time"

// A wall-clock time is kept here as if it were UTC: a date and a time of day
// that may not exist in a zone, or exist twice.

// farthest is more than two wall clocks of one zone ever lie apart: the widest
// offsets of the time zone database are a day from each other (places that
// changed sides of the date line).
const farthest = 48 * time.Hour

// offsetAt gives what a zone adds to UTC at t, and until when it surely does
// so; zero: for ever.
func offsetAt(t time.Time, zone *time.Location) (offset time.Duration, until time.Time) {
	t = t.In(zone)
	_, seconds := t.Zone()
	_, until = t.ZoneBounds()
	if !until.IsZero() && !until.After(t) {
		// Where a zone goes by a rule for all years, the bounds end 365 days
		// into the year: on the last day of a leap year that is past, and who
		// goes on from there never gets away (seen with Go 1.26). No rule
		// changes a clock on that day.
		until = t.UTC().Truncate(24 * time.Hour).Add(24 * time.Hour).In(zone)
	}
	return time.Duration(seconds) * time.Second, until
}

// wallOf gives what the clocks of a zone show at t.
func wallOf(t time.Time, zone *time.Location) time.Time {
	_, seconds := t.In(zone).Zone()
	return t.UTC().Add(time.Duration(seconds) * time.Second)
}

// momentOf gives the first moment at which the clocks of a zone show wall, or
// something later for the first time: the end of the gap that wall lies in,
// and the first pass of a doubled hour. time.Date promises neither.
func momentOf(wall time.Time, zone *time.Location) time.Time {
	from := wall.Add(-farthest).In(zone)
	for {
		offset, until := offsetAt(from, zone)
		at := wall.Add(-offset).In(zone)
		if at.Before(from) {
			return from
		}
		if until.IsZero() || at.Before(until) {
			return at
		}
		from = until
	}
}

// latestShown gives the latest that the clocks of a zone have shown up to t.
// It is later than what they show at t while a doubled hour passes again.
func latestShown(t time.Time, zone *time.Location) time.Time {
	latest := wallOf(t, zone)
	for at := t.In(zone); ; {
		start, _ := at.ZoneBounds()
		if start.IsZero() || t.Sub(start) > farthest {
			return latest
		}
		at = start.Add(-1)
		if shown := wallOf(at, zone); shown.After(latest) {
			latest = shown
		}
	}
}
