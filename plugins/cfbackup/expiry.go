package cfbackup

import (
	"fmt"
	"time"

	"github.com/mqhk/mqhk/core/bsds"
	"github.com/mqhk/mqhk/core/observe/qsg"
)

// expiring notes which archive data sets that a recovery reads may be deleted
// before the next backup, and are in no other data set. Their catalog entries say
// from which day on: one that has passed keeps nothing.
func (j *judge) expiring(l *logShelf, whole bsds.Cover, read *logRead) {
	if j.clock.now.IsZero() {
		return
	}
	next := j.clock.wall(j.clock.now.Add(j.limits.interval))
	read.expires = map[string]time.Time{}
	for _, place := range whole.Archives {
		entry, ok := l.entries[place.Log.DataSet]
		if e := entry.Expiration; ok && e.Known && !e.Never && !e.Day.IsZero() && !e.Day.After(next.Time) {
			read.expires[place.Log.DataSet] = e.Day
		}
	}
	if len(read.expires) == 0 {
		return
	}
	staying := l.only(func(state answer, log bsds.Log) bool {
		_, goes := read.expires[log.DataSet]
		return state != no && !goes
	})
	cover, _ := staying.Cover(whole.Range.From, whole.Range.To)
	if len(cover.Gaps) == 0 {
		read.expires = nil
		return
	}
	for _, place := range l.print.Holding(cover.Gaps[0].From) {
		if on, goes := read.expires[place.Log.DataSet]; goes {
			read.risks = append(read.risks, fmt.Sprintf("%s of %s may be deleted from %s on, before the next backup", place.Log.DataSet, l.member.Name, on.Format(time.DateOnly)))
			return
		}
	}
}

// lifetime is how long a member's archive data sets can be used for a recovery,
// and by what.
type lifetime struct {
	lasts time.Duration
	by    string
}

// lifetimes gives what limits the archives of a member: ARCRETN, after which they
// may be deleted, and MAXARCH, after so many of which the BSDS forgets them
// (manual topic q006070_), at the rate at which the log was switched of late.
func lifetimes(m qsg.Member) []lifetime {
	var found []lifetime
	if days := m.ArchiveRetention(); days.Known && days.Value >= 0 {
		found = append(found, lifetime{time.Duration(min(days.Value, 36500)) * day, fmt.Sprintf("ARCRETN(%d)", days.Value)})
	}
	if m.BSDS == nil {
		return found
	}
	room := int64(bsds.MostArchives)
	if most := m.ArchiveCapacity(); most.Known {
		room = min(room, most.Value)
	}
	perHour, ok := m.BSDS.PerHour(1, day)
	if !ok {
		return found
	}
	if lasts, ok := bsds.Lasting(int(room), perHour); ok {
		found = append(found, lifetime{lasts, fmt.Sprintf("a BSDS with room for %d archives, at %.1f an hour,", room, perHour)})
	}
	return found
}

// short tells where a member's archives don't live as long as they are needed:
// those since the last backup, until the next one (case 42).
func short(name string, lives []lifetime, needed time.Duration) []string {
	var risks []string
	for _, l := range lives {
		if l.lasts < needed {
			risks = append(risks, fmt.Sprintf("%s keeps the archive logs of %s for %s; they are needed for %s, until the next backup", l.by, name, ago(l.lasts), ago(needed)))
		}
	}
	return risks
}

// often gives how often to back up at the least: half of the time for which the
// archives of every member live (case 42).
func often(members []qsg.Member) (time.Duration, bool) {
	var least time.Duration
	found := false
	for _, m := range members {
		for _, l := range lifetimes(m) {
			if !found || l.lasts < least {
				least, found = l.lasts, true
			}
		}
	}
	return least / 2, found
}

// ago writes a time as people say it: 30 h, 16.7 h, 45 min.
func ago(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s", int64(d.Round(time.Second)/time.Second))
	case d < time.Hour:
		return fmt.Sprintf("%d min", int64(d.Round(time.Minute)/time.Minute))
	case d < 1000*time.Hour:
		hours := d.Round(6 * time.Minute).Hours()
		if hours == float64(int64(hours)) {
			return fmt.Sprintf("%.0f h", hours)
		}
		return fmt.Sprintf("%.1f h", hours)
	default:
		return fmt.Sprintf("%.0f days", d.Hours()/24)
	}
}
