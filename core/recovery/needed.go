package recovery

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mqhk/mqhk/core/finding"
)

// checkNeeded looks at the range that some recovery reads: what is not
// readable on the system must be in the store, and where the strategy
// promises the recovery without a restore even that is not enough.
func (d *decider) checkNeeded() {
	var unreadable, restore, archived span
	lost := span{atLeast: true}
	for i := max(d.needed, 0); i < len(d.Segments); i++ {
		s := d.Segments[i]
		if !s.holdsEntries() || s.State.Readable() {
			continue
		}
		_, copied := d.copies[s.ID]
		in := &unreadable
		switch {
		case copied && i >= d.promised:
			in = &restore
		case copied:
			in = &archived
		case s.State == Absent:
			in = &lost
		}
		in.add(s)
		in.end = i
	}
	anybody := func(kind NeedKind) bool { return kind != Hold }
	promised := func(kind NeedKind) bool { return kind != Hold && d.promise.Strategy.keeps(kind) }
	if lost.count > 0 {
		needs, fails := d.readers(lost.end, anybody)
		d.fail(finding.ReceiverLost, "%s: %s needed by %s, neither on the system nor in a store: %s", d.QueueManager, lost, needs, fails)
	}
	if unreadable.count > 0 {
		needs, fails := d.readers(unreadable.end, anybody)
		d.fail(finding.ReceiverUnreadable, "%s: %s needed by %s, on the system but %s, and not in a store: %s",
			d.QueueManager, unreadable, needs, unreadable.state, fails)
	}
	if restore.count > 0 {
		needs, fails := d.readers(restore.end, promised)
		d.fail(finding.RestoreRequired, "%s: %s needed by %s only in the store, but %s promises the recovery without a restore: %s",
			d.QueueManager, restore, needs, d.promise.Strategy, fails)
	}
	if archived.count > 0 {
		needs, _ := d.readers(archived.end, anybody)
		d.findings = append(d.findings, finding.New(finding.ReceiverArchived,
			"%s: %s in the store, to restore before a recovery that reads from %s", d.QueueManager, archived, needs))
	}
}

// readers names the needs that read what lies at or before segment i, one of
// each kind, and says what fails while that is not on the system. The older of
// both points adds nothing to one of them that is known by itself.
func (d *decider) readers(i int, wanted func(NeedKind) bool) (needs, fails string) {
	covering := d.covering(i, wanted)
	_, restart := covering[Restart]
	_, media := covering[Media]
	if restart || media {
		delete(covering, Published)
	}
	var names, ends []string
	for kind := NeedUnknown; kind <= Hold; kind++ {
		need, ok := covering[kind]
		if !ok {
			continue
		}
		name := "the " + need.describe()
		if need.Source != "" {
			name += " (" + need.Source + ")"
		}
		names = append(names, name)
		if end := kind.fails(); !slices.Contains(ends, end) {
			ends = append(ends, end)
		}
	}
	if len(names) == 0 {
		return "a recovery point that is not known", NeedUnknown.fails()
	}
	return strings.Join(names, " and "), strings.Join(ends, ", and ")
}

// fails says what becomes of the recovery that lacks a part of such a range.
func (k NeedKind) fails() string {
	switch k {
	case Restart, UnitOfWork:
		return "the next start of the queue manager fails"
	case Media:
		return "a rebuild of a damaged object fails"
	case Published:
		return "the next start of the queue manager, or a rebuild of a damaged object, fails"
	case DataBackup, RecoverySet:
		return "the backup can't be rolled forward"
	case Replay:
		return "the other queue manager can't be brought up to date"
	default:
		return "a recovery would end for want of it"
	}
}

// span counts segments that share something and remembers the ends.
type span struct {
	count       int
	first, last SegmentID
	end         int // the index of the last, where it matters
	state       State
	atLeast     bool // what lies between them is not known
}

func (s *span) add(segment Segment) {
	if s.count == 0 {
		s.first, s.state = segment.ID, segment.State
	}
	s.last = segment.ID
	s.count++
}

// String names the span with its verb: "QMORDERS/AMQA000004 is". Of segments
// that are nowhere no list tells how many they are.
func (s span) String() string {
	if s.count == 1 {
		return s.first.String() + " is"
	}
	count := strconv.Itoa(s.count)
	if s.atLeast {
		count = "at least " + count
	}
	if s.first == s.last {
		return fmt.Sprintf("%s segments %s are", count, s.first) // nobody names them
	}
	return fmt.Sprintf("%s segments from %s to %s are", count, s.first, s.last)
}

