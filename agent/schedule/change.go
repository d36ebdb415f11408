package schedule

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// changesAhead is how far ahead changes of the clocks are looked for: each zone
// that changes them does so within a year and some days.
const changesAhead = 400 * 24 * time.Hour

// Doubt says all that a reader of the schedule should know and may not expect:
// Warning, and the Changes in the year after a moment. Empty: nothing.
func (s Schedule) Doubt(from time.Time) string {
	texts := []string{s.Warning(), s.Changes(from)}
	return strings.Join(slices.DeleteFunc(texts, func(text string) bool { return text == "" }), "; ")
}

// Changes says where a written time meets a change of the clocks in the year
// after a moment: that the day does not have it, and it is run at the end of
// the gap, or that the day has it twice, and it is run the first time (case
// 63). Empty where it meets none, and for schedules that run on elapsed time.
func (s Schedule) Changes(from time.Time) string {
	var parts []string
	for _, change := range s.changes(from) {
		f, ok := s.Next(change.Add(-day - 1))
		for ; ok && !f.At.After(change.Add(day)); f, ok = s.Next(f.At) {
			if part := s.outOfTime(f); part != "" {
				parts = append(parts, part)
				break
			}
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf("the clocks of %s change at such a time, and it runs once all the same: %s", s.zone, strings.Join(parts, "; "))
}

// day is longer than any change of the clocks.
const day = 24 * time.Hour

// changes gives the moments at which the clocks of the zone change.
func (s Schedule) changes(from time.Time) []time.Time {
	if s.rule == nil || s.rule.repeats() {
		return nil
	}
	var list []time.Time
	for at := from.In(s.zone); ; {
		_, end := at.ZoneBounds()
		if end.IsZero() || end.After(from.Add(changesAhead)) {
			return list
		}
		list, at = append(list, end), end
	}
}

// outOfTime says what a change of the clocks does to a firing; empty: nothing.
func (s Schedule) outOfTime(f Firing) string {
	if shown := f.At.Format(writtenKey); shown != f.Key {
		return fmt.Sprintf("%s does not come, at %s instead", f.Key, f.At.Format("15:04 MST"))
	}
	_, end := f.At.ZoneBounds()
	if end.IsZero() || end.Sub(f.At) > day {
		return ""
	}
	// The same time again after the change?
	_, before := f.At.Zone()
	_, after := end.Zone()
	again := f.At.Add(time.Duration(before-after) * time.Second)
	if before > after && !again.Before(end) {
		return fmt.Sprintf("%s comes twice, at the first in %s", f.Key, f.At.Format("MST"))
	}
	return ""
}
