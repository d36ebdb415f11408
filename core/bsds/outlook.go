package bsds

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// MostArchives is how many archive logs of a copy a BSDS remembers at most,
// whatever MAXARCH says (manual topic q006070_).
const MostArchives = 1000

// Inventory sums up the table of archive logs of one copy.
type Inventory struct {
	Entries        int
	Oldest, Newest Log // by where they begin; zero when there is none
}

// Inventory sums up the archives of a copy, 1 or 2.
func (p *Print) Inventory(of int) Inventory {
	logs := p.byAge(of)
	if len(logs) == 0 {
		return Inventory{}
	}
	return Inventory{len(logs), logs[0], logs[len(logs)-1]}
}

// byAge gives the archives of a copy, oldest first.
func (p *Print) byAge(of int) []Log {
	logs := p.archives(of, func(Log) bool { return false })
	slices.SortStableFunc(logs, func(a, b Log) int { return cmp.Compare(a.Start.value, b.Start.value) })
	return logs
}

// Lasting gives how long it takes until an entry is overlaid by newer ones, when
// the inventory has room for so many and so many come in an hour: 1000 at 60 an
// hour last 16 hours 40 minutes (case 42). False without room or rate. The time
// is cut off at that of a Duration, 292 years.
func Lasting(room int, perHour float64) (time.Duration, bool) {
	if room < 0 || math.IsNaN(perHour) || perHour <= 0 {
		return 0, false
	}
	nanoseconds := float64(room) / perHour * float64(time.Hour)
	if nanoseconds >= math.MaxInt64 {
		return math.MaxInt64, true
	}
	return time.Duration(nanoseconds), true
}

// PerHour gives how many archives of a copy came in an hour, over the newest ones
// that ended within a time. False when fewer than two ends are known in it.
func (p *Print) PerHour(of int, within time.Duration) (float64, bool) {
	var ends []time.Time
	for _, log := range p.byAge(of) {
		if !log.EndTime.IsZero() {
			ends = append(ends, log.EndTime)
		}
	}
	slices.SortFunc(ends, time.Time.Compare)
	if len(ends) < 2 {
		return 0, false
	}
	newest := ends[len(ends)-1]
	for len(ends) > 0 && newest.Sub(ends[0]) > within {
		ends = ends[1:]
	}
	span := newest.Sub(ends[0])
	if len(ends) < 2 || span <= 0 {
		return 0, false
	}
	return float64(len(ends)-1) / span.Hours(), true
}

// Until gives how long it takes until a copy of the inventory, with room for so
// many archives (MAXARCH), forgets the one that holds a place of the log, when so
// many come in an hour. It is zero when the place was forgotten already. False
// when the place, the room or the rate is not known. A lower MAXARCH counts from
// the next archive on.
func (p *Print) Until(of, room int, perHour float64, rba RBA) (time.Duration, bool) {
	if room <= 0 || of < 1 || of > Copies {
		return 0, false
	}
	room = min(room, MostArchives)
	switch p.Find(rba) {
	case Dropped:
		return 0, true
	case InActive, Ahead:
		return Lasting(room, perHour)
	case InArchive:
	default:
		return 0, false
	}
	logs := p.byAge(of)
	at := slices.IndexFunc(logs, func(log Log) bool { return log.holds(rba) })
	if at < 0 { // in the other copy alone
		return 0, true
	}
	return Lasting(max(1, room-len(logs)+at+1), perHour)
}
