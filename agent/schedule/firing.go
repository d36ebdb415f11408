package schedule

import "time"

// Firing is one run that a schedule asks for.
type Firing struct {
	// At is the moment, in the schedule's zone, before any jitter.
	At time.Time
	// Key is the wall-clock time that the firing is written for. It is the
	// same on every agent and no other firing of the schedule has it: a ledger
	// tells by it whether a run was claimed. With fixed hours it is the time
	// as written ("2026-03-29T02:30", though that day went from 02:00 to
	// 03:00); on elapsed time it carries the offset
	// ("2026-10-25T02:30:00+02:00").
	Key string
}

// The years in which schedules fire: those that a key can hold.
const (
	firstYear = 1
	lastYear  = 9998
)

// Next gives the first firing after a moment. It is false for the zero
// Schedule and for moments beyond the year 9998.
//
// Next strictly increases. Written times that fall into one gap of the clocks,
// and the one at its end, therefore make one firing: that of the last of them.
func (s Schedule) Next(after time.Time) (Firing, bool) {
	switch year := after.Year(); {
	case s.rule == nil || year > lastYear:
		return Firing{}, false
	case year < firstYear:
		after = time.Time{}
	}
	return s.rule.next(after, s.zone)
}

// century is further back than missed firings are looked for in steps.
const century = 100 * 366 * 24 * time.Hour

// Missed gives the firings after last and up to now, oldest first: the newest
// ones, at most limit of them. more tells that there were others before them.
// A limit below 1 is taken for 1.
//
// The time that it takes depends on limit, not on how long ago last is.
func (s Schedule) Missed(last, now time.Time, limit int) (missed []Firing, more bool) {
	limit = max(limit, 1)
	for span := time.Duration(limit) * shortest; ; span *= 2 {
		from := now.Add(-span)
		all := span > century || !from.After(last)
		if all {
			from = last
		}
		missed, more = s.newest(from, now, limit)
		if all || len(missed) == limit {
			break
		}
	}
	if len(missed) > 0 && !more {
		first, _ := s.Next(last)
		more = first.At.Before(missed[0].At)
	}
	return missed, more
}

// newest gives the last firings between two moments, and whether others were
// left out.
func (s Schedule) newest(from, to time.Time, limit int) (kept []Firing, more bool) {
	for {
		f, ok := s.Next(from)
		if !ok || f.At.After(to) {
			return kept, more
		}
		if len(kept) == limit {
			kept, more = append(kept[:0], kept[1:]...), true
		}
		kept = append(kept, f)
		from = f.At
	}
}