// keepNeeded gives the verdicts of what lies at or after the cut, and of what
// is not on the system.
func (d *decider) keepNeeded() {
	reasons := d.reasons()
	next := 0
	verdict := Verdict{Keep, "newest", "is not older than what is being written"}
	for i := range d.Segments {
		for next < len(reasons) && reasons[next].from <= i {
			verdict = reasons[next].verdict
			next++
		}
		switch s := &d.Segments[i]; {
		case s.State == Absent:
			d.verdicts[i] = d.absent(i)
		case !s.holdsEntries():
			d.verdicts[i] = Verdict{Keep, s.State.String(), "holds no log data and is left alone"}
		case i == d.current:
			d.verdicts[i] = Verdict{Keep, "current", "is being written"}
		case i >= d.cut:
			d.verdicts[i] = verdict
		}
	}
}

// absent gives the verdict of a segment that is not on the system.
func (d *decider) absent(i int) Verdict {
	if i < d.needed {
		return Verdict{Keep, "absent", "is not on the system, and nothing needs it"}
	}
	if c, ok := d.copies[d.Segments[i].ID]; ok {
		return Verdict{Archived, "in-store", "is in store " + c.Store + ", to restore before a recovery that needs it"}
	}
	return Verdict{Lost, string(finding.ReceiverLost), "is needed, and neither on the system nor in a store"}
}

// reason is why everything from one index on stays.
type reason struct {
	from    int
	verdict Verdict
}

// reasons lists why what the strategy keeps is kept, by rising index: each
// need that begins there adds itself to those that began before.
func (d *decider) reasons() []reason { return d.reasonsFrom(d.keptFrom, max(d.cut, 0)) }

// reasonsFrom lists what is said of segments by the needs that cover them, from
// each index on from which that may be another thing.
func (d *decider) reasonsFrom(say func(i int) (Verdict, bool), starts ...int) []reason {
	for _, need := range d.Needs {
		starts = append(starts, d.index(need.From))
	}
	slices.Sort(starts)
	var list []reason
	for _, i := range slices.Compact(starts) {
		if verdict, ok := say(i); ok {
			list = append(list, reason{i, verdict})
		}
	}
	return list
}

// covering gives the needs of some kinds that cover the segment at index i: of
// each kind the one that begins first.
func (d *decider) covering(i int, wanted func(NeedKind) bool) map[NeedKind]Need {
	covering := make(map[NeedKind]Need)
	for _, need := range d.Needs {
		if !wanted(need.Kind) || d.index(need.From) > i {
			continue
		}
		if other, ok := covering[need.Kind]; !ok || need.From < other.From {
			covering[need.Kind] = need
		}
	}
	return covering
}

// keptFrom words why the segment at index i is kept, by the kept needs that
// cover it: one of each kind, the most urgent first.
func (d *decider) keptFrom(i int) (Verdict, bool) {
	covering := d.covering(i, d.promise.Strategy.keeps)
	var slug string
	var points []string
	for kind := Restart; kind <= Hold; kind++ {
		need, ok := covering[kind]
		if !ok {
			continue
		}
		slug = cmp.Or(slug, "needed-"+kind.String())
		points = append(points, d.point(need))
	}
	switch {
	case len(points) == 0:
		return Verdict{}, false
	case slug == "needed-"+Hold.String():
		return Verdict{HoldBack, string(finding.OnHold), "held: " + points[0]}, true
	}
	return Verdict{Keep, slug, "needed from the " + strings.Join(points, " and the ") + " on"}, true
}

// point names where a need begins, shortly. A tie, or readings that disagree,
// make it begin in an older segment than MQ names: then both are named.
func (d *decider) point(n Need) string {
	point := n.Kind.String() + " point"
	at := d.index(n.From)
	switch {
	case n.Kind == Hold:
		return n.Source
	case n.Name == "":
		return point
	case at >= 0 && d.Segments[at].ID.Name != n.Name && d.named(n.Name):
		return fmt.Sprintf("%s in %s (its entry may lie in %s)", point, n.Name, d.Segments[at].ID.Name)
	}
	return point + " in " + n.Name
}

// named tells whether a segment has the name.
func (d *decider) named(name string) bool {
	return slices.ContainsFunc(d.Segments, func(s Segment) bool { return s.ID.Name == name })
}
