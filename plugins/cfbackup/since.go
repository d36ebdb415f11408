package cfbackup

import (
	"math"
	"time"

	"github.com/mqhk/mqhk/core/bsds"
	"github.com/mqhk/mqhk/core/observe/qsg"
)

// from gives from which LRSN on a recovery from a backup reads logs. The group
// tells the backup's place as RBAs of the member that took it, which say nothing
// of another's log (trap 11); its BSDS says in which LRSNs the data set lies that
// holds the place. An image leaves the newest activity out, 600 seconds of it at
// the most (EXCLINT), which is then read from the logs too (trap 38).
//
// DISPLAY USAGE TYPE(DATASET) gives the LRSN of the oldest backup of all
// structures. No structure's own is older than that, so it narrows the range.
func (j *judge) from(shelf *logShelf, b qsg.Backup) (span, bool) {
	var found span
	for _, place := range shelf.print.Holding(b.Start) {
		start, end := place.Log.StartLRSN, place.Log.EndLRSN
		if !start.Known() || start.Zero() {
			continue
		}
		found.low = start
		if end.Known() && !end.Zero() && !end.Open() {
			found.high = end
		}
		break
	}
	if !found.low.Known() {
		return span{}, false
	}
	for _, m := range j.group.Members {
		oldest := m.Usage.Structures.From
		if !m.Usage.Structures.Printed || oldest.Zero() || !found.low.Before(oldest) || found.high.Before(oldest) && found.high.Known() {
			continue
		}
		found.low = oldest
	}
	if ended := j.clock.moment(b.EndedAt); !found.high.Known() && found.low.Width() == bsds.Six && !ended.IsZero() {
		found.high, _ = bsds.LRSNAt(ended.Add(slack)) // the log is still written: no later than when the backup ended
	}
	found.low = earlier(found.low, mostExclint)
	return found, true
}

// earlier gives an LRSN of some time before. One of six bytes counts 16
// microseconds; one of eight is either the same with zeros in front, or a whole
// store clock value, of which a microsecond is 4096: its first two bytes are
// never zero in this century.
func earlier(l bsds.LRSN, by time.Duration) bsds.LRSN {
	units := uint64(by.Microseconds()) / 16 //nolint:gosec // a constant above zero
	const padded = math.MaxUint64 >> 16
	if l.Width() == bsds.Eight && l.Value() > padded {
		units = uint64(by.Microseconds()) << 12 //nolint:gosec // likewise
	}
	before, err := l.Sub(units)
	if err != nil {
		return l
	}
	return before
}
