package schedule

import (
	"time"

	"github.com/robfig/cron/v3"
)

// calendar is the dates and times that five fields name, without a zone.
type calendar struct {
	dates cron.Schedule // in UTC, so that every date has all its minutes
}

// after gives the first named wall-clock minute after wall, or the zero time.
func (c calendar) after(wall time.Time) time.Time {
	// The library counts in seconds; from the last second of a minute on it
	// finds the next minute at once.
	wall = wall.Truncate(time.Minute).Add(59 * time.Second)
	// It gives up after five years; 29 February is eight years away around
	// 2100, which is no leap year.
	for range 3 {
		if next := c.dates.Next(wall); !next.IsZero() {
			return next
		}
		wall = wall.AddDate(4, 0, 0)
	}
	return time.Time{}
}

// last gives the last named minute from first, which is one, to end.
func (c calendar) last(first, end time.Time) time.Time {
	for first.Before(end) {
		next := c.after(first)
		if next.IsZero() || next.After(end) {
			break
		}
		first = next
	}
	return first
}
