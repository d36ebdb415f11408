package observe

import (
	"context"
	"fmt"
	"time"

	"github.com/mqhk/mqhk/core/recovery"
)

// JournalFacts are what is known of the journal of one IBM i queue manager:
// the inventory that core/recovery decides from, and what a person should
// know beside it.
type JournalFacts struct {
	Inventory recovery.Inventory
	Journal   Journal
	Receivers []Receiver // in chain order, without those that were never attached
	Breaks    []int      // Receivers[i-1] and Receivers[i] do not join, for each i
	Seen      []Sighting // recovery points that earlier runs saw, oldest first
	PutBack   bool       // a point went back since an earlier run saw it, and no run that applies has stopped for it yet
	Messages  Notices
}

// Journal is the local journal of a queue manager (reference, IBM i 1.7).
type Journal struct {
	Library, Name  string
	Attached       recovery.SegmentID
	MessageQueue   recovery.SegmentID // library and name of the queue that gets its messages
	SystemDeletes  bool               // DLTRCV(*YES)
	SizeOption     string             // RCVSIZOPT, which bounds the sequence numbers
	Receivers      int                // how many the journal says it has; 0: not said
	RemoteJournals int                // how many are defined; -1: not said

	deletesSaid bool // the answer has DELETE_RECEIVER_OPTION
}

// Sighting is a recovery point as an earlier run saw it.
type Sighting struct {
	At       time.Time
	Kind     recovery.NeedKind
	Segment  string
	Position string
}

// Notices are messages that matter beside the recovery points. A zero time
// means none.
type Notices struct {
	Damaged    []string // AMQ7472 since the newest recovery points, as texts
	Clash      Stamp    // CPI70E3, newest
	ClashText  string
	ClashQueue string
}

// ReadJournal asks for the facts of one queue manager's journal.
//
// It reads the recovery points, then lists the receivers, then reads
// AMQJRNINF again: the first reading decides, the second must not be older.
// What can't be learned becomes a critical finding in Inventory.Open, which
// keeps everything; an error is returned only when ctx ends.
func ReadJournal(ctx context.Context, asker Asker, target Target) (JournalFacts, error) {
	g := &gatherer{gathering: newGathering(ctx, asker, target)}
	g.facts.Inventory = recovery.Inventory{QueueManager: target.Name, Ordered: true}
	g.inventory = &g.facts.Inventory
	g.setZone()
	if g.findJournal() {
		g.readMarks()
		if g.listReceivers() {
			g.readMarksAgain()
			g.readHost(receiverCopies)
			g.facts.Seen = g.seen
			g.buildLine()
			g.readOperator()
			g.pinForRemotes()
			g.noteUnchecked()
		}
	}
	g.facts.Inventory.Observed = g.observed
	if err := ctx.Err(); err != nil {
		return g.facts, fmt.Errorf("reading the journal of %s: %w", target.Name, err)
	}
	return g.facts, nil
}

// gatherer collects the facts of one journal.
type gatherer struct {
	gathering
	facts     JournalFacts
	marks     []mark
	first     mark  // AMQJRNINF before the listing
	published Stamp // when the newest of AMQ7460 and AMQ7462 was sent; zero: not known
	chain     chainOf
	listed    map[recovery.SegmentID]Receiver
	shelf     *shelf // what of the copies may stand for a receiver

	stateless   bool // DISPLAY QMSTATUS was answered without a STATUS
	remotesSeen bool // REMOTE_JOURNAL_INFO was answered
}

// table asks an SQL question and reads the answer.
func (g *gatherer) table(text string, optional bool) (*Table, bool) {
	ask := g.ask
	if optional {
		ask = g.try
	}
	body, ok := ask(SQL, text)
	if !ok {
		return nil, false
	}
	t, err := ReadTable(body)
	if err != nil {
		g.openError(Question{SQL, g.target.Name, "", text}, err)
		return nil, false
	}
	return t, true
}
