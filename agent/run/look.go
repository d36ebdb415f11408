package run

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/mqhk/mqhk/agent/store"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
)

// look is what the host itself has seen of a target, whatever a plugin says.
type look struct {
	inventories []recovery.Inventory
	pieces      map[recovery.SegmentID]piece
	there       map[recovery.SegmentID]recovery.Segment // those that are on the system
	directory   string                                  // of the segments, where they are files; else empty
	others      map[string]bool                         // names in it that are no segments
	reuse       []observe.Extent                        // files without log, which the queue manager keeps to use again
	host        observe.HostState                       // where the queue manager runs, where that decides whose its files are
	notHere     string                                  // why it does not plainly run on this host; empty: it does, or it was not asked
	putBack     bool                                    // the log was put back to an older state, and no run that applies has stopped for it yet
	started     string                                  // when the queue manager was started, as it says; empty: not asked, or not said
}

// piece is what a platform tells of a segment on the system beside what the
// rule needs.
type piece struct {
	facts    store.Facts                // for its manifest
	copiedBy func(c recovery.Copy) bool // a copy is one of this very segment
}

// lookAt observes a target. What could not be learned stands in the
// inventory, where it keeps everything; the error is that of the context, or
// says that nobody can observe such a platform yet.
func lookAt(ctx context.Context, asker observe.Asker, target observe.Target) (look, error) {
	switch target.Platform {
	case observe.IBMi:
		facts, err := observe.ReadJournal(ctx, asker, target)
		if err != nil {
			return look{}, err
		}
		l := newLook(facts.Inventory)
		l.putBack = facts.PutBack
		for _, r := range facts.Receivers {
			l.pieces[r.ID] = receiverPiece(r)
		}
		return l, nil
	case observe.Multiplatforms:
		facts, err := observe.ReadExtents(ctx, asker, target)
		if err != nil {
			return look{}, err
		}
		l := newLook(facts.Inventory)
		l.directory, l.reuse, l.putBack = facts.Log.Directory, facts.Reuse, facts.PutBack
		l.host, l.notHere = facts.Log.Host, facts.Log.NotHere
		l.others = make(map[string]bool, len(facts.Foreign))
		for _, f := range facts.Foreign {
			l.others[f.Name] = true
		}
		for _, e := range facts.Extents {
			l.pieces[recovery.SegmentID{QueueManager: target.Name, Name: e.Name}] = extentPiece(e, facts.Inventory.Incarnation)
		}
		return l, nil
	default:
		return look{}, fmt.Errorf("target %s: on %s nothing can be applied", target, target.Platform)
	}
}

func newLook(inv recovery.Inventory) look {
	l := look{
		inventories: []recovery.Inventory{inv},
		pieces:      make(map[recovery.SegmentID]piece, len(inv.Segments)),
		there:       make(map[recovery.SegmentID]recovery.Segment, len(inv.Segments)),
	}
	for _, s := range inv.Segments {
		if _, twice := l.there[s.ID]; s.State != recovery.Absent && !twice {
			l.there[s.ID] = s
		}
	}
	return l
}

func receiverPiece(r observe.Receiver) piece {
	return piece{store.Facts{
		Opened: stampText(r.Attach), Closed: stampText(r.Detach), First: numberText(r.First), Last: numberText(r.Last),
	}, r.CopiedBy}
}

// extentPiece: an extent has one number, and no time of its own.
func extentPiece(e observe.Extent, incarnation string) piece {
	number := strconv.Itoa(e.Number)
	owner, group, _ := strings.Cut(e.Owner, ":")
	return piece{store.Facts{
		First: number, Last: number, Incarnation: incarnation, Mode: e.Mode, Owner: owner, Group: group, Bytes: e.Bytes,
	}, func(c recovery.Copy) bool {
		// One that has ended tells less of its log than the manifest does.
		same, _ := observe.SameLog(incarnation, c.Incarnation)
		return c.Segment.Name == e.Name && same && (c.Bytes == 0 || c.Bytes == e.Bytes)
	}}
}

// whole says why the list of segments can't be relied on; empty: it can.
func (l look) whole() string {
	for _, inv := range l.inventories {
		for _, f := range inv.Open {
			if f.Severity == finding.Critical {
				return f.Text
			}
		}
	}
	return ""
}

// segment finds a segment that is on the system.
func (l look) segment(id recovery.SegmentID) (recovery.Segment, bool) {
	s, ok := l.there[id]
	return s, ok
}

// stands says why a segment that was to be deleted is not gone; empty: it is.
// What has another fingerprint is another receiver, of which names come again;
// the name of a file comes again only where somebody had a hand in it, and
// nothing was deleted then that this run could answer for.
func (l look) stands(id recovery.SegmentID, fingerprint string) string {
	there, ok := l.segment(id)
	switch {
	case ok && there.Fingerprint == fingerprint:
		return "it is still there"
	case l.directory == "":
		return ""
	case ok:
		return "it is there, and was changed: " + there.Fingerprint
	case l.others[id.Name]:
		return "something else has its name"
	}
	return ""
}

// saved tells whether a verified copy of the segment is in a store.
func (l look) saved(id recovery.SegmentID) bool {
	_, ok := l.copyOf(id)
	return ok
}

// copyOf gives the verified copy of a segment.
func (l look) copyOf(id recovery.SegmentID) (recovery.Copy, bool) {
	for _, inv := range l.inventories {
		for _, c := range inv.Copies {
			if c.Segment == id && c.Verified {
				return c, true
			}
		}
	}
	return recovery.Copy{}, false
}

// present counts the segments on the system, and their bytes.
func (l look) present() (count int, bytes int64) {
	for _, inv := range l.inventories {
		for _, s := range inv.Segments {
			if s.State != recovery.Absent {
				count++
				bytes += s.Bytes
			}
		}
	}
	return count, bytes
}

// departed says why a later look is not at the same queue manager's log as an
// earlier one, going forward in time; empty: it is. Within one incarnation
// recovery points only move forward (design, The second key).
func departed(earlier, later look) string {
	if len(earlier.inventories) != len(later.inventories) {
		return "another number of queue managers answers"
	}
	if earlier.started != "" && later.started != "" && earlier.started != later.started {
		return fmt.Sprintf("the queue manager was started anew: it ran since %s, and since %s now", earlier.started, later.started)
	}
	for i, before := range earlier.inventories {
		after := later.inventories[i]
		switch {
		case before.QueueManager != after.QueueManager:
			return fmt.Sprintf("queue manager %s answers in place of %s", after.QueueManager, before.QueueManager)
		case before.Incarnation != after.Incarnation && later.whole() != "":
			return strings.TrimPrefix(later.whole(), before.QueueManager+": ") // it does not tell all that it is
		case before.Incarnation != after.Incarnation:
			return fmt.Sprintf("%s is not what it was: %q then, %q now", before.QueueManager, before.Incarnation, after.Incarnation)
		}
		if why := recovery.WentBack(before, after); why != "" {
			return strings.TrimSpace(before.QueueManager + ": " + why)
		}
	}
	return ""
}
