package observe

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
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
			g.readClash()
			g.pinForRemotes()
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

	facts JournalFacts
	marks []mark
	first mark // AMQJRNINF before the listing
	chain chainOf
	// attached holds when each listed receiver was attached.
	attached map[recovery.SegmentID]Stamp
	copies   []recovery.Copy
	holds    []holdRow
	history  []historyRow
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
		g.observed, g.now = answer.At, LocalStamp(answer.At)
		if g.clock.zone != nil {
			g.now = LocalStamp(answer.At.In(g.clock.zone))
		}
	}
	return answer.Body, true
}

// try asks one question that the plan can do without. A system that refuses
// it is no worse than one that was not asked.
func (g *gatherer) try(language Language, text string) ([]byte, bool) {
	answer, err := g.asker.Ask(g.ctx, Question{Language: language, QueueManager: g.target.Name, Text: text})
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

// mqsIni is where IBM i keeps the library of each queue manager (reference,
// IBM i 1.1).
const mqsIni = "/QIBM/UserData/mqm/mqs.ini"

// conventional is the form of queue manager names whose library is QM and
// the name (TEST has QMTEST); of others CRTMQM makes a unique form.
var conventional = regexp.MustCompile(`^[A-Z0-9$#@]{1,8}$`)

// libraries gives where the journal may be: the configured library, the one
// of mqs.ini, or the conventional one, which the journal found there confirms.
func (g *gatherer) library() (string, bool) {
	if g.target.Library != "" {
		return g.target.Library, true
	}
	if body, ok := g.try(File, mqsIni); ok {
		if library, found := iniLibrary(body, g.target.Name); found {
			return library, true
		}
		g.open(finding.LibraryUnknown, "%s has no stanza QueueManager with Name=%s", mqsIni, g.target.Name)
		return "", false
	}
	if conventional.MatchString(g.target.Name) {
		return "QM" + g.target.Name, true
	}
	g.open(finding.LibraryUnknown, "no library is configured, %s was not answered, and the name is not of the form that gives QM%s", mqsIni, g.target.Name)
	return "", false
}

// iniLibrary finds the Library of the QueueManager stanza with that Name.
// Blanks around = and ragged indents occur (case 24).
func iniLibrary(body []byte, queueManager string) (string, bool) {
	var stanza, name, library string
	for line := range strings.Lines(string(body) + "\n\nend:\n") {
		line = strings.TrimSpace(line)
		key, value, setting := strings.Cut(line, "=")
		switch {
		case line == "" || line[0] == '#' || line[0] == ';':
		case !setting && strings.HasSuffix(line, ":"):
			if stanza == "QueueManager:" && name == queueManager && objectName(library) {
				return library, true
			}
			stanza, name, library = line, "", ""
		case strings.TrimSpace(key) == "Name":
			name = strings.TrimSpace(value)
		case strings.TrimSpace(key) == "Library":
			library = strings.TrimSpace(value)
		}
	}
	return "", false
}

var journalName = regexp.MustCompile(`^AMQ[A-Z]JRN$`)

// findJournal finds the local journal of the queue manager. Its letter is
// not always A, and a remote copy may sit beside it (reference, IBM i 1.9).
func (g *gatherer) findJournal() bool {
	library, ok := g.library()
	if !ok {
		return false
	}
	question := "QSYS2.JOURNAL_INFO JOURNAL_LIBRARY='" + strings.ReplaceAll(library, "'", "''") + "'"
	t, ok := g.table(question, false)
	if !ok {
		return false
	}
	if missing := t.Missing("JOURNAL_NAME", "JOURNAL_LIBRARY"); len(missing) > 0 {
		g.openError(Question{SQL, g.target.Name, "", question}, &columnsMissing{missing})
		return false
	}
	var local []Row
	for _, row := range t.Rows() {
		kind := strings.TrimPrefix(strings.ToUpper(row.Text("JOURNAL_TYPE")), "*")
		if row.Text("JOURNAL_LIBRARY") == library && journalName.MatchString(row.Text("JOURNAL_NAME")) && (kind == "LOCAL" || kind == "") {
			local = append(local, row)
		}
	}
	if len(local) != 1 {
		g.open(finding.JournalUnknown, "library %s has %d local journals AMQxJRN, not one", library, len(local))
		return false
	}
	return g.readJournalRow(local[0], library)
}

func (g *gatherer) readJournalRow(row Row, library string) bool {
	count, err := readNumber(row, "NUMBER_JOURNAL_RECEIVERS")
	remotes, err2 := readNumber(row, "NUMBER_REMOTE_JOURNALS")
	if err = errors.Join(err, err2); err != nil || count > 1<<31 || remotes > 1<<31 {
		g.open(finding.FactsUnreadable, "QSYS2.JOURNAL_INFO: line %d: %v", row.Line, err)
		return false
	}
	j := Journal{
		Library:        library,
		Name:           row.Text("JOURNAL_NAME"),
		Attached:       recovery.SegmentID{QueueManager: g.target.Name, Library: row.Text("ATTACHED_JOURNAL_RECEIVER_LIBRARY"), Name: row.Text("ATTACHED_JOURNAL_RECEIVER_NAME")},
		MessageQueue:   recovery.SegmentID{QueueManager: g.target.Name, Library: row.Text("MESSAGE_QUEUE_LIBRARY"), Name: row.Text("MESSAGE_QUEUE")},
		SystemDeletes:  strings.TrimPrefix(strings.ToUpper(row.Text("DELETE_RECEIVER_OPTION")), "*") == "YES",
		SizeOption:     strings.TrimPrefix(strings.ToUpper(row.Text("RECEIVER_MAXIMUM_SIZE")), "*"),
		Receivers:      int(count),
		RemoteJournals: int(remotes),
	}
	if _, said := row.Get("NUMBER_REMOTE_JOURNALS"); !said {
		j.RemoteJournals = -1
	}
	g.facts.Journal = j
	g.facts.Inventory.Incarnation = library + "/" + j.Name
	return true
}
