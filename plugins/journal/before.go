package journal

import (
	"errors"
	"fmt"
	"strings"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins/points"
)

// before is what the journal was like when images were planned. It travels in
// the items of the action.
type before struct {
	journal  recovery.SegmentID // library and name
	receiver recovery.SegmentID // that was attached
	since    string             // when it was, as [recovery.Segment] has it
	zone     string             // of the target; empty: not known
}

// stateBefore notes what is attached now.
func stateBefore(facts observe.JournalFacts, target observe.Target) before {
	b := before{journal: recovery.SegmentID{Library: facts.Journal.Library, Name: facts.Journal.Name}, zone: target.Zone}
	for _, s := range facts.Inventory.Segments {
		if s.State == recovery.Current {
			b.receiver, b.since = s.ID, s.Opened
		}
	}
	return b
}

// The words that the items begin with.
const (
	itemJournal  = "journal"
	itemAttached = "attached"
	itemSince    = "since"
	itemZone     = "zone"
)

// items writes it, a word and its value each.
func (b before) items() []string {
	return points.Items(itemJournal, b.journal.String(), itemAttached, b.receiver.String(), itemSince, b.since, itemZone, b.zone)
}

// readBefore reads what items has written. Words that it does not know are
// passed over; one that is missing is an error.
func readBefore(items []string) (before, error) {
	values := points.ReadItems(items)
	b := before{since: values[itemSince], zone: values[itemZone]}
	var errJournal, errReceiver error
	b.journal, errJournal = readID(values[itemJournal])
	b.receiver, errReceiver = readID(values[itemAttached])
	since, errSince := observe.ParseStamp(b.since)
	if errSince == nil && since.IsZero() {
		errSince = errors.New("it does not say since when the receiver was attached")
	}
	if err := errors.Join(errJournal, errReceiver, errSince); err != nil {
		return before{}, fmt.Errorf("reading what was attached when it was planned: %w", err)
	}
	return b, nil
}

func readID(text string) (recovery.SegmentID, error) {
	library, name, ok := strings.Cut(text, "/")
	if !ok || library == "" || name == "" {
		return recovery.SegmentID{}, fmt.Errorf("%q is not LIBRARY/NAME", text)
	}
	return recovery.SegmentID{Library: library, Name: name}, nil
}

// target gives the queue manager to be looked at again.
func (b before) target(queueManager string) observe.Target {
	return observe.Target{Name: queueManager, Platform: observe.IBMi, Library: b.journal.Library, Zone: b.zone}
}

// passed tells whether a place lies behind the receiver that was attached: by
// the order of the chain, or by the times where that receiver has gone since.
func (b before) passed(inventory recovery.Inventory, at recovery.Position) bool {
	was, _ := observe.ParseStamp(b.since)
	later := false
	for _, s := range inventory.Segments {
		if s.ID.Library == b.receiver.Library && s.ID.Name == b.receiver.Name && s.Opened == b.since {
			return at > s.From
		}
		if opened, err := observe.ParseStamp(s.Opened); s.From == at && err == nil && s.State != recovery.Absent {
			later = opened.Second().After(was.Second().Time)
		}
	}
	return later
}
