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
		switch {
		case copied && i >= d.promised:
			restore.add(s)
		case copied:
			archived.add(s)
		case s.State == Absent:
			lost.add(s)
		default:
			unreadable.add(s)
		}
	}
	if lost.count > 0 {
		d.fail(finding.ReceiverLost, "%s: %s needed by %s, neither on the system nor in a store; a recovery would end for want of it",
			d.QueueManager, lost, d.oldest())
	}
	if unreadable.count > 0 {
		d.fail(finding.ReceiverUnreadable, "%s: %s needed by %s, on the system but %s, and not in a store",
			d.QueueManager, unreadable, d.oldest(), unreadable.state)
	}
	if restore.count > 0 {
		d.fail(finding.RestoreRequired, "%s: %s needed by %s only in the store, but %s promises the recovery without a restore",
			d.QueueManager, restore, d.oldest(), d.promise.Strategy)
	}
	if archived.count > 0 {
		d.findings = append(d.findings, finding.New(finding.ReceiverArchived,
			"%s: %s in the store, to restore before a recovery that reads from %s", d.QueueManager, archived, d.oldest()))
	}
}

// oldest describes the oldest recovery point.
func (d *decider) oldest() string {
	var oldest *Need
	for i := range d.Needs {
		if need := &d.Needs[i]; need.Kind != Hold && (oldest == nil || need.From < oldest.From) {
			oldest = need
		}
	}
	if oldest == nil {
		return "a recovery point that is not known"
	}
	return "the " + oldest.describe() + " (" + oldest.Source + ")"
}

// span counts segments that share something and remembers the ends.
type span struct {
	count       int
	first, last SegmentID
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
func (d *decider) reasons() []reason {
	starts := []int{max(d.cut, 0)}
	for _, need := range d.Needs {
		starts = append(starts, d.index(need.From))
	}
	slices.Sort(starts)
	var list []reason
	for _, i := range slices.Compact(starts) {
		if verdict, ok := d.keptFrom(i); ok {
			list = append(list, reason{i, verdict})
		}
	}
	return list
}

// keptFrom words why the segment at index i is kept, by the kept needs that
// cover it: one of each kind, the most urgent first.
func (d *decider) keptFrom(i int) (Verdict, bool) {
	covering := make(map[NeedKind]Need)
	for _, need := range d.Needs {
		if !d.promise.Strategy.keeps(need.Kind) || d.index(need.From) > i {
			continue
		}
		if other, ok := covering[need.Kind]; !ok || need.From < other.From {
			covering[need.Kind] = need
		}
	}
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
