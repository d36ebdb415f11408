package schedule

import "time"

// rule finds firings in a zone.
type rule interface {
	// next gives the first firing after a moment; false where there is none.
	next(after time.Time, zone *time.Location) (Firing, bool)
	// repeats says whether the rule runs on elapsed time: what the clocks
	// show twice, it does twice.
	repeats() bool
}

// The keys of firings: a written time, and a time that needs its offset to be
// told from the same one an hour later.
const (
	writtenKey = "2006-01-02T15:04"
	elapsedKey = time.RFC3339
)

// fixedHours runs once for each written time.
type fixedHours struct{ calendar }

func (fixedHours) repeats() bool { return false }

// next looks for written times that the clocks have not yet reached. Those
// that one gap swallows come together, at its end, and make one firing: that
// of the last of them.
func (r fixedHours) next(after time.Time, zone *time.Location) (Firing, bool) {
	written := r.after(latestShown(after, zone))
	if written.IsZero() {
		return Firing{}, false
	}
	at := momentOf(written, zone)
	written = r.last(written, wallOf(at, zone))
	return Firing{At: at, Key: written.Format(writtenKey)}, true
}

// everyHour runs at each moment at which the clocks show a written time.
type everyHour struct{ calendar }

func (everyHour) repeats() bool { return true }

// next goes from one offset of the zone to the next: between two changes the
// wall clock runs like any other.
func (r everyHour) next(after time.Time, zone *time.Location) (Firing, bool) {
	for from := after.In(zone); ; {
		offset, until := offsetAt(from, zone)
		written := r.after(wallOf(from, zone))
		if written.IsZero() {
			return Firing{}, false
		}
		at := written.Add(-offset).In(zone)
		if until.IsZero() || at.Before(until) {
			return elapsed(at), true
		}
		// The minute that begins with the new offset counts too.
		if first := wallOf(until, zone); r.after(first.Add(-1)).Equal(first) {
			return elapsed(until), true
		}
		from = until
	}
}

// every runs at the multiples of a distance since 1970-01-01 00:00 UTC, so
// that all agents mean the same moments, and the same ones after a restart.
type every struct{ distance time.Duration } // whole seconds, a minute or more

func (every) repeats() bool { return true }

func (r every) next(after time.Time, zone *time.Location) (Firing, bool) {
	distance := int64(r.distance / time.Second)
	seconds := after.Unix()
	past := seconds % distance
	if past < 0 {
		past += distance
	}
	return elapsed(time.Unix(seconds-past+distance, 0).In(zone)), true
}

// elapsed is a firing whose key tells the two passes of an hour apart.
func elapsed(at time.Time) Firing { return Firing{At: at, Key: at.Format(elapsedKey)} }
