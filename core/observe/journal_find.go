package observe

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/recovery"
)

// mqsIni is where IBM i keeps the library of each queue manager (reference,
// IBM i 1.1).
const mqsIni = "/QIBM/UserData/mqm/mqs.ini"

// conventional is the form of queue manager names whose library is QM and
// the name (TEST has QMTEST); of others CRTMQM makes a unique form.
var conventional = regexp.MustCompile(`^[A-Z0-9$#@]{1,8}$`)

// library gives where the journal may be: the configured library, the one
// of mqs.ini, or the conventional one, which the journal found there confirms.
func (g *gatherer) library() (string, bool) {
	if g.target.Library != "" {
		if !objectName(g.target.Library) {
			g.open(finding.LibraryUnknown, "%q is configured, which is no name of a library", g.target.Library)
			return "", false
		}
		return g.target.Library, g.agreesWithIni(g.target.Library)
	}
	if body, ok := g.try(File, mqsIni); ok {
		library, err := iniLibrary(body, g.target.Name)
		if err != nil {
			g.open(finding.LibraryUnknown, "%s: %v", mqsIni, err)
			return "", false
		}
		return library, true
	}
	if conventional.MatchString(g.target.Name) {
		return "QM" + g.target.Name, true
	}
	g.open(finding.LibraryUnknown, "no library is configured, %s was not answered, and the name is not of the form that gives QM%s", mqsIni, g.target.Name)
	return "", false
}

// agreesWithIni holds a configured library against mqs.ini where that can be
// had: one of them is of another queue manager when they differ.
func (g *gatherer) agreesWithIni(configured string) bool {
	body, ok := g.try(File, mqsIni)
	if !ok {
		return true
	}
	if library, err := iniLibrary(body, g.target.Name); err == nil && library != configured {
		g.open(finding.LibraryUnknown, "library %s is configured or recorded, %s says %s", configured, mqsIni, library)
		return false
	}
	return true
}

// iniLibrary finds the Library of the QueueManager stanza with that Name.
// Blanks around = and ragged indents occur (case 24). None, a stanza without
// a usable Library, and two that differ are errors.
func iniLibrary(body []byte, queueManager string) (string, error) {
	var stanza, name, library string
	var found []string
	for line := range strings.Lines(string(body) + "\n\nend:\n") {
		line = strings.TrimSpace(line)
		key, value, setting := strings.Cut(line, "=")
		switch {
		case line == "" || line[0] == '#' || line[0] == ';':
		case !setting && strings.HasSuffix(line, ":"):
			if stanza == "QueueManager:" && name == queueManager {
				found = append(found, library)
			}
			stanza, name, library = line, "", ""
		case strings.TrimSpace(key) == "Name":
			name = strings.TrimSpace(value)
		case strings.TrimSpace(key) == "Library":
			library = strings.TrimSpace(value)
		}
	}
	found = slices.Compact(found)
	switch {
	case len(found) == 0:
		return "", fmt.Errorf("it has no stanza QueueManager with Name=%s", queueManager)
	case len(found) > 1:
		return "", fmt.Errorf("its stanzas with Name=%s give the libraries %s", queueManager, strings.Join(found, " and "))
	case !objectName(found[0]):
		return "", fmt.Errorf("its stanza with Name=%s gives the library %q", queueManager, found[0])
	}
	return found[0], nil
}

var journalName = regexp.MustCompile(`^AMQ[A-Z]JRN$`)

// findJournal finds the local journal of the queue manager. Its letter is
// not always A, and a remote copy may sit beside it (reference, IBM i 1.9).
func (g *gatherer) findJournal() bool {
	library, ok := g.library()
	if !ok {
		return false
	}
	question := "QSYS2.JOURNAL_INFO JOURNAL_LIBRARY='" + library + "'"
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
		isLocal := word(row, "JOURNAL_TYPE") == "LOCAL" || !t.Has("JOURNAL_TYPE")
		if row.Text("JOURNAL_LIBRARY") == library && journalName.MatchString(row.Text("JOURNAL_NAME")) && isLocal {
			local = append(local, row)
		}
	}
	if len(local) != 1 {
		g.open(finding.JournalUnknown, "library %s has %d local journals AMQxJRN, not one", library, len(local))
		return false
	}
	return g.readJournalRow(local[0], library)
}

// word gives a special value such as *LOCAL without its asterisk, which the
// services leave out.
func word(row Row, column string) string {
	return strings.TrimPrefix(strings.ToUpper(row.Text(column)), "*")
}

// always are the columns of JOURNAL_INFO that have a value for every local
// journal to which a receiver is attached. A level may lack the column; an
// empty cell is a row of which only a part came.
var always = []string{
	"ATTACHED_JOURNAL_RECEIVER_NAME", "ATTACHED_JOURNAL_RECEIVER_LIBRARY",
	"NUMBER_JOURNAL_RECEIVERS", "NUMBER_REMOTE_JOURNALS",
}

func (g *gatherer) readJournalRow(row Row, library string) bool {
	for _, column := range always {
		if _, said := row.Get(column); !said && row.table.Has(column) {
			g.open(finding.FactsUnreadable, "QSYS2.JOURNAL_INFO: line %d: no %s of %s/%s", row.Line, column, library, row.Text("JOURNAL_NAME"))
			return false
		}
	}
	count, err := readNumber(row, "NUMBER_JOURNAL_RECEIVERS")
	remotes, err2 := readNumber(row, "NUMBER_REMOTE_JOURNALS")
	if err = errors.Join(err, err2); err != nil || count > 1<<31 || remotes > 1<<31 {
		g.open(finding.FactsUnreadable, "QSYS2.JOURNAL_INFO: line %d: %d receivers, %d remote journals: %v", row.Line, count, remotes, err)
		return false
	}
	id := func(libraryColumn, nameColumn string) recovery.SegmentID {
		return recovery.SegmentID{QueueManager: g.target.Name, Library: row.Text(libraryColumn), Name: row.Text(nameColumn)}
	}
	j := Journal{
		Library:        library,
		Name:           row.Text("JOURNAL_NAME"),
		Attached:       id("ATTACHED_JOURNAL_RECEIVER_LIBRARY", "ATTACHED_JOURNAL_RECEIVER_NAME"),
		MessageQueue:   id("MESSAGE_QUEUE_LIBRARY", "MESSAGE_QUEUE"),
		SystemDeletes:  word(row, "DELETE_RECEIVER_OPTION") == "YES",
		SizeOption:     word(row, "RECEIVER_MAXIMUM_SIZE"),
		Receivers:      int(count),
		RemoteJournals: int(remotes),
		deletesSaid:    row.table.Has("DELETE_RECEIVER_OPTION"),
	}
	if !row.table.Has("NUMBER_REMOTE_JOURNALS") {
		j.RemoteJournals = -1
	}
	g.facts.Journal = j
	g.facts.Inventory.Incarnation = library + "/" + j.Name
	return true
}
