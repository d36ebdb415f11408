package recovery

import (
	"sort"

	"github.com/mqhk/mqhk/core/finding"
)

// keeps tells whether the strategy must find the range of such a need on the
// system. A hold is kept under every strategy.
//
// Under FastStartup the cut comes from the restart point alone and never from
// the published older of the two: on the night after the media range was
// archived that one would name a segment which is rightly gone.
//
// What a kept backup of the data would be rolled forward with is nothing that a
// restart or a rebuild reads: a restore precedes it in any case, so that a copy
// in the store will do.
func (s Strategy) keeps(kind NeedKind) bool {
	if kind == DataBackup || kind == RecoverySet {
		return s == NoStrategy
	}
	switch s {
	case Conservative:
		return true
	case FastStartup:
		return kind != Media && kind != Published
	case Aggressive:
		return kind == Hold
	default:
		return true
	}
}

// findBounds works out from which segment on the strategy keeps, and from
// which on any recovery reads.
func (d *decider) findBounds() {
	d.cut, d.needed, d.promised = len(d.Segments), len(d.Segments), len(d.Segments)
	known := make(map[NeedKind]bool, len(d.Needs))
	for _, need := range d.Needs {
		known[need.Kind] = true
		at := d.index(need.From)
		if need.Kind == Hold {
			at = max(at, 0)
		}
		if at < 0 {
			d.fail(finding.ReceiverLost, "%s: %s (%s) lies before everything that is known", d.QueueManager, need.describe(), need.Source)
		}
		if d.promise.Strategy.keeps(need.Kind) {
			d.cut = min(d.cut, at)
			if need.Kind != Hold {
				d.promised = min(d.promised, at)
			}
		}
		if need.Kind != Hold {
			d.needed = min(d.needed, at)
		}
	}
	d.checkKnown(known)
	if d.current >= 0 {
		d.cut, d.promised = min(d.cut, d.current), min(d.promised, d.current)
	}
}

// checkKnown fails when a recovery point is missing without which the
// strategy has no bound, either for what stays or for what is saved first.
func (d *decider) checkKnown(known map[NeedKind]bool) {
	if d.promise.Strategy == NoStrategy {
		d.fail(finding.MarkMissing, "%s: the task has no strategy", d.QueueManager)
		return
	}
	both := known[Restart] && known[Media]
	switch {
	case d.promise.Strategy == FastStartup && !known[Restart]:
		d.fail(finding.MarkMissing, "%s: the restart point is not known, and fast-startup keeps from it", d.QueueManager)
	case d.promise.Strategy == FastStartup && !known[Media] && !known[Published]:
		d.needed = 0 // any of it may still be needed for a rebuild: all is saved first
	case d.promise.Strategy != FastStartup && !both && !known[Published]:
		d.fail(finding.MarkMissing, "%s: restart and media recovery point are not both known", d.QueueManager)
	}
}

// index gives the segment in which a position lies: the newest that begins
// at or before it; -1 when all begin later.
func (d *decider) index(p Position) int {
	return sort.Search(len(d.Segments), func(i int) bool { return d.Segments[i].From > p }) - 1
}

// describe names a need for people.
func (n Need) describe() string {
	text := n.Kind.words()
	if n.Name != "" {
		text += " " + n.Name
	}
	if n.Entry != "" {
		text += " at " + n.Entry
	}
	return text
}

// words names what the range of a need is needed for.
func (k NeedKind) words() string {
	switch k {
	case Restart:
		return "restart point"
	case Media:
		return "media recovery point"
	case Published:
		return "older of restart and media recovery point"
	case UnitOfWork:
		return "oldest unit of work"
	case Hold:
		return "hold"
	default:
		return k.String() + " recovery point"
	}
}
