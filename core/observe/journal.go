package observe

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"time"

	"github.com/mqhk/mqhk/core/finding"
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
	g := &gatherer{ctx: ctx, asker: asker, target: target, clock: wallClock{}}
	g.facts.Inventory = recovery.Inventory{QueueManager: target.Name, Ordered: true}
	g.setZone()
	if g.findJournal() {
		g.readMarks()
		if g.listReceivers() {
			g.readMarksAgain()
			g.readHost()
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
	ctx      context.Context
	asker    Asker
	target   Target
	clock    wallClock
	observed time.Time // when the receivers were listed; zero: no clock known
	now      Stamp     // the same as the system's wall clock shows it

	facts     JournalFacts
	marks     []mark
	first     mark  // AMQJRNINF before the listing
	published Stamp // when the newest of AMQ7460 and AMQ7462 was sent; zero: not known
	chain     chainOf
	listed    map[recovery.SegmentID]Receiver
	copies    []recovery.Copy
	shelf     *shelf // what of the copies may stand for a receiver
	holds     []holdRow
	history   []historyRow

	unanswered  []unheard // questions of try without an answer
	stateless   bool      // DISPLAY QMSTATUS was answered without a STATUS
	remotesSeen bool      // REMOTE_JOURNAL_INFO was answered
}

// open notes what could not be learned, or what a person should know.
func (g *gatherer) open(code finding.Code, format string, args ...any) {
	g.facts.Inventory.Open = append(g.facts.Inventory.Open, finding.New(code, g.target.Name+": "+format, args...))
}

// ask asks one question that the plan can't do without.
func (g *gatherer) ask(language Language, text string) ([]byte, bool) {
	q := Question{Language: language, QueueManager: g.target.Name, Text: text}
	answer, err := g.asker.Ask(g.ctx, q)
	if err != nil {
		g.openError(q, err)
		return nil, false
	}
	if !answer.At.IsZero() {
		g.observed = answer.At
		if g.clock.zone != nil {
			g.observed = answer.At.In(g.clock.zone)
		}
		g.now = LocalStamp(g.observed)
	}
	return answer.Body, true
}

// wall gives a moment as the system's wall clock showed it, as far as its
// zone or its present offset tells.
func (g *gatherer) wall(moment time.Time) Stamp {
	return LocalStamp(moment.In(g.observed.Location()))
}

// try asks one question that the plan can do without. A system that refuses
// it is no worse than one that was not asked.
func (g *gatherer) try(language Language, text string) ([]byte, bool) {
	q := Question{Language: language, QueueManager: g.target.Name, Text: text}
	answer, err := g.asker.Ask(g.ctx, q)
	g.silent(q, err)
	return answer.Body, err == nil
}

// openError turns the error of a question into a finding.
func (g *gatherer) openError(q Question, err error) {
	var missing *columnsMissing
	switch failed := new(Failed); {
	case errors.As(err, new(*NotAnswered)):
		g.open(finding.NotAnswered, "nobody answered %s", q)
	case errors.As(err, &missing):
		g.open(finding.ServiceMissing, "%s: %v", q, missing)
	case errors.As(err, &failed) && serviceMissing.Match(failed.Body):
		g.open(finding.ServiceMissing, "%s: %s", q, firstLine(failed.Body))
	default:
		g.open(finding.FactsUnreadable, "%s: %v", q, err)
	}
}

// serviceMissing fits what a system says that lacks an SQL service or a
// column of it (reference, IBM i, trap 28).
var serviceMissing = regexp.MustCompile(`SQL0204|SQL0206|\b42704\b|\b42703\b`)

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

func (g *gatherer) setZone() {
	if g.target.Zone == "" {
		return
	}
	zone, err := time.LoadLocation(g.target.Zone)
	if err != nil {
		g.open(finding.FactsUnreadable, "time zone %q is not known", g.target.Zone)
		return
	}
	g.clock.zone = zone
}
